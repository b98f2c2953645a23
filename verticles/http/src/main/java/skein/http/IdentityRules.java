package skein.http;

import static skein.http.AuditRule.NoLine.BY_HANDLER;
import static skein.http.AuditRule.NoLine.READS;
import static skein.http.RouteRule.delete;
import static skein.http.RouteRule.get;
import static skein.http.RouteRule.post;
import static skein.http.RouteRule.put;
import static skein.http.TenantRule.OF_CLUSTER;
import static skein.http.TenantRule.OPEN;
import static skein.http.TenantRule.SCOPED;
import static skein.http.TenantRule.path;
import static skein.identity.Requirement.NOTHING;
import static skein.identity.Requirement.SIGNED_IN;
import static skein.identity.Requirement.oneOf;

import java.util.List;
import skein.http.TenantRule.Thing;
import skein.identity.Requirement;

/**
 * The part of {@link RouteTable} that is about signing in, users, roles and applications. Roles are
 * those of the cluster; users and applications are their tenant's.
 */
final class IdentityRules {
  private static final Requirement HASH = oneOf("create:user", "create:application");

  private static final TenantRule USER = path("id", Thing.USER);
  private static final TenantRule APPLICATION = path("id", Thing.APPLICATION);

  private IdentityRules() {}

  static List<RouteRule> all() {
    return List.of(
        post("/identity/login", NOTHING, OPEN, BY_HANDLER),
        post("/identity/logout", NOTHING, OPEN, BY_HANDLER),
        post("/identity/refresh-token", NOTHING, OPEN, BY_HANDLER),
        get("/identity/oidc/providers", NOTHING, OPEN),
        get("/identity/oidc/login", NOTHING, OPEN),
        get("/identity/oidc/callback", NOTHING, OPEN),
        get("/identity/oidc/callback/:provider", NOTHING, OPEN),
        post("/identity/oidc/session", NOTHING, OPEN, BY_HANDLER),
        get("/identity/me", SIGNED_IN, OPEN),
        get("/identity/users", oneOf("read:user"), SCOPED),
        post("/identity/users", oneOf("create:user"), SCOPED, "user.create"),
        put("/identity/users/:id", oneOf("update:user"), USER, "user.update"),
        delete("/identity/users/:id", oneOf("delete:user"), USER, "user.delete"),
        get("/identity/roles", oneOf("read:role"), OF_CLUSTER),
        post("/identity/roles", oneOf("create:role"), OF_CLUSTER, "role.create"),
        put("/identity/roles/:id", oneOf("update:role"), OF_CLUSTER, "role.update"),
        delete("/identity/roles/:id", oneOf("delete:role"), OF_CLUSTER, "role.delete"),
        get("/identity/applications", oneOf("read:application"), SCOPED),
        post("/identity/applications", oneOf("create:application"), SCOPED, "application.create"),
        delete(
            "/identity/applications/:id",
            oneOf("delete:application"),
            APPLICATION,
            "application.delete"),
        post("/identity/secrets/hash", HASH, OPEN, READS));
  }
}
