package skein.http;

import io.vertx.core.Future;
import java.util.LinkedHashMap;
import org.jspecify.annotations.Nullable;
import skein.identity.Caller;
import skein.identity.Permissions;
import skein.openapi.Operation;
import skein.openapi.Shape;
import skein.openapi.Tag;

/** Tells callers who they are and what they may do: a page offers nothing else. */
final class CallerRoute {
  private static final Shape CALLER =
      Shape.object()
          .has("name", Shape.TEXT.orNull())
          .has("roles", PrivilegeRules.NAMES)
          .has("permissions", PrivilegeRules.NAMES)
          .has("tenantId", Shape.TEXT.orNull().described("Null: the default tenant, or no other"))
          .as("Caller");

  private final Permissions anonymous;

  /** {@code open}: callers are not authenticated, and may do everything. */
  CallerRoute(boolean open) {
    this.anonymous = open ? Permissions.ALL : Permissions.NONE;
  }

  void addTo(Routes routes) {
    routes.get(
        "/identity/me",
        Operation.of(Tag.IDENTITY, "getCaller", "Says who the caller is and what they may do")
            .answers(CALLER),
        this::show);
  }

  private Future<Answer> show(Call call) {
    var caller = call.caller();
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put(
        "name",
        switch (caller) {
          case Caller.User user -> user.name();
          case Caller.Application application -> application.name();
          case Caller.Certificate certificate -> certificate.name();
          case Caller.Anonymous _ -> null;
        });
    json.put("roles", caller.roles());
    var permissions = caller instanceof Caller.Anonymous ? anonymous : caller.permissions();
    json.put("permissions", permissions.names().stream().sorted().toList());
    var tenant = call.scope().owner();
    json.put("tenantId", tenant.isEmpty() ? null : tenant);
    return Future.succeededFuture(Answer.ok(json));
  }
}
