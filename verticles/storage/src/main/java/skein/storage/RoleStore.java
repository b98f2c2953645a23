package skein.storage;

import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Named sets of permissions, beside those that are built in. Thread-safe. */
public final class RoleStore {
  private static final String COLUMNS = "select id, name, permissions from identity_roles ";

  private static final String INSERT =
      """
      insert into identity_roles (id, name, permissions) values ($1, $2, $3)
      on conflict do nothing
      """;

  private static final String UPDATE =
      """
      update identity_roles set name = coalesce($2, name), permissions = coalesce($3, permissions)
       where id = $1
         and not exists (select from identity_roles o where lower(o.name) = lower($2) and o.id <> $1)
      returning id, name, permissions
      """;

  private final Database database;

  public RoleStore(Database database) {
    this.database = database;
  }

  public record Role(String id, String name, List<String> permissions) {
    public Role {
      permissions = List.copyOf(permissions);
    }
  }

  /** All roles by name. */
  public Future<List<Role>> all() {
    return many("list the roles", COLUMNS + "order by name", Tuple.tuple());
  }

  /** Those of these names, in any case, that there are. */
  public Future<List<Role>> named(Collection<String> names) {
    var lower = names.stream().map(name -> name.toLowerCase(Locale.ROOT)).toArray(String[]::new);
    return lower.length == 0
        ? Future.succeededFuture(List.of())
        : many(
            "look for roles",
            COLUMNS + "where lower(name) = any ($1)",
            Tuple.tuple().addArrayOfString(lower));
  }

  /** False when the id or the name is taken. */
  public Future<Boolean> insert(Role role) {
    var parameters =
        Tuple.of(role.id(), role.name())
            .addArrayOfString(role.permissions().toArray(String[]::new));
    return database.run("add a role", INSERT, parameters).map(rows -> rows.rowCount() == 1);
  }

  /**
   * Changes what is not null.
   *
   * @return the role as it is then; null: there is none of this id, or another one of the name
   */
  public Future<@Nullable Role> update(
      String id, @Nullable String name, @Nullable List<String> permissions) {
    var parameters =
        Tuple.of(id, name)
            .addArrayOfString(permissions == null ? null : permissions.toArray(String[]::new));
    return many("change a role", UPDATE, parameters)
        .map(roles -> roles.isEmpty() ? null : roles.getFirst());
  }

  /** False: there is none of this id. */
  public Future<Boolean> delete(String id) {
    return database
        .run("delete a role", "delete from identity_roles where id = $1", Tuple.of(id))
        .map(rows -> rows.rowCount() == 1);
  }

  private Future<List<Role>> many(String what, String sql, Tuple parameters) {
    return database
        .run(what, sql, parameters)
        .map(rows -> {
          var roles = new ArrayList<Role>();
          for (var row : rows) {
            roles.add(
                new Role(row.getString(0), row.getString(1), List.of(row.getArrayOfStrings(2))));
          }
          return roles;
        });
  }
}
