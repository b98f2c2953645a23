package skein.http;

import io.vertx.core.Future;
import java.util.Map;
import skein.definitions.Definitions;
import skein.model.ErrorCode;
import skein.openapi.Operation;
import skein.openapi.Shape;
import skein.openapi.Tag;

/** The consumers of a definition, and their update to its newest version. */
final class ReferenceRoutes {
  private final Definitions definitions;

  ReferenceRoutes(Definitions definitions) {
    this.definitions = definitions;
  }

  void addTo(Routes routes) {
    routes
        .get(
            "/workflow-definitions/:definitionId/consumers",
            Operation.of(
                    Tag.DEFINITIONS,
                    "listConsumers",
                    "Lists the definitions that use this one as an activity")
                .answers(Shape.object().has("consumingWorkflowDefinitionIds", ListShapes.IDS))
                .fails(ErrorCode.DEFINITION_NOT_FOUND),
            this::consumers)
        .post(
            "/workflow-definitions/:definitionId/update-references",
            Operation.of(
                    Tag.DEFINITIONS,
                    "updateReferences",
                    "Has the definitions that use this one use its newest version")
                .answers(Shape.object().has("affectedWorkflows", ListShapes.IDS))
                .fails(
                    ErrorCode.DEFINITION_NOT_FOUND,
                    ErrorCode.DEFINITION_INVALID,
                    ErrorCode.DEFINITION_CONFLICT,
                    ErrorCode.DEFINITION_READ_ONLY),
            this::update);
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
