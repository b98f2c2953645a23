package skein.storage;

import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** People who sign in with a password. Names differ in more than case. Thread-safe. */
public final class UserStore {
  private static final String COLUMNS =
      "select id, name, password, roles, tenant_id from identity_users ";

  private static final String INSERT =
      """
      insert into identity_users (id, name, password, roles, tenant_id) values ($1, $2, $3, $4, $5)
      on conflict do nothing
      """;

  /** Only while there are no users. */
  private static final String INSERT_FIRST =
      """
      insert into identity_users (id, name, password, roles, tenant_id)
      select $1, $2, $3, $4, $5 where not exists (select from identity_users)
      on conflict do nothing
      """;

  /** Sessions that begin meanwhile hold a lock that this waits for, so UPDATE sees them. */
  private static final String LOCK = "select from identity_users where id = $1 for update";

  /** A change ends the sessions of the user. */
  private static final String UPDATE =
      """
      with changed as (
        update identity_users
           set password = coalesce($2, password), roles = coalesce($3, roles)
         where id = $1
        returning id, name, password, roles, tenant_id
      ), ended as (
        update identity_sessions set revoked_at = clock_timestamp()
         where user_id in (select id from changed) and revoked_at is null
      )
      select id, name, password, roles, tenant_id from changed
      """;

  private final Database database;

  public UserStore(Database database) {
    this.database = database;
  }

  /**
   * @param password a hash with its salt and its cost
   * @param roles by name
   * @param tenant whose they are; empty: of the default tenant
   */
  public record User(String id, String name, String password, List<String> roles, String tenant) {
    public User {
      roles = List.copyOf(roles);
    }

    /** A user of the default tenant. */
    public User(String id, String name, String password, List<String> roles) {
      this(id, name, password, roles, "");
    }

    @Override
    public String toString() {
      return "User[id=" + id + ", name=" + name + ", roles=" + roles + "]";
    }
  }

  public Future<@Nullable User> findByName(String name) {
    return one("look for a user", COLUMNS + "where lower(name) = lower($1)", Tuple.of(name));
  }

  public Future<@Nullable User> findById(String id) {
    return one("look for a user", COLUMNS + "where id = $1", Tuple.of(id));
  }

  /** All users by name. */
  public Future<List<User>> all(TenantScope scope) {
    return database
        .run(
            "list the users",
            COLUMNS + "where " + TenantScope.condition(1) + " order by name",
            Tuple.of(scope.tenant()))
        .map(rows -> {
          var users = new ArrayList<User>();
          rows.forEach(row -> users.add(user(row)));
          return users;
        });
  }

  public Future<Boolean> isEmpty() {
    return database
        .run("count the users", "select exists (select from identity_users)", Tuple.tuple())
        .map(rows -> !rows.iterator().next().getBoolean(0));
  }

  /** False when the name is taken. */
  public Future<Boolean> insert(User user) {
    return inserted("add a user", INSERT, user);
  }

  /** False when there is a user. */
  public Future<Boolean> insertFirst(User user) {
    return inserted("add the first user", INSERT_FIRST, user);
  }

  private Future<Boolean> inserted(String what, String sql, User user) {
    var parameters =
        Tuple.of(user.id(), user.name(), user.password())
            .addArrayOfString(user.roles().toArray(String[]::new))
            .addString(user.tenant());
    return database.run(what, sql, parameters).map(rows -> rows.rowCount() == 1);
  }

  /**
   * Changes what is not null, and ends the user's sessions.
   *
   * @return the user as they are then; null: there is none of this id
   */
  public Future<@Nullable User> update(
      String id, @Nullable String password, @Nullable List<String> roles) {
    var parameters =
        Tuple.of(id, password)
            .addArrayOfString(roles == null ? null : roles.toArray(String[]::new));
    return database
        .inTransaction(
            "change a user",
            connection ->
                database
                    .run(connection, "lock a user", LOCK, Tuple.of(id))
                    .compose(_ -> database.run(connection, "change a user", UPDATE, parameters)))
        .map(UserStore::first);
  }

  /** With their sessions; false: there is none of this id. */
  public Future<Boolean> delete(String id) {
    return database
        .run("delete a user", "delete from identity_users where id = $1", Tuple.of(id))
        .map(rows -> rows.rowCount() == 1);
  }

  private Future<@Nullable User> one(String what, String sql, Tuple parameters) {
    return database.run(what, sql, parameters).map(UserStore::first);
  }

  private static @Nullable User first(RowSet<Row> rows) {
    for (var row : rows) {
      return user(row);
    }
    return null;
  }

  private static User user(Row row) {
    return new User(
        row.getString(0),
        row.getString(1),
        row.getString(2),
        List.of(row.getArrayOfStrings(3)),
        row.getString(4));
  }
}
