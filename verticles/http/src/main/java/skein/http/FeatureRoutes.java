package skein.http;

import io.vertx.core.Future;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.model.ErrorCode;
import skein.model.SkeinException;
import skein.openapi.Operation;
import skein.openapi.Shape;
import skein.openapi.Tag;

/**
 * Tells clients which of Elsa's modules they find here. Modules that are not listed do not exist.
 */
final class FeatureRoutes {
  /** The version of Elsa whose shapes are answered with. */
  private static final String ELSA_VERSION = "3.8.0";

  private static final List<Map<String, @Nullable Object>> FEATURES =
      List.of(
          feature("Elsa.Workflows", "Workflows", "Runs workflows."),
          feature("Elsa.WorkflowManagement", "Workflow management", "Stores definitions."),
          feature("Elsa.WorkflowRuntime", "Workflow runtime", "Runs workflows across a cluster."),
          feature("Elsa.WorkflowsApi", "Workflows API", "Answers this API."),
          feature("Elsa.Http", "HTTP", "Activities that take and answer HTTP requests."),
          feature("Elsa.Scheduling", "Scheduling", "Activities that wait for a time."),
          feature(
              "Elsa.RealTimeWorkflowUpdates",
              "Real-time workflow updates",
              "Tells clients by SignalR what has become of instances."),
          feature("Elsa.JavaScript", "JavaScript", "Expressions in JavaScript."));

  private static final Shape FEATURE =
      Shape.object()
          .has("name", Shape.TEXT)
          .has("namespace", Shape.TEXT)
          .has("fullName", Shape.TEXT)
          .has("displayName", Shape.TEXT)
          .has("description", Shape.TEXT)
          .as("Feature");

  void addTo(Routes routes) {
    routes
        .get(
            "/features/installed",
            Operation.of(Tag.DESIGNER, "listFeatures", "Lists which modules of Elsa are here")
                .answers(ListShapes.all(FEATURE)),
            _ -> Future.succeededFuture(Answer.ok(Lists.of(FEATURES))))
        .get(
            "/features/installed/:fullName",
            Operation.of(Tag.DESIGNER, "getFeature", "Reads a feature")
                .answers(FEATURE)
                .fails(ErrorCode.NOT_FOUND),
            FeatureRoutes::get)
        .get(
            "/package/version",
            Operation.of(Tag.DESIGNER, "getVersion", "Says which version of Elsa the shapes are of")
                .answers(Shape.object().has("packageVersion", Shape.TEXT)),
            _ -> Future.succeededFuture(Answer.ok(Map.of("packageVersion", ELSA_VERSION))));
  }

  private static Future<Answer> get(Call call) {
    var name = call.path("fullName");
    return FEATURES.stream()
        .filter(feature -> name.equals(feature.get("fullName")))
        .findFirst()
        .map(feature -> Future.succeededFuture(Answer.ok(feature)))
        .orElseGet(() ->
            Future.failedFuture(new SkeinException(ErrorCode.NOT_FOUND, "No feature " + name)));
  }

  private static Map<String, @Nullable Object> feature(
      String fullName, String displayName, String description) {
    int dot = fullName.lastIndexOf('.');
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("name", fullName.substring(dot + 1));
    json.put("namespace", fullName.substring(0, dot));
    json.put("fullName", fullName);
    json.put("displayName", displayName);
    json.put("description", description);
    return json;
  }
}
