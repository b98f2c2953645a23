package skein.storage;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Programs that authenticate with an API key, of which only the SHA-256 is kept. Thread-safe. */
public final class ApplicationStore {
  private static final String COLUMNS =
      """
      select id, name, client_id, roles, permissions, expires_at, last_used_at, created_at,
             tenant_id
        from identity_applications
      """;

  private static final String BY_KEY =
      COLUMNS + " where key_hash = $1 and (expires_at is null or expires_at > clock_timestamp())";

  private static final String INSERT =
      """
      insert into identity_applications (id, name, client_id, key_hash, roles, permissions,
          expires_at, tenant_id)
      values ($1, $2, $3, $4, $5, $6, $7, $8)
      """;

  /** At most once a minute, so that a busy program does not write all the time. */
  private static final String USED =
      """
      update identity_applications set last_used_at = clock_timestamp()
       where id = $1
         and (last_used_at is null or last_used_at < clock_timestamp() - interval '1 minute')
      """;

  private final Database database;

  public ApplicationStore(Database database) {
    this.database = database;
  }

  /**
   * @param roles by name
   * @param permissions beside those of the roles
   * @param expiresAt null: never
   * @param lastUsedAt to about a minute; null: never
   * @param tenant whose it is; empty: of the default tenant
   */
  public record Application(
      String id,
      String name,
      String clientId,
      List<String> roles,
      List<String> permissions,
      @Nullable Instant expiresAt,
      @Nullable Instant lastUsedAt,
      Instant createdAt,
      String tenant) {
    public Application {
      roles = List.copyOf(roles);
      permissions = List.copyOf(permissions);
    }
  }

  /** All applications by name. */
  public Future<List<Application>> all(TenantScope scope) {
    return many(
        "list the applications",
        COLUMNS + " where " + TenantScope.condition(1) + " order by name, id",
        Tuple.of(scope.tenant()));
  }

  /** Null when there is no such key, or it has expired by the database's clock. */
  public Future<@Nullable Application> findByKey(byte[] keyHash) {
    return many("look for an API key", BY_KEY, Tuple.of(Buffer.buffer(keyHash)))
        .map(found -> found.isEmpty() ? null : found.getFirst());
  }

  /** {@code createdAt} and {@code lastUsedAt} are not looked at. */
  public Future<Void> insert(Application application, byte[] keyHash) {
    var parameters =
        Tuple.of(application.id(), application.name(), application.clientId())
            .addBuffer(Buffer.buffer(keyHash))
            .addArrayOfString(application.roles().toArray(String[]::new))
            .addArrayOfString(application.permissions().toArray(String[]::new))
            .addValue(Database.timestamp(application.expiresAt()))
            .addString(application.tenant());
    return database.run("add an application", INSERT, parameters).mapEmpty();
  }

  /** Notes that its key was used. */
  public Future<Void> used(String id) {
    return database.run("note the use of an API key", USED, Tuple.of(id)).mapEmpty();
  }

  /** False: there is none of this id. */
  public Future<Boolean> delete(String id) {
    return database
        .run(
            "delete an application",
            "delete from identity_applications where id = $1",
            Tuple.of(id))
        .map(rows -> rows.rowCount() == 1);
  }

  private Future<List<Application>> many(String what, String sql, Tuple parameters) {
    return database
        .run(what, sql, parameters)
        .map(rows -> {
          var found = new ArrayList<Application>();
          rows.forEach(row -> found.add(application(row)));
          return found;
        });
  }

  private static Application application(Row row) {
    return new Application(
        row.getString(0),
        row.getString(1),
        row.getString(2),
        List.of(row.getArrayOfStrings(3)),
        List.of(row.getArrayOfStrings(4)),
        instant(row.getOffsetDateTime(5)),
        instant(row.getOffsetDateTime(6)),
        row.getOffsetDateTime(7).toInstant(),
        row.getString(8));
  }

  private static @Nullable Instant instant(@Nullable OffsetDateTime time) {
    return time == null ? null : time.toInstant();
  }
}
