package skein.http;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import skein.activities.ActivityDescriptor;
import skein.codecs.JsonText;
import skein.openapi.DescribedRoute;
import skein.openapi.OpenApi;
import skein.openapi.Operation;
import skein.openapi.ReferencePage;
import skein.openapi.Shape;
import skein.openapi.Tag;
import skein.reference.DefinitionSchema;

/**
 * The API as OpenAPI and as a page, and the JSON Schema of definitions. Each is made when it is
 * first asked for, away from the event loop, and kept.
 */
final class ApiReferenceRoutes {
  private static final String SCHEMA_TYPE = "application/schema+json";

  private final List<ActivityDescriptor> activities;
  private final Map<String, Future<Answer>> made = new ConcurrentHashMap<>();

  /** {@code activities}: those that definitions on this node may use. */
  ApiReferenceRoutes(List<ActivityDescriptor> activities) {
    this.activities = List.copyOf(activities);
  }

  /** It describes all routes that there are when it is first asked for. */
  void addTo(Routes routes) {
    routes
        .always(
            "/openapi.json",
            Operation.of(Tag.REFERENCE, "getOpenApi", "Describes this API as OpenAPI 3.1")
                .answers(Shape.MEMBERS),
            call -> once("document", call, () -> Answer.ok(document(routes.described()))))
        .always(
            "/reference",
            Operation.of(Tag.REFERENCE, "showReference", "Shows this API as a page")
                .answersWith("text/html", "The page"),
            call -> once("page", call, () -> page(routes.described())))
        .always(
            "/schemas/workflow-definition.json",
            Operation.of(
                    Tag.REFERENCE,
                    "getDefinitionSchema",
                    "Describes definitions as JSON Schema 2020-12, with the activities of this node")
                .answersWith(SCHEMA_TYPE, "The schema"),
            call -> once("schema", call, this::schema));
  }

  private Future<Answer> once(String what, Call call, Callable<Answer> making) {
    var answer = made.computeIfAbsent(what, _ -> call.onWorker(making));
    return answer.onFailure(_ -> made.remove(what, answer));
  }

  private static Map<String, @Nullable Object> document(List<DescribedRoute> routes) {
    return OpenApi.of(routes, Problems::status);
  }

  private static Answer page(List<DescribedRoute> routes) {
    return Answer.html(200, ReferencePage.of(document(routes)))
        .with("Content-Security-Policy", ReferencePage.POLICY)
        .with("Referrer-Policy", "no-referrer");
  }

  private Answer schema() {
    return new Answer(
        200,
        Map.of(),
        SCHEMA_TYPE,
        Buffer.buffer(JsonText.printBytes(DefinitionSchema.of(activities))));
  }
}
