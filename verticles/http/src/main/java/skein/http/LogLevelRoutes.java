package skein.http;

import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.bus.Refusals;
import skein.cluster.Cluster;
import skein.cluster.Inquiries;
import skein.cluster.Inquiries.Topic;
import skein.codecs.JsonLimits;
import skein.codecs.JsonText;
import skein.model.ErrorCode;
import skein.model.SkeinException;
import skein.openapi.Operation;
import skein.openapi.Shape;
import skein.openapi.Tag;

/** The log levels of the nodes, shown and changed while they run; any node answers for all. */
final class LogLevelRoutes {
  private static final int SECONDS_MAX = 86_400;

  private static final Shape OF_NODE =
      Shape.object().has("node", Shape.TEXT).has("nodeId", Shape.TEXT);

  private static final Shape LEVELS =
      ListShapes.page(
              OF_NODE.has(
                  "levels",
                  Shape.listOf(
                      Shape.object()
                          .has("logger", Shape.TEXT)
                          .has("level", Shape.TEXT)
                          .may("configured", Shape.TEXT)
                          .may("endsInMs", Shape.COUNT))))
          .has("unreachable", Shape.listOf(OF_NODE.has("detail", Shape.TEXT)));

  private final Inquiries inquiries;

  LogLevelRoutes(Inquiries inquiries) {
    this.inquiries = inquiries;
  }

  void addTo(Routes routes) {
    routes
        .get(
            "/log-levels",
            Operation.of(Tag.CLUSTER, "listLogLevels", "Lists the log levels of all nodes")
                .answers(LEVELS),
            _ -> ask(new JsonObject()))
        .post(
            "/log-levels",
            Operation.of(Tag.CLUSTER, "setLogLevel", "Changes a log level while nodes run")
                .needs(
                    Shape.object()
                        .has("logger", Shape.ID)
                        .has("level", Shape.ID)
                        .may("seconds", Shape.INTEGER.within(1, SECONDS_MAX))
                        .may("node", Shape.ID))
                .answers(LEVELS)
                .fails(ErrorCode.NODE_NOT_FOUND),
            call -> ask(change(call.fields())));
  }

  private static JsonObject change(Fields fields) {
    var seconds = fields.number("seconds", 1, SECONDS_MAX);
    var node = fields.text("node");
    var change =
        new JsonObject()
            .put("logger", fields.required("logger"))
            .put("level", fields.required("level"));
    if (seconds != null) {
      change.put("seconds", seconds);
    }
    return node == null ? change : change.put("node", node);
  }

  private Future<Answer> ask(JsonObject question) {
    return inquiries
        .all(Topic.LOG_LEVELS, question)
        .map(answers -> {
          requireNode(answers, question.getString("node"));
          var items = new ArrayList<Map<String, @Nullable Object>>();
          var unreachable = new ArrayList<Map<String, @Nullable Object>>();
          for (var answer : answers) {
            var refused = answer.refused();
            var json = new LinkedHashMap<String, @Nullable Object>();
            json.put("node", answer.node().name());
            json.put("nodeId", answer.node().id());
            if (refused == null) {
              json.put("levels", levels(answer.json()));
              items.add(json);
            } else if (refused.code() == ErrorCode.TIMEOUT) {
              json.put("detail", refused.detail());
              unreachable.add(json);
            } else {
              throw Refusals.toException(refused);
            }
          }
          var json = Lists.page(items, items.size());
          json.put("unreachable", unreachable);
          return Answer.ok(json);
        });
  }

  private static void requireNode(List<Inquiries.Answer> answers, @Nullable String wanted) {
    var nodes = answers.stream().map(Inquiries.Answer::node).toList();
    boolean found =
        wanted == null
            || nodes.stream().anyMatch(n -> n.id().equals(wanted) || n.name().equals(wanted));
    if (!found) {
      var names = String.join(", ", nodes.stream().map(Cluster.Node::name).sorted().toList());
      throw new SkeinException(
          ErrorCode.NODE_NOT_FOUND, "No node " + wanted + "; there are " + names);
    }
  }

  private static List<?> levels(JsonObject answer) {
    var parsed = JsonText.parseObject(answer.toBuffer().getBytes(), JsonLimits.STORED);
    return parsed.get("levels") instanceof List<?> levels ? levels : List.of();
  }
}
