package skein.burst;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.activities.Json;
import skein.codecs.JsonText;

/** Writes drawn steps as a definition. */
final class StepJson {
  static final String RETRY_DELAY = "PT30M";

  private StepJson() {}

  static Map<String, @Nullable Object> definition(Step.Block root, boolean tokens) {
    return Json.members(
        "customProperties",
        Json.members("Flowchart:ExecutionMode", tokens ? "TokenBased" : "CounterBased"),
        "root",
        of(root));
  }

  private static Map<String, @Nullable Object> of(Step step) {
    return switch (step) {
      case Step.Line(var id, var text) -> activity("WriteLine", id, "text", value("String", text));
      case Step.Assign(var id, var variable, var byId, var value) ->
          activity(
              "SetVariable",
              id,
              "variable",
              byId ? Json.members("id", variable) : variable,
              "value",
              value("Object", value));
      case Step.Wait wait -> wait(wait);
      case Step.Fail(var id) -> activity("Fault", id, "message", fixed("String", "on purpose"));
      case Step.Flaky(var id, var until) ->
          activity("RunJavaScript", id, "script", script(until.toEpochMilli()));
      case Step.Leave(var id) -> activity("Break", id);
      case Step.Block block -> block(block);
      case Step.Race(var id, var branches) ->
          activity("Fork", id, "joinMode", "WaitAny", "branches", all(branches));
      case Step.Choice(var id, var condition, var yes, var no) ->
          activity(
              "If",
              id,
              "condition",
              value("Boolean", condition),
              "then",
              of0(yes),
              "else",
              of0(no));
      case Step.Cases cases -> cases(cases);
      case Step.While(var id, var condition, var body) ->
          activity("While", id, "condition", value("Boolean", condition), "body", of(body));
      case Step.Count(var id, var from, var to, var by, var inclusive, var body) ->
          activity(
              "For",
              id,
              "start",
              fixed("Int32", (long) from),
              "end",
              fixed("Int32", (long) to),
              "step",
              fixed("Int32", (long) by),
              "outerBoundInclusive",
              fixed("Boolean", inclusive),
              "body",
              of(body));
      case Step.Each(var id, var items, var parallel, var body) ->
          activity(
              parallel ? "ParallelForEach" : "ForEach",
              id,
              "items",
              value("Object", new Step.Value.Items(items)),
              "body",
              of(body));
      case Step.Dag dag -> dag(dag);
      case Step.Rounds rounds -> rounds(rounds);
    };
  }

  private static @Nullable Object of0(@Nullable Step step) {
    return step == null ? null : of(step);
  }

  private static List<Object> all(List<? extends Step> steps) {
    return steps.stream().<Object>map(StepJson::of).toList();
  }

  static Map<String, @Nullable Object> activity(
      String type, String id, @Nullable Object... members) {
    var json = Json.members("type", "Elsa." + type, "id", id);
    json.putAll(Json.members(members));
    json.values().removeIf(value -> value == null);
    return json;
  }

  private static Map<String, @Nullable Object> wait(Step.Wait wait) {
    if (wait.delay()) {
      return activity("Delay", wait.id(), "timeSpan", fixed("TimeSpan", "PT1H"));
    }
    var into = wait.into();
    return activity(
        "Event",
        wait.id(),
        "eventName",
        fixed("String", "for " + wait.id()),
        "result",
        into == null ? null : Json.members("memoryReference", Json.members("id", into)));
  }

  private static Object script(long until) {
    return fixed("String", "if (Date.now() < " + until + ") throw new Error('not yet')");
  }

  private static Map<String, @Nullable Object> block(Step.Block block) {
    var members = new ArrayList<Object>();
    for (var member : block.members()) {
      members.add(member(member));
      if (member.handler() != null) {
        members.add(of(member.handler()));
      }
      if (member.undo() != null) {
        members.add(of(member.undo()));
      }
    }
    var variables =
        block.variables().stream()
            .<Object>map(v ->
                Json.members(
                    "id",
                    v.id(),
                    "name",
                    v.name(),
                    "typeName",
                    v.value() instanceof Boolean ? "Boolean" : "Object",
                    "value",
                    v.value()))
            .toList();
    return switch (block.kind()) {
      case SEQUENCE ->
          activity("Sequence", block.id(), "variables", variables, "activities", members);
      case PARALLEL ->
          activity("Parallel", block.id(), "variables", variables, "activities", members);
      case FORK -> activity("Fork", block.id(), "joinMode", "WaitAll", "branches", members);
    };
  }

  private static Map<String, @Nullable Object> member(Step.Member member) {
    var json = of(member.step());
    var policy =
        Json.members(
            "onFault",
            member.handler() == null ? null : member.handler().id(),
            "compensatedBy",
            member.undo() == null ? null : member.undo().id(),
            "timeout",
            member.timeout() ? "P300D" : null,
            "retry",
            member.attempts() == 1
                ? null
                : Json.members(
                    "attempts",
                    (long) member.attempts(),
                    "delay",
                    RETRY_DELAY,
                    "backoff",
                    "Constant",
                    "jitter",
                    false));
    policy.values().removeIf(value -> value == null);
    if (!policy.isEmpty()) {
      json.put("customProperties", policy);
    }
    return json;
  }

  private static Map<String, @Nullable Object> cases(Step.Cases cases) {
    var list = new ArrayList<Object>();
    for (var i = 0; i < cases.conditions().size(); i++) {
      list.add(
          Json.members(
              "label",
              "case " + i,
              "condition",
              bare(cases.conditions().get(i)),
              "activity",
              of(cases.steps().get(i))));
    }
    return activity(
        "Switch",
        cases.id(),
        "cases",
        list,
        "default",
        of0(cases.otherwise()),
        "mode",
        fixed("String", cases.all() ? "MatchAny" : "MatchFirst"));
  }

  private static Map<String, @Nullable Object> dag(Step.Dag dag) {
    var nodes = new ArrayList<Object>();
    for (var node : dag.nodes()) {
      if (node.step() != null) {
        nodes.add(of(node.step()));
      } else if (node.decision() != null) {
        nodes.add(decision(node.id(), new Step.Value.Fixed(node.decision())));
      } else {
        nodes.add(join(node.id(), String.valueOf(node.join())));
      }
    }
    var ways =
        dag.ways().stream()
            .map(way ->
                way(dag.nodes().get(way.from()).id(), way.port(), dag.nodes().get(way.to()).id()))
            .toList();
    return activity(
        "Flowchart",
        dag.id(),
        "start",
        dag.nodes().getFirst().id(),
        "activities",
        nodes,
        "connections",
        ways);
  }

  private static Map<String, @Nullable Object> rounds(Step.Rounds rounds) {
    var nodes = new ArrayList<Object>();
    var ways = new ArrayList<Object>();
    var id = rounds.id();
    List<String> before = List.of();
    for (var i = 0; i < rounds.stages().size(); i++) {
      var stage = rounds.stages().get(i);
      nodes.add(join(id + "j" + i, i == 0 ? "WaitAny" : rounds.stages().get(i - 1).join()));
      lead(before, id + "j" + i, ways);
      for (var step : stage.steps()) {
        ways.add(way(id + "j" + i, "Done", step.id()));
      }
      nodes.addAll(all(stage.steps()));
      before = stage.steps().stream().map(Step::id).toList();
    }
    nodes.add(join(id + "end", rounds.stages().getLast().join()));
    lead(before, id + "end", ways);
    var last = id + "end";
    for (var assign : rounds.turn()) {
      nodes.add(of(assign));
      ways.add(way(last, "Done", assign.id()));
      last = assign.id();
    }
    nodes.add(decision(id + "again", rounds.condition()));
    ways.add(way(last, "Done", id + "again"));
    ways.add(way(id + "again", "True", id + "j0"));
    return activity("Flowchart", id, "start", id + "j0", "activities", nodes, "connections", ways);
  }

  private static void lead(List<String> from, String to, List<Object> ways) {
    from.forEach(source -> ways.add(way(source, "Done", to)));
  }

  private static Map<String, @Nullable Object> decision(String id, Step.Value condition) {
    return activity("FlowDecision", id, "condition", value("Boolean", condition));
  }

  private static Map<String, @Nullable Object> join(String id, String mode) {
    return activity("FlowJoin", id, "mode", fixed("String", mode));
  }

  private static Object way(String from, String port, String to) {
    return Json.members(
        "source", Json.members("activity", from, "port", port),
        "target", Json.members("activity", to, "port", "In"));
  }

  private static Object fixed(String type, Object value) {
    return expression(type, "Literal", value);
  }

  private static Object value(String type, Step.Value value) {
    return Json.members("typeName", type, "expression", bare(value));
  }

  private static Object expression(String type, String language, Object value) {
    return Json.members(
        "typeName", type, "expression", Json.members("type", language, "value", value));
  }

  private static Object bare(Step.Value value) {
    return switch (value) {
      case Step.Value.Fixed(var fixed) -> Json.members("type", "Literal", "value", fixed);
      case Step.Value.Of(var idOrName) ->
          Json.members("type", "Variable", "value", Json.members("id", idOrName));
      case Step.Value.Items(var items) ->
          Json.members("type", "Object", "value", JsonText.print(items));
      case Step.Value.Longer(var name) ->
          Json.members("type", "JavaScript", "value", "getVariable('" + name + "') + 'x'");
    };
  }
}
