package skein.http;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.Map;
import skein.openapi.Operation;
import skein.openapi.Shape;
import skein.openapi.Tag;
import skein.storage.DefinitionStore;
import skein.storage.DefinitionStore.Which;

/** Tells editors of JavaScript what an expression in a definition can use. */
final class TypeDefinitionRoutes {
  private final DefinitionStore store;

  TypeDefinitionRoutes(DefinitionStore store) {
    this.store = store;
  }

  void addTo(Routes routes) {
    routes.post(
        "/scripting/javascript/type-definitions/:definitionId",
        Operation.of(
                Tag.DESIGNER, "getJavaScriptTypes", "Says what JavaScript in a definition can use")
            .reads(Shape.MEMBERS)
            .answersWith("application/x-typescript", "TypeScript declarations"),
        this::types);
  }

  /** A definition that is not saved yet has the functions that all have. */
  private Future<Answer> types(Call call) {
    var definitionId = call.path("definitionId");
    return store
        .find(definitionId, Which.LATEST)
        .map(found ->
            found == null || !call.scope().sees(found.ref().tenant())
                ? Map.<String, Object>of()
                : found.json())
        .map(TypeDefinitions::of)
        .map(text ->
            new Answer(200, Map.of(), "application/x-typescript", Buffer.buffer(text))
                .with(
                    "Content-Disposition", Downloads.attachment("elsa." + definitionId + ".d.ts")));
  }
}
