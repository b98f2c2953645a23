package skein.http;

import io.vertx.core.Future;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.definitions.DefinitionDocuments;
import skein.model.ErrorCode;
import skein.model.SkeinException;
import skein.openapi.Operation;
import skein.openapi.Parameter;
import skein.openapi.Shape;
import skein.openapi.Tag;
import skein.storage.DefinitionStore;

/** Shows parts of a definition's graph, as a designer opens them. */
final class SubgraphRoutes {
  private static final Shape NODE =
      Shape.object()
          .has("nodeId", Shape.TEXT)
          .has("port", Shape.TEXT)
          .has("activity", Shape.MEMBERS)
          .as("GraphNode");

  private static final Shape SEGMENTS =
      Shape.object()
          .has("childNode", NODE)
          .has("container", NODE)
          .has(
              "pathSegments",
              Shape.listOf(
                  Shape.object()
                      .has("activityNodeId", Shape.TEXT)
                      .has("activityId", Shape.ANY)
                      .has("activityType", Shape.TEXT)
                      .has("portName", Shape.TEXT)
                      .has("activityName", Shape.TEXT)));

  private final DefinitionStore store;

  private final DefinitionDocuments documents;

  SubgraphRoutes(DefinitionStore store, DefinitionDocuments documents) {
    this.store = store;
    this.documents = documents;
  }

  /** Before the routes of definition ids: {@code subgraph} is none. */
  void addTo(Routes routes) {
    routes
        .get(
            "/workflow-definitions/subgraph/segments/:id",
            Operation.of(
                    Tag.DESIGNER,
                    "getSubgraphSegments",
                    "Reads the way from the workflow to an activity")
                .takes(
                    Parameter.query("childNodeId", Shape.TEXT, "The path of the activity"),
                    Parameter.query("parentNodeId", Shape.TEXT, "In place of childNodeId"))
                .answers(SEGMENTS)
                .fails(ErrorCode.DEFINITION_NOT_FOUND, ErrorCode.NOT_FOUND),
            this::segments)
        .get(
            "/workflow-definitions/subgraph/:id",
            Operation.of(Tag.DESIGNER, "getSubgraph", "Reads an activity with all it holds")
                .takes(
                    Parameter.query(
                        "parentNodeId",
                        Shape.TEXT,
                        "The path of the activity; the workflow when missing"))
                .answers(NODE)
                .fails(ErrorCode.DEFINITION_NOT_FOUND),
            this::subgraph);
  }

  private Future<Subgraph> find(Call call) {
    var id = call.path("id");
    return store
        .findVersion(id)
        .compose(found -> VersionOptions.orNotFound(found, "version " + id))
        .compose(found ->
            documents
                .document(found)
                .map((Map<String, @Nullable Object> document) -> new Subgraph(found, document)));
  }

  private Future<Answer> subgraph(Call call) {
    var parent = nodeId(call, "parentNodeId");
    return find(call).map(graph -> Answer.ok(graph.from(parent)));
  }

  private Future<Answer> segments(Call call) {
    var given = nodeId(call, "childNodeId");
    var child = given == null ? nodeId(call, "parentNodeId") : given;
    if (child == null) {
      throw BadRequest.of("childNodeId is missing: the path of an activity");
    }
    return find(call)
        .map(graph -> {
          var segments = graph.segments(child);
          if (segments == null) {
            throw new SkeinException(
                ErrorCode.NOT_FOUND, "The definition has no activity " + child);
          }
          return Answer.ok(segments);
        });
  }

  /** A path may be longer than other texts. */
  private static @Nullable String nodeId(Call call, String name) {
    return call.queryFields().value(name) instanceof String given && !given.isEmpty()
        ? given
        : null;
  }
}
