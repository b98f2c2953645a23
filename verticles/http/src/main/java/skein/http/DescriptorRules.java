package skein.http;

import static skein.http.AuditRule.NoLine.READS;
import static skein.http.RouteRule.get;
import static skein.http.RouteRule.post;
import static skein.http.TenantRule.OPEN;
import static skein.http.TenantRule.SCOPED;
import static skein.identity.Requirement.SIGNED_IN;
import static skein.identity.Requirement.oneOf;

import java.util.List;
import skein.identity.Requirement;

/**
 * The part of {@link RouteTable} that is about what the server can do: descriptors for designers,
 * features, the reference. The activities include workflows of the caller's tenant.
 */
final class DescriptorRules {
  private static final Requirement READ_ACTIVITIES = oneOf("read:activity-descriptors");
  private static final Requirement READ_OPTIONS = oneOf("read:activity-descriptors-options");
  private static final Requirement READ_VARIABLES = oneOf("read:variable-descriptors");
  private static final Requirement READ_DRIVERS = oneOf("read:storage-drivers");
  private static final Requirement READ_EXPRESSIONS = oneOf("read:expression-descriptors");
  private static final Requirement READ_INCIDENTS = oneOf("read:incident-strategies");
  private static final Requirement READ_LOGGING = oneOf("read:log-persistence-strategies");
  private static final Requirement READ_ACTIVATION = oneOf("read:workflow-activation-strategies");
  private static final Requirement READ_COMMITS = oneOf("read:commit-strategies");
  private static final Requirement READ_CONVERTERS = oneOf("read:output-converters");
  private static final Requirement READ_CONTEXTS = oneOf("read:workflow-context-providers");
  private static final Requirement READ_RESILIENCE =
      oneOf("read:resilience:strategies", "read:resilience");
  private static final Requirement READ_FEATURES = oneOf("read:installed-features");

  private DescriptorRules() {}

  static List<RouteRule> all() {
    return List.of(
        get("/descriptors/activities", READ_ACTIVITIES, SCOPED),
        get("/descriptors/activities/:typeName", READ_ACTIVITIES, SCOPED),
        post(
            "/descriptors/activities/:typeName/options/:propertyName", READ_OPTIONS, SCOPED, READS),
        get("/descriptors/variables", READ_VARIABLES, OPEN),
        get("/descriptors/storage-drivers", READ_DRIVERS, OPEN),
        get("/descriptors/expression-descriptors", READ_EXPRESSIONS, OPEN),
        get("/descriptors/incident-strategies", READ_INCIDENTS, OPEN),
        get("/descriptors/log-persistence-strategies", READ_LOGGING, OPEN),
        get("/descriptors/workflow-activation-strategies", READ_ACTIVATION, OPEN),
        get("/descriptors/commit-strategies/workflows", READ_COMMITS, OPEN),
        get("/descriptors/commit-strategies/activities", READ_COMMITS, OPEN),
        get("/descriptors/output-converters", READ_CONVERTERS, OPEN),
        get("/workflow-contexts/provider-descriptors", READ_CONTEXTS, OPEN),
        get("/resilience/strategies", READ_RESILIENCE, OPEN),
        get("/features/installed", READ_FEATURES, OPEN),
        get("/features/installed/:fullName", READ_FEATURES, OPEN),
        get("/errors", SIGNED_IN, OPEN),
        get("/openapi.json", SIGNED_IN, OPEN),
        get("/package/version", SIGNED_IN, OPEN),
        get("/reference", SIGNED_IN, OPEN),
        get("/schemas/workflow-definition.json", SIGNED_IN, OPEN));
  }
}
