package skein.burst;

import static org.assertj.core.api.Assertions.assertThat;
import static skein.burst.Workflows.ID;
import static skein.burst.Workflows.NOW;
import static skein.burst.Workflows.activity;
import static skein.burst.Workflows.at;
import static skein.burst.Workflows.definition;
import static skein.burst.Workflows.event;
import static skein.burst.Workflows.expression;
import static skein.burst.Workflows.flowchart;
import static skein.burst.Workflows.line;
import static skein.burst.Workflows.linesOf;
import static skein.burst.Workflows.literal;
import static skein.burst.Workflows.request;
import static skein.burst.Workflows.resume;
import static skein.burst.Workflows.start;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import skein.activities.Activities;
import skein.forms.FormLimits;
import skein.graph.CompilerOptions;
import skein.graph.Graph;
import skein.graph.GraphCompiler;
import skein.graph.Reference;
import skein.graph.References;
import skein.graph.UsedWorkflows;
import skein.model.ActivityStatus;
import skein.model.DefinitionRef;
import skein.model.WorkflowDefinition;
import skein.model.WorkflowStatus;

/** Workflows that are used as activities of others. */
class CompositionTest {
  private static final Activities ACTIVITIES = Activities.builtIn();

  /** Doubles its input; the activity ids are those of its users. */
  private static final WorkflowDefinition DOUBLE =
      usable(
          "Double",
          "'inputs':[{'name':'Value','type':'Int32','defaultValue':1}],"
              + "'outputs':[{'name':'Twice','type':'Int32'}],"
              + "'variables':[{'id':'v','name':'Sum','typeName':'Int32','value':0}],"
              + "'root':{'type':'Elsa.Sequence','id':'s','activities':["
              + script("a", "setSum(getValue() * 2); return getSum();")
              + ","
              + activity(
                  "SetOutput",
                  "b",
                  "'outputName':"
                      + literal("String", "'Twice'")
                      + ",'outputValue':"
                      + js("getResultFroma()"))
              + "]}");

  private static String js(String code) {
    return expression("Object", "JavaScript", "'" + code + "'");
  }

  private static String script(String id, String code) {
    return activity("RunJavaScript", id, "'script':" + literal("String", "'" + code + "'"));
  }

  private static String writes(String id, String code) {
    return activity("WriteLine", id, "'text':" + js(code));
  }

  private static WorkflowDefinition usable(String name, String members) {
    return named(name, "'options':{'usableAsActivity':true}," + members);
  }

  private static WorkflowDefinition named(String name, String members) {
    return new WorkflowDefinition(
        new DefinitionRef(name, name + "-v1", 1),
        name,
        null,
        true,
        true,
        NOW,
        definition(members).json());
  }

  private static String sequence(String activities) {
    return "'root':{'type':'Elsa.Sequence','id':'s','activities':[" + activities + "]}";
  }

  private static Graph composed(WorkflowDefinition parent, WorkflowDefinition... used) {
    return composed(CompilerOptions.DEFAULT, parent, used);
  }

  private static Graph composed(
      CompilerOptions options, WorkflowDefinition parent, WorkflowDefinition... used) {
    var byType = new HashMap<String, WorkflowDefinition>();
    for (var definition : used) {
      byType.put(References.typeName(definition), definition);
    }
    var found = new HashMap<Reference, WorkflowDefinition>();
    var seen = new LinkedHashSet<>(References.in(parent, ACTIVITIES));
    var open = new ArrayDeque<>(seen);
    while (!open.isEmpty()) {
      var reference = open.pop();
      var meant = byType.get(reference.type());
      if (meant != null) {
        found.put(reference, meant);
        References.in(meant, ACTIVITIES).stream().filter(seen::add).forEach(open::add);
      }
    }
    return GraphCompiler.compile(parent, new UsedWorkflows(found, true), ACTIVITIES, options);
  }

  private static String use(String type, String id, String members) {
    return "{'type':'%s','id':'%s','name':'%s'%s}"
        .formatted(type, id, id, members.isEmpty() ? "" : "," + members);
  }

  @Test
  void inputs_go_in_and_outputs_come_out_as_variables() {
    var graph =
        composed(
            named(
                "Parent",
                "'variables':[{'id':'r','name':'R','typeName':'Int32'}],"
                    + sequence(
                        use(
                                "Double",
                                "a",
                                "'value':"
                                    + literal("Int32", "21")
                                    + ",'twice':{'memoryReference':{'id':'r'}}")
                            + ","
                            + writes("b", "`${getR()} ${getTwiceFroma()}`"))),
            DOUBLE);

    assertThat(graph.problems()).isEmpty();
    var transition = start(graph);

    assertThat(linesOf(transition)).containsExactly("42 42");
    assertThat(transition.next().status()).isEqualTo(WorkflowStatus.Completed);
    assertThat(graph.node("Workflow1:s:a:s:b")).isNotNull();
  }

  @Test
  void two_uses_of_one_workflow_do_not_mix_their_results() {
    var graph =
        composed(
            named(
                "Parent",
                "'inputs':[{'name':'Value','type':'Int32'}],"
                    + sequence(
                        use("Double", "x", "'value':" + js("getValue() + 1"))
                            + ","
                            + use("Double", "y", "'value':" + literal("Int32", "5"))
                            + ","
                            + script("a", "return 7;")
                            + ","
                            + writes(
                                "l",
                                "`${getTwiceFromx()} ${getTwiceFromy()} ${getResultFroma()}`"))),
            DOUBLE);

    var transition = start(graph, Map.of("Value", 1L));

    assertThat(linesOf(transition)).containsExactly("4 10 7");
    assertThat(transition.next().results())
        .containsEntry("a", Map.of("Result", 7L))
        .containsEntry("Workflow1:s:x:s:a", Map.of("Result", 4L))
        .containsEntry("Workflow1:s:y:s:a", Map.of("Result", 10L));
    assertThat(transition.next().output()).isEmpty();
  }

  @Test
  void an_input_that_is_not_given_has_its_default() {
    var graph =
        composed(
            named(
                "Parent", sequence(use("Double", "x", "") + "," + writes("l", "getTwiceFromx()"))),
            DOUBLE);

    assertThat(linesOf(start(graph))).containsExactly("2");
  }

  @Test
  void a_workflow_completes_with_the_outcomes_that_a_descendant_asks_for() {
    var complete = activity("Complete", "c", "'outcomes':" + literal("Object", "['Ready']"));
    for (var root :
        List.of(
            sequence(line("a", "in") + "," + complete + "," + line("z", "never")),
            "'root':" + complete)) {
      var inner = usable("Inner", "'outcomes':['Ready','Stuck']," + root);
      var graph =
          composed(
              named(
                  "Outer",
                  "'root':"
                      + flowchart(
                          "f",
                          "i.Ready>r i.Stuck>k r>e",
                          use("Inner", "i", "")
                              + ","
                              + line("r", "ready")
                              + ","
                              + line("k", "stuck")
                              + ","
                              + line("e", "end"))),
              inner);

      var transition = start(graph);

      assertThat(graph.problems()).isEmpty();
      assertThat(linesOf(transition)).endsWith("ready", "end").doesNotContain("never", "stuck");
      assertThat(transition.next().status()).isEqualTo(WorkflowStatus.Completed);
    }
  }

  @Test
  void a_workflow_waits_inside_another_and_remembers_what_it_was_given() {
    var inner =
        usable(
            "Inner",
            "'inputs':[{'name':'Word','type':'String'}],'outputs':[{'name':'Said','type':'String'}],"
                + sequence(
                    event("e", "go")
                        + ","
                        + activity(
                            "SetOutput",
                            "o",
                            "'outputName':"
                                + literal("String", "'Said'")
                                + ",'outputValue':"
                                + js("getWord()"))));
    var graph =
        composed(
            named(
                "Outer",
                sequence(
                    use("Inner", "i", "'word':" + literal("String", "'hello'"))
                        + ","
                        + writes("l", "getSaidFromi()"))),
            inner);

    var waiting = start(graph).next();
    var done = resume(graph, waiting, "e");

    assertThat(waiting.status()).isEqualTo(WorkflowStatus.Suspended);
    assertThat(linesOf(done)).containsExactly("hello");
  }

  @Test
  void variables_of_the_user_and_of_the_used_hide_one_another_by_place() {
    var inner =
        usable(
            "Inner",
            "'variables':[{'id':'v','name':'Word','typeName':'String','value':'inner'}],"
                + sequence(
                    script("a", "setWord(getWord() + `!`)") + "," + writes("b", "getWord()")));
    var graph =
        composed(
            named(
                "Outer",
                "'variables':[{'id':'v','name':'Word','typeName':'String','value':'outer'}],"
                    + sequence(use("Inner", "i", "") + "," + writes("l", "getWord()"))),
            inner);

    assertThat(graph.problems()).isEmpty();
    assertThat(linesOf(start(graph))).containsExactly("inner!", "outer");
  }

  @Test
  void an_output_of_the_inner_workflow_hides_a_variable_of_the_outer_one() {
    var inner =
        usable(
            "Inner",
            "'outputs':[{'name':'Total','type':'Int32'}],'root':"
                + activity(
                    "RunJavaScript",
                    "a",
                    "'script':"
                        + literal("String", "'return 9;'")
                        + ",'result':{'memoryReference':{'id':'Total'}}"));
    var graph =
        composed(
            named(
                "Outer",
                "'variables':[{'id':'t','name':'Total','typeName':'Int32','value':1}],"
                    + sequence(use("Inner", "i", "") + "," + writes("l", "getTotal()"))),
            inner);

    var transition = start(graph);

    assertThat(linesOf(transition)).containsExactly("1");
    assertThat(transition.next().results()).containsEntry("i", Map.of("Total", 9L));
  }

  @Test
  void the_root_itself_may_be_a_use() {
    var graph =
        composed(
            named(
                "Parent",
                "'variables':[{'id':'n','name':'N','typeName':'Int32','value':4}],"
                    + "'root':"
                    + use(
                        "Double",
                        "r",
                        "'value':" + js("getN()") + ",'twice':{'memoryReference':{'id':'n'}}")),
            DOUBLE);

    var transition = start(graph);

    assertThat(transition.next().status()).isEqualTo(WorkflowStatus.Completed);
    assertThat(transition.next().executions().getFirst().variables()).containsEntry("n", 8L);
  }

  @Test
  void a_fault_inside_faults_the_instance_and_names_the_place() {
    var inner = usable("Inner", sequence(script("a", "throw new Error(`bad`)")));
    var graph = composed(named("Outer", sequence(use("Inner", "i", ""))), inner);

    var next = start(graph).next();

    assertThat(next.status()).isEqualTo(WorkflowStatus.Faulted);
    assertThat(next.incidents())
        .singleElement()
        .satisfies(incident -> assertThat(incident.nodeId()).isEqualTo("Workflow1:s:i:s:a"));
  }

  @Test
  void cancelling_ends_what_waits_inside() {
    var inner = usable("Inner", sequence(event("e", "go")));
    var graph = composed(named("Outer", sequence(use("Inner", "i", ""))), inner);
    var waiting = start(graph).next();

    var cancelled = Workflows.BURST.cancel(graph, waiting, at(NOW)).next();

    assertThat(cancelled.status()).isEqualTo(WorkflowStatus.Cancelled);
    assertThat(cancelled.bookmarks()).isEmpty();
    assertThat(cancelled.executions())
        .allMatch(execution -> execution.status() != ActivityStatus.Running);
  }

  @Test
  void a_trigger_of_a_used_workflow_starts_nothing() {
    var trigger =
        "{'type':'Elsa.Event','id':'e','eventName':"
            + literal("String", "'go'")
            + ",'customProperties':{'canStartWorkflow':true}}";
    var inner = usable("Inner", sequence(trigger));
    var graph = composed(named("Outer", sequence(use("Inner", "i", ""))), inner);

    assertThat(Workflows.BURST.triggers(graph, at(NOW))).isEmpty();
  }

  @Test
  void a_workflow_that_contains_itself_is_a_problem() {
    var a = usable("A", sequence(use("B", "b", "")));
    var b = usable("B", sequence(use("A", "a", "")));

    var graph = composed(a, a, b);

    assertThat(graph.problems())
        .singleElement()
        .asString()
        .contains("cannot contain itself: A uses B uses A");
    assertThat(start(graph).next().status()).isEqualTo(WorkflowStatus.Faulted);
  }

  @Test
  void ten_levels_of_ten_uses_are_refused_at_once() {
    var levels = new WorkflowDefinition[11];
    levels[10] = usable("L10", sequence(line("x", "x")));
    for (var n = 9; n >= 0; n--) {
      var uses = new StringBuilder();
      for (var i = 0; i < 10; i++) {
        uses.append(i == 0 ? "" : ",").append(use("L" + (n + 1), "u" + i, ""));
      }
      levels[n] = usable("L" + n, sequence(uses.toString()));
    }

    var graph = composed(levels[0], levels);

    assertThat(graph.problems())
        .singleElement()
        .asString()
        .contains("more than 20000 activities", "Elsa.DispatchWorkflow");
    assertThat(graph.nodes().size()).isLessThan(21_000);
  }

  @Test
  void workflows_that_use_one_another_too_deeply_are_refused() {
    var levels = new WorkflowDefinition[5];
    levels[4] = usable("L4", sequence(line("x", "x")));
    for (var n = 3; n >= 0; n--) {
      levels[n] = usable("L" + n, sequence(use("L" + (n + 1), "u", "")));
    }
    var options = new CompilerOptions(3, 100, 100, false, FormLimits.DEFAULT);

    assertThat(composed(options, levels[0], levels).problems())
        .singleElement()
        .asString()
        .contains("more than 3 deep");
    assertThat(composed(options, levels[1], levels).problems()).isEmpty();
  }

  @Test
  void activities_of_elsa_that_are_left_out_are_refused_with_what_to_do_instead() {
    var graph = composed(named("P", sequence(use("Elsa.ReadLine", "r", ""))));

    assertThat(graph.problems())
        .singleElement()
        .asString()
        .contains("Elsa.ReadLine (Workflow1:s:r)", "Elsa.RunTask");
    var kafka = composed(named("P", sequence(use("Elsa.Kafka.SendMessage", "k", ""))));
    assertThat(kafka.problems()).singleElement().asString().contains("Elsa.Kafka.SendMessage");
  }

  @Test
  void unknown_activities_are_warned_of_or_refused_as_configured() {
    var parent = named("P", sequence(use("Acme.Dance", "d", "") + "," + line("l", "on")));

    assertThat(composed(parent).warnings()).singleElement().asString().contains("Acme.Dance");
    assertThat(
            composed(new CompilerOptions(3, 100, 100, true, FormLimits.DEFAULT), parent).problems())
        .singleElement()
        .asString()
        .contains("Acme.Dance (Workflow1:s:d)");
    assertThat(
            Workflows.BURST
                .start(composed(parent), ID, request(Map.of()), at(NOW))
                .next()
                .incidents())
        .hasSize(1);
  }

  @Test
  void a_workflow_that_is_not_published_yet_is_a_warning_though_unknown_types_are_refused() {
    var parent = named("P", sequence(use("Later", "l", "'workflowDefinitionId':'Later'")));

    var compiled = composed(new CompilerOptions(3, 100, 100, true, FormLimits.DEFAULT), parent);

    assertThat(compiled.problems()).isEmpty();
    assertThat(compiled.warnings()).singleElement().asString().contains("publish it first");
  }

  @Test
  void references_are_pointed_at_another_version_wherever_they_stand() {
    var parent =
        named(
            "P",
            "'root':"
                + activity(
                    "If",
                    "i",
                    "'then':"
                        + use("Double", "a", "'workflowDefinitionId':'Double'")
                        + ",'else':{'type':'Elsa.Sequence','id':'s','activities':["
                        + use("Double", "b", "")
                        + ","
                        + use("Other", "c", "")
                        + "]}"));

    var changed =
        References.point(
            parent.json(),
            ACTIVITIES,
            reference ->
                reference.type().equals("Double") ? new DefinitionRef("Double", "v9", 9) : null);

    var after = named("P", "'x':1");
    var pointed = new WorkflowDefinition(after.ref(), "P", null, true, true, NOW, changed);
    assertThat(References.in(pointed, ACTIVITIES))
        .containsExactly(
            new Reference("Double", 9, "v9", "Double"), new Reference("Other", 1, null, null));
  }
}
