package skein.burst;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import skein.activities.Activities;
import skein.codecs.JsonLimits;
import skein.codecs.JsonText;
import skein.expressions.ExpressionLimits;
import skein.expressions.Expressions;
import skein.graph.Graph;
import skein.graph.GraphCompiler;
import skein.model.Bookmark;
import skein.model.DefinitionRef;
import skein.model.Effect;
import skein.model.InstanceId;
import skein.model.Labels;
import skein.model.StartRequest;
import skein.model.Transition;
import skein.model.WorkflowDefinition;
import skein.model.WorkflowInstance;

/** Definitions from short JSON, and bursts over them at a fixed instant. */
public final class Workflows {
  public static final Instant NOW = Instant.parse("2026-03-01T10:00:00Z");
  public static final InstanceId ID = new InstanceId("i1");
  public static final Expressions EXPRESSIONS = new Expressions(ExpressionLimits.DEFAULT, () -> 0);
  public static final Burst BURST = new Burst(EXPRESSIONS, BurstLimits.DEFAULT);

  private Workflows() {}

  /** The members of a definition; quotes may be single. */
  public static WorkflowDefinition definition(String members) {
    var json = JsonText.parseObject("{" + members.replace('\'', '"') + "}", JsonLimits.DEFAULT);
    return definition(json);
  }

  private static WorkflowDefinition definition(Map<String, ?> members) {
    return new WorkflowDefinition(
        new DefinitionRef("d1", "d1-v1", 1), "D", null, true, true, NOW, map(members));
  }

  public static Graph graph(String members) {
    return GraphCompiler.compile(definition(members), Activities.builtIn());
  }

  /** The same of a tenant's definition. */
  public static Graph graphOf(String tenant, String members) {
    return GraphCompiler.compile(definition(members).of(tenant), Activities.builtIn());
  }

  public static Graph rooted(String root) {
    return graph("'root': " + root);
  }

  /** Sequences within one another, deeper than any text may be that is read. */
  public static Graph nested(int levels, String innermost) {
    var activity = map(JsonText.parseObject(innermost.replace('\'', '"'), JsonLimits.DEFAULT));
    for (int i = 0; i < levels; i++) {
      activity = Map.of("type", "Elsa.Sequence", "activities", List.of(activity));
    }
    return GraphCompiler.compile(definition(Map.of("root", activity)), Activities.builtIn());
  }

  /** A sequence of these activities, comma-separated. */
  public static Graph sequence(String activities) {
    return rooted("{'type':'Elsa.Sequence','id':'seq','activities':[" + activities + "]}");
  }

  /** A flowchart; connections are written {@code A>B} or {@code A.True>B}, separated by blanks. */
  public static String flowchart(String id, String connections, String activities) {
    var list = new ArrayList<String>();
    for (var connection : words(connections, " ")) {
      var ends = words(connection, ">");
      var source = words(ends.get(0), "\\.");
      var port = source.size() > 1 ? source.get(1) : "Done";
      list.add(
          "{'source':{'activity':'%s','port':'%s'},'target':{'activity':'%s','port':'In'}}"
              .formatted(source.get(0), port, ends.get(1)));
    }
    return "{'type':'Elsa.Flowchart','id':'%s','activities':[%s],'connections':[%s]}"
        .formatted(id, activities, String.join(",", list));
  }

  /** Lines that write their own ids, by the letters of {@code ids}. */
  public static String lines(String ids) {
    var list = new ArrayList<String>();
    for (var id : words(ids, "")) {
      list.add(line(id, id));
    }
    return String.join(",", list);
  }

  private static List<String> words(String text, String separator) {
    return text.isBlank() ? List.of() : List.of(text.split(separator, 0));
  }

  public static String line(String id, String text) {
    return activity("WriteLine", id, "'text':" + literal("String", "'" + text + "'"));
  }

  public static String event(String id, String name) {
    return activity("Event", id, "'eventName':" + literal("String", "'" + name + "'"));
  }

  public static String activity(String type, String id, String members) {
    return "{'type':'Elsa.%s','id':'%s'%s}"
        .formatted(type, id, members.isEmpty() ? "" : "," + members);
  }

  public static String literal(String type, String value) {
    return expression(type, "Literal", value);
  }

  public static String variable(String type, String id) {
    return expression(type, "Variable", "{'id':'" + id + "'}");
  }

  public static String expression(String type, String language, String value) {
    return "{'typeName':'%s','expression':{'type':'%s','value':%s}}"
        .formatted(type, language, value);
  }

  public static BurstInputs at(Instant now) {
    return new BurstInputs(now, 7, new UUID(1, 2));
  }

  public static StartRequest request(Map<String, @Nullable Object> input) {
    return new StartRequest(input, Labels.NONE, null, null, null);
  }

  public static Transition start(Graph graph) {
    return BURST.start(graph, ID, request(Map.of()), at(NOW));
  }

  public static Transition start(Graph graph, Map<String, @Nullable Object> input) {
    return BURST.start(graph, ID, request(input), at(NOW));
  }

  public static Transition trigger(Graph graph, String activityId, @Nullable Object stimulus) {
    return BURST.start(
        graph, ID, new StartRequest(Map.of(), Labels.NONE, activityId, stimulus, null), at(NOW));
  }

  /** Resumes the bookmark that this activity waits at. */
  public static Transition resume(
      Graph graph, WorkflowInstance instance, String activityId, Map<String, @Nullable Object> in) {
    return BURST.resume(
        graph,
        instance,
        waiting(instance, activityId).id(),
        in,
        false,
        at(NOW.plus(Duration.ofHours(1))));
  }

  public static Transition resume(Graph graph, WorkflowInstance instance, String activityId) {
    return resume(graph, instance, activityId, Map.of());
  }

  /** Where an external caller is waited for; else where the engine itself waits. */
  public static Bookmark waiting(WorkflowInstance instance, String activityId) {
    return instance.bookmarks().stream()
        .filter(bookmark -> bookmark.activityId().equals(activityId))
        .min(Comparator.comparing(Bookmark::ofEngine))
        .orElseThrow();
  }

  public static List<String> linesOf(Transition transition) {
    return transition.effects().stream()
        .filter(Effect.Line.class::isInstance)
        .map(effect -> ((Effect.Line) effect).text())
        .toList();
  }

  /** {@code activityId event}, in order. */
  public static List<String> journal(Transition transition) {
    return transition.journal().stream().map(e -> e.activityId() + " " + e.event()).toList();
  }

  public static Map<String, @Nullable Object> map(Map<?, ?> from) {
    var to = new LinkedHashMap<String, @Nullable Object>();
    from.forEach((key, value) -> to.put(key.toString(), value(value)));
    return to;
  }

  /** Numbers as the engine has them. */
  private static @Nullable Object value(@Nullable Object value) {
    return switch (value) {
      case Integer number -> number.longValue();
      case Map<?, ?> map -> map(map);
      case List<?> list -> {
        var copy = new ArrayList<@Nullable Object>();
        for (var item : list) {
          copy.add(value(item));
        }
        yield copy;
      }
      case null, default -> value;
    };
  }
}
