package skein.http;

import io.vertx.core.Future;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import skein.identity.BuiltInRole;
import skein.identity.Identity;
import skein.identity.Ids;
import skein.identity.Permissions;
import skein.model.ErrorCode;
import skein.model.SkeinException;
import skein.openapi.Operation;
import skein.openapi.Shape;
import skein.openapi.Tag;
import skein.storage.RoleStore;
import skein.storage.RoleStore.Role;

/** Roles, in the shapes of Elsa's identity module; those that are built in cannot be changed. */
final class RoleRoutes {
  private static final Shape ROLE =
      Shape.object()
          .has("id", Shape.ID)
          .has("name", Shape.ID)
          .has("permissions", PrivilegeRules.NAMES)
          .has("tenantId", Shape.TEXT.orNull())
          .as("Role");

  private final Identity identity;
  private final RoleStore roles;

  RoleRoutes(Identity identity) {
    this.identity = identity;
    this.roles = identity.roleStore();
  }

  void addTo(Routes routes) {
    routes
        .get(
            "/identity/roles",
            of("listRoles", "Lists roles, those that are built in first")
                .answers(Shape.object().has("roles", Shape.listOf(ROLE))),
            this::list)
        .post(
            "/identity/roles",
            of("createRole", "Creates a role")
                .needs(
                    Shape.object()
                        .may("id", Shape.ID)
                        .has("name", Shape.ID)
                        .may("permissions", PrivilegeRules.NAMES))
                .answers(ROLE)
                .fails(ErrorCode.NAME_TAKEN),
            this::create)
        .put(
            "/identity/roles/:id",
            of("updateRole", "Changes the name or the permissions of a role")
                .needs(
                    Shape.object().may("name", Shape.ID).may("permissions", PrivilegeRules.NAMES))
                .answers(ROLE)
                .fails(ErrorCode.NAME_TAKEN),
            this::update)
        .delete(
            "/identity/roles/:id",
            of("deleteRole", "Deletes a role").answersNothing(204, "It is deleted"),
            this::delete);
  }

  private static Operation of(String id, String summary) {
    return Operation.of(Tag.IDENTITY, id, summary);
  }

  private Future<Answer> list(Call call) {
    return roles
        .all()
        .map(own -> {
          var builtIn =
              Arrays.stream(BuiltInRole.values())
                  .map(role -> new Role(role.wireName(), role.wireName(), sorted(role)));
          var all = Stream.concat(builtIn, own.stream()).map(RoleRoutes::json).toList();
          return Answer.ok(Map.of("roles", all));
        });
  }

  private static List<String> sorted(BuiltInRole role) {
    return role.permissions().names().stream().sorted().toList();
  }

  /** {@code {id, name, permissions}}; without an id one is made. */
  private Future<Answer> create(Call call) {
    var fields = call.fields();
    var id = Optional.ofNullable(fields.text("id")).orElseGet(Ids::random);
    var role = new Role(id, PrivilegeRules.name(fields), PrivilegeRules.permissions(fields));
    call.about(role.name());
    return PrivilegeRules.check(call, identity, Permissions.of(role.permissions()))
        .compose(_ -> {
          if (isBuiltIn(role.id()) || isBuiltIn(role.name())) {
            throw taken(role.name());
          }
          return roles.insert(role);
        })
        .map(made -> {
          if (!made) {
            throw taken(role.name());
          }
          return Answer.ok(json(role));
        });
  }

  /** {@code {name, permissions}}: what is given is changed. */
  private Future<Answer> update(Call call) {
    var fields = call.fields();
    var name = fields.text("name");
    var permissions = fields.has("permissions") ? PrivilegeRules.permissions(fields) : null;
    var granted = permissions == null ? Permissions.NONE : Permissions.of(permissions);
    return PrivilegeRules.check(call, identity, granted)
        .compose(_ -> {
          if (name != null && isBuiltIn(name)) {
            throw taken(name);
          }
          return found(call);
        })
        .compose(role -> roles.update(role.id(), name, permissions))
        .map(changed -> {
          if (changed == null) {
            throw taken(String.valueOf(name));
          }
          return Answer.ok(json(changed));
        });
  }

  private Future<Answer> delete(Call call) {
    return found(call).compose(role -> roles.delete(role.id())).map(_ -> Answer.empty(204));
  }

  /** One of which the caller may do all. */
  private Future<Role> found(Call call) {
    var id = call.path("id");
    if (isBuiltIn(id)) {
      throw new SkeinException(
          ErrorCode.FORBIDDEN, "The role " + id + " is built in: make one of another name");
    }
    return roles
        .all()
        .compose(all -> {
          var role =
              all.stream()
                  .filter(one -> one.id().equals(id))
                  .findFirst()
                  .orElseThrow(() -> new SkeinException(ErrorCode.NOT_FOUND, "No role " + id));
          return PrivilegeRules.check(call, identity, Permissions.of(role.permissions())).map(role);
        });
  }

  private static boolean isBuiltIn(String name) {
    return BuiltInRole.named(name).isPresent();
  }

  private static SkeinException taken(String name) {
    return new SkeinException(
        ErrorCode.NAME_TAKEN, "There is a role " + name + ", or one of this id: choose another");
  }

  private static Map<String, @Nullable Object> json(Role role) {
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("id", role.id());
    json.put("name", role.name());
    json.put("permissions", role.permissions());
    json.put("tenantId", null);
    return json;
  }
}
