package skein.activities;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The counters and the tokens of a flowchart, as Elsa's keeps them and as ours does. */
final class ElsaFlow {
  private static final String SCOPE = "FlowScope";
  private static final String TOKENS = "Flowchart.Tokens";
  private static final String SCOPE_TYPE =
      "Elsa.Workflows.Activities.Flowchart.Models.FlowScope, Elsa.Workflows.Core";
  private static final String TOKENS_TYPE =
      "System.Collections.Generic.List`1[[Elsa.Workflows.Activities.Flowchart.Models.Token,"
          + " Elsa.Workflows.Core]], System.Private.CoreLib";

  private ElsaFlow() {}

  static void write(
      ActivityNode node,
      Map<String, @Nullable Object> own,
      Map<String, @Nullable Object> properties) {
    var connections = connections(node);
    if (FlowchartMode.TOKEN.name().equals(own.get(Flowchart.MODE))) {
      var tokens = new ArrayList<@Nullable Object>();
      addTokens(connections, own.remove(FlowTokens.TOKENS), false, tokens);
      addTokens(connections, own.remove(FlowTokens.BLOCKS), true, tokens);
      properties.put(TOKENS, Json.members("_items", tokens, "_type", TOKENS_TYPE));
      return;
    }
    var activities = Json.object(own.remove(FlowVisits.ACTIVITIES));
    var visits = Json.object(own.remove(FlowVisits.CONNECTIONS));
    if (activities == null || visits == null) {
      return;
    }
    var counts = new LinkedHashMap<String, @Nullable Object>();
    var followed = new LinkedHashMap<String, @Nullable Object>();
    visits.forEach((index, count) -> {
      var connection = at(connections, index);
      if (connection != null && count instanceof Number number) {
        var name = name(node, connection);
        counts.put(name, Math.abs(number.longValue()));
        followed.put(name, number.longValue() > 0);
      }
    });
    properties.put(
        SCOPE,
        Json.members(
            "activitiesVisitCount",
            activities,
            "connectionVisitCount",
            counts,
            "connectionLastVisitFollowed",
            followed,
            "_type",
            SCOPE_TYPE));
  }

  private static void addTokens(
      List<Connection> connections,
      @Nullable Object held,
      boolean blocked,
      List<@Nullable Object> into) {
    var indexes = Json.object(held);
    if (indexes == null) {
      return;
    }
    for (var index : indexes.keySet()) {
      var connection = at(connections, index);
      if (connection != null) {
        into.add(
            Json.members(
                "fromActivityId",
                connection.source().id(),
                "outcome",
                connection.port(),
                "toActivityId",
                connection.target().id(),
                "consumed",
                false,
                "blocked",
                blocked));
      }
    }
  }

  /** {@code memory}: holds what was our own, and takes the rest. */
  static void read(
      ActivityNode node,
      Map<String, @Nullable Object> properties,
      Map<String, @Nullable Object> memory) {
    var tokens = properties.get(TOKENS);
    if (node.plan() instanceof FlowConnections plan) {
      var start = plan.start(null);
      memory.putIfAbsent(Flowchart.START, start == null ? null : start.id());
    }
    memory.putIfAbsent(Flowchart.MODE, mode(node, properties).name());
    if (FlowchartMode.TOKEN.name().equals(memory.get(Flowchart.MODE))) {
      readTokens(connections(node), Json.list(tokens), memory);
    } else {
      readVisits(node, Json.object(properties.get(SCOPE)), memory);
    }
  }

  /** Before the first activity has completed, there is neither; then it is the definition's. */
  private static FlowchartMode mode(ActivityNode node, Map<String, @Nullable Object> properties) {
    if (properties.containsKey(TOKENS)) {
      return FlowchartMode.TOKEN;
    }
    return !properties.containsKey(SCOPE) && node.activity() instanceof Flowchart flowchart
        ? flowchart.mode()
        : FlowchartMode.COUNTER;
  }

  private static void readTokens(
      List<Connection> connections,
      List<? extends @Nullable Object> tokens,
      Map<String, @Nullable Object> memory) {
    var held = new LinkedHashMap<String, @Nullable Object>();
    var blocks = new LinkedHashMap<String, @Nullable Object>();
    for (var item : tokens) {
      var token = Json.object(item);
      if (token == null || Boolean.TRUE.equals(token.get("consumed"))) {
        continue;
      }
      for (var connection : connections) {
        if (connection.source().id().equals(token.get("fromActivityId"))
            && connection.target().id().equals(token.get("toActivityId"))
            && connection.port().equals(outcome(token.get("outcome")))) {
          var into = Boolean.TRUE.equals(token.get("blocked")) ? blocks : held;
          into.put(Integer.toString(connection.index()), true);
        }
      }
    }
    memory.put(FlowTokens.TOKENS, held);
    memory.put(FlowTokens.BLOCKS, blocks);
  }

  private static Object outcome(@Nullable Object given) {
    return given == null || given.equals("") ? ActivityDescriptor.DONE : given;
  }

  private static void readVisits(
      ActivityNode node,
      @Nullable Map<String, @Nullable Object> scope,
      Map<String, @Nullable Object> memory) {
    if (scope == null) {
      return;
    }
    var counts = object(scope, "connectionVisitCount");
    var followed = object(scope, "connectionLastVisitFollowed");
    var visits = new LinkedHashMap<String, @Nullable Object>();
    for (var connection : connections(node)) {
      for (var name : names(node, connection)) {
        var count = Json.number(counts, name, 0);
        if (count > 0) {
          visits.put(
              Integer.toString(connection.index()),
              Boolean.TRUE.equals(followed.get(name)) ? count : -count);
        }
      }
    }
    memory.put(FlowVisits.ACTIVITIES, object(scope, "activitiesVisitCount"));
    memory.put(FlowVisits.CONNECTIONS, visits);
  }

  private static Map<String, @Nullable Object> object(
      Map<String, @Nullable Object> scope, String name) {
    var object = Json.object(Json.member(scope, name));
    return object == null ? Map.of() : object;
  }

  /** As Elsa writes the connection: {@code source:port->target:port}, ports where there are any. */
  private static String name(ActivityNode node, Connection connection) {
    return names(node, connection).getFirst();
  }

  /** As it stands in the definition first, then as other versions of the file may have it. */
  private static List<String> names(ActivityNode node, Connection connection) {
    var source = connection.source().id();
    var target = connection.target().id();
    var names = new ArrayList<String>();
    for (var item : Json.list(node.raw("connections"))) {
      var raw = Json.object(item);
      var from = raw == null ? null : Json.object(raw.get("source"));
      var to = raw == null ? null : Json.object(raw.get("target"));
      if (from != null
          && to != null
          && source.equals(from.get("activity"))
          && target.equals(to.get("activity"))
          && connection.port().equals(outcome(from.get("port")))) {
        names.add(end(source, from.get("port")) + "->" + end(target, to.get("port")));
      }
    }
    for (var from : List.of(source + ":" + connection.port(), source)) {
      if (from.equals(source) && !connection.port().equals(ActivityDescriptor.DONE)) {
        continue;
      }
      for (var to : List.of(target + ":In", target)) {
        var name = from + "->" + to;
        if (!names.contains(name)) {
          names.add(name);
        }
      }
    }
    return names;
  }

  private static String end(String id, @Nullable Object port) {
    return port == null || port.equals("") ? id : id + ":" + port;
  }

  private static @Nullable Connection at(List<Connection> connections, String index) {
    return connections.stream()
        .filter(connection -> Integer.toString(connection.index()).equals(index))
        .findFirst()
        .orElse(null);
  }

  private static List<Connection> connections(ActivityNode node) {
    return node.plan() instanceof FlowConnections plan ? plan.all() : List.of();
  }
}
