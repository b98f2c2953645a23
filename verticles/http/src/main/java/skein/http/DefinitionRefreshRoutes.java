package skein.http;

import io.vertx.core.Future;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.definitions.DefinitionSource;
import skein.definitions.Definitions;
import skein.openapi.Operation;
import skein.openapi.Shape;
import skein.openapi.Tag;

/** Has what follows from definitions made again, and their source read again. */
final class DefinitionRefreshRoutes {
  private final Definitions definitions;
  private final DefinitionSource source;

  DefinitionRefreshRoutes(Definitions definitions, DefinitionSource source) {
    this.definitions = definitions;
    this.source = source;
  }

  void addTo(Routes routes) {
    routes
        .post(
            "/actions/workflow-definitions/refresh",
            Operation.of(
                    Tag.DEFINITIONS,
                    "refreshDefinitions",
                    "Makes again what follows from definitions")
                .reads(Shape.object().may("definitionIds", ListShapes.IDS))
                .answers(
                    Shape.object()
                        .has("refreshed", ListShapes.IDS)
                        .has("notFound", ListShapes.IDS)
                        .has(
                            "failed",
                            Shape.listOf(
                                Shape.object()
                                    .has("definitionId", Shape.TEXT)
                                    .has("errors", Shape.listOf(Shape.TEXT))))),
            this::refresh)
        .post(
            "/actions/workflow-definitions/reload",
            Operation.of(
                    Tag.DEFINITIONS, "reloadDefinitions", "Reads the folder of definitions again")
                .answers(
                    Shape.object()
                        .has("published", ListShapes.IDS)
                        .has(
                            "refused",
                            Shape.listOf(
                                Shape.object()
                                    .has("file", Shape.TEXT)
                                    .has("errors", Shape.listOf(Shape.TEXT))))),
            this::reload);
  }

  /** {@code {definitionIds: […]}}; without ids all that are published. */
  private Future<Answer> refresh(Call call) {
    return definitions
        .refresh(call.fields().texts("definitionIds").stream().distinct().toList())
        .map(done -> {
          var json = new LinkedHashMap<String, @Nullable Object>();
          json.put("refreshed", done.refreshed());
          json.put("notFound", done.notFound());
          json.put("failed", sentences("definitionId", done.failed()));
          return Answer.ok(json);
        });
  }

  private Future<Answer> reload(Call call) {
    return source
        .reload()
        .map(done -> {
          var json = new LinkedHashMap<String, @Nullable Object>();
          json.put("published", done.published());
          json.put("refused", sentences("file", done.refused()));
          return Answer.ok(json);
        });
  }

  private static List<Map<String, Object>> sentences(
      String name, Map<String, List<String>> errors) {
    return errors.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .map(e -> Map.<String, Object>of(name, e.getKey(), "errors", e.getValue()))
        .toList();
  }
}
