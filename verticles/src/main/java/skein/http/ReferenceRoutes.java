package skein.http;

import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import skein.codecs.JsonText;
import skein.http.References.Closure;
import skein.http.References.Used;
import skein.storage.DefinitionSearch;
import skein.storage.DefinitionStore;
import skein.storage.DefinitionStore.Which;

/**
 * Shows which definitions use a definition as an activity, and makes them use its newest version.
 */
final class ReferenceRoutes {
  /** Levels of use within use that are followed. */
  private static final int LEVELS_MAX = 100;

  private final DefinitionStore store;
  private final DefinitionSearch search;
  private final @Nullable ReferenceUpdates updates;

  /** {@code updates}: null where references are not updated. */
  ReferenceRoutes(
      DefinitionStore store, DefinitionSearch search, @Nullable ReferenceUpdates updates) {
    this.store = store;
    this.search = search;
    this.updates = updates;
  }

  void addTo(Routes routes) {
    routes.get("/workflow-definitions/:definitionId/consumers", this::consumers);
    if (updates != null) {
      routes.post(
          "/workflow-definitions/:definitionId/update-references",
          call ->
              updates
                  .update(call.path("definitionId"))
                  .map(changed -> Answer.ok(Map.of("affectedWorkflows", changed))));
    }
  }

  private Future<Answer> consumers(Call call) {
    var definitionId = call.path("definitionId");
    return store
        .find(definitionId, Which.LATEST)
        .compose(found -> VersionOptions.orNotFound(found, definitionId))
        .compose(found ->
            follow(List.of(Used.of(definitionId, found.name())), new Closure(definitionId), 0))
        .map(all -> Answer.ok(Map.of("consumingWorkflowDefinitionIds", all)));
  }

  /** Level by level: who uses one of these, then who uses those. */
  private Future<List<String>> follow(List<Used> level, Closure closure, int depth) {
    if (level.isEmpty() || depth >= LEVELS_MAX) {
      return Future.succeededFuture(closure.found());
    }
    var words = level.stream().flatMap(used -> used.words().stream()).map(JsonText::print).toList();
    return search
        .mentioning(words)
        .compose(candidates -> {
          var next = new ArrayList<Used>();
          candidates.forEach((id, documents) -> {
            boolean consumes =
                documents.stream()
                    .anyMatch(json -> level.stream().anyMatch(used -> References.uses(json, used)));
            if (consumes && closure.add(id)) {
              next.add(Used.of(id, name(documents)));
            }
          });
          return follow(next, closure, depth + 1);
        });
  }

  private static @Nullable String name(List<Map<?, ?>> documents) {
    return documents.stream()
        .map(json -> json.get("name"))
        .filter(Objects::nonNull)
        .map(String::valueOf)
        .findFirst()
        .orElse(null);
  }
}
