package skein.http;

import io.vertx.core.Future;
import java.util.List;
import skein.codecs.DistinctText;
import skein.identity.BuiltInRole;
import skein.identity.Identity;
import skein.identity.Permissions;
import skein.identity.RolePermissions;
import skein.model.ErrorCode;
import skein.model.SkeinException;
import skein.openapi.Shape;

/**
 * Callers can grant and revoke only permissions that they hold themselves: by their credential, and
 * by now. With a token that outlives their own rights they could otherwise keep them, by an API key
 * or another user.
 *
 * <p>A role that is not built in is granted and revoked only by callers who may change roles, too:
 * it is also a group of user tasks, whose tasks no permission of the role tells of, and those who
 * have it get the permissions that are added to it later.
 */
final class PrivilegeRules {
  private static final int ITEMS_MAX = 200;

  /** Without it a caller grants no role but those that are built in. */
  private static final Permissions CHANGE_ROLES = Permissions.of(List.of("update:role"));

  /** Names of roles, or of permissions. */
  static final Shape NAMES = Shape.listOf(Shape.TEXT);

  private PrivilegeRules() {}

  /**
   * Whether the caller may grant all the roles. Fails with {@code INVALID_REQUEST} when one of them
   * does not exist, and with {@code FORBIDDEN} when one allows what the caller may not do, or is
   * not built in and the caller may not change roles.
   */
  static Future<Void> check(Call call, Identity identity, List<String> roles) {
    return identity
        .roles()
        .of(roles)
        .compose(found -> {
          if (!found.unknown().isEmpty()) {
            throw BadRequest.of("There is no role " + String.join(", ", found.unknown()));
          }
          return check(call, identity, required(roles, found));
        });
  }

  /**
   * Whether the caller may revoke all the roles, or act for those who have them. One that was
   * deleted counts as one without permissions, which may be created again.
   */
  static Future<Void> checkOld(Call call, Identity identity, List<String> roles) {
    return identity
        .roles()
        .of(roles)
        .compose(found -> check(call, identity, required(roles, found)));
  }

  private static Permissions required(List<String> roles, RolePermissions.Found found) {
    return roles.stream().allMatch(role -> BuiltInRole.named(role).isPresent())
        ? found.permissions()
        : found.permissions().plus(CHANGE_ROLES);
  }

  /** Fails with {@code FORBIDDEN} unless the caller has all of them. */
  static Future<Void> check(Call call, Identity identity, Permissions granted) {
    var caller = call.caller();
    require(caller.permissions(), granted);
    return identity
        .permissionsNow(caller)
        .map(now -> {
          require(now, granted);
          return null;
        });
  }

  private static void require(Permissions own, Permissions granted) {
    granted.names().stream()
        .filter(name -> !own.allows(name))
        .sorted()
        .findFirst()
        .ifPresent(name -> {
          throw Gate.forbidden(name);
        });
  }

  /** The name of a user, role or application: none that looks like another one. */
  static String name(Fields fields) {
    var name = fields.required("name").strip();
    var doubt = DistinctText.doubt(name);
    if (name.isEmpty() || doubt != null) {
      throw new SkeinException(
          ErrorCode.INVALID_ID, "The name " + (doubt == null ? "is empty" : doubt));
    }
    return name;
  }

  /**
   * The name of a user: none that an application or a certificate has for user tasks, or people of
   * an OpenID provider.
   */
  static String userName(Fields fields, Identity identity) {
    var name = name(fields);
    var prefix = identity.reservedNames().prefixOf(name);
    if (prefix != null) {
      throw new SkeinException(
          ErrorCode.INVALID_ID,
          "Names that begin with \"" + prefix + "\" are not for users: choose another name");
    }
    return name;
  }

  /** Names of permissions as they stand in a body. */
  static List<String> permissions(Fields fields) {
    var names = list(fields, "permissions");
    for (var name : names) {
      if (!Permissions.isName(name)) {
        throw BadRequest.of("permissions: \"" + name + "\" is not like read:workflow-definitions");
      }
    }
    return names;
  }

  static List<String> list(Fields fields, String member) {
    var names = fields.texts(member).stream().distinct().toList();
    if (names.size() > ITEMS_MAX) {
      throw BadRequest.of(member + " has more than " + ITEMS_MAX + " items");
    }
    return names;
  }
}
