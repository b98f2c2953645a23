package skein.identity;

import io.vertx.core.Future;
import java.util.Collection;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import skein.storage.RoleStore;

/** The permissions of roles: those that are built in, and those of the database. Thread-safe. */
public final class RolePermissions {
  private final RoleStore roles;

  public RolePermissions(RoleStore roles) {
    this.roles = roles;
  }

  /**
   * @param permissions of all the roles together
   * @param unknown names that are not roles, in lower case
   */
  public record Found(Permissions permissions, Set<String> unknown) {}

  /** All that the roles of these names allow together. */
  public Future<Found> of(Collection<String> names) {
    var permissions = Permissions.NONE;
    var others = new HashSet<String>();
    for (var name : names) {
      var builtIn = BuiltInRole.named(name);
      if (builtIn.isPresent()) {
        permissions = permissions.plus(builtIn.get().permissions());
      } else {
        others.add(name.toLowerCase(Locale.ROOT));
      }
    }
    var known = permissions;
    return roles
        .named(others)
        .map(found -> {
          var all = known;
          for (var role : found) {
            all = all.plus(Permissions.of(role.permissions()));
            others.remove(role.name().toLowerCase(Locale.ROOT));
          }
          return new Found(all, Set.copyOf(others));
        });
  }
}
