package skein.http;

import io.vertx.core.Future;
import java.util.Map;
import skein.definitions.Definitions;

/** Who uses a definition as an activity, and has them use its newest version. */
final class ReferenceRoutes {
  private final Definitions definitions;

  ReferenceRoutes(Definitions definitions) {
    this.definitions = definitions;
  }

  void addTo(Routes routes) {
    routes
        .get("/workflow-definitions/:definitionId/consumers", this::consumers)
        .post("/workflow-definitions/:definitionId/update-references", this::update);
  }

  private Future<Answer> consumers(Call call) {
    return definitions
        .consumers(call.path("definitionId"))
        .map(ids -> Answer.ok(Map.of("consumingWorkflowDefinitionIds", ids)));
  }

  private Future<Answer> update(Call call) {
    return definitions
        .updateReferences(call.path("definitionId"))
        .map(changed -> Answer.ok(Map.of("affectedWorkflows", changed)));
  }
}
