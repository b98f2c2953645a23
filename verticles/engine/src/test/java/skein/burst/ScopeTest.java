package skein.burst;

import static org.assertj.core.api.Assertions.assertThat;
import static skein.burst.Workflows.BURST;
import static skein.burst.Workflows.ID;
import static skein.burst.Workflows.NOW;
import static skein.burst.Workflows.activity;
import static skein.burst.Workflows.at;
import static skein.burst.Workflows.event;
import static skein.burst.Workflows.expression;
import static skein.burst.Workflows.graph;
import static skein.burst.Workflows.line;
import static skein.burst.Workflows.linesOf;
import static skein.burst.Workflows.literal;
import static skein.burst.Workflows.resume;
import static skein.burst.Workflows.start;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import skein.graph.Graph;
import skein.model.InstanceId;
import skein.model.Labels;
import skein.model.Parent;
import skein.model.StartRequest;
import skein.model.Transition;

class ScopeTest {
  private static String show(String id, String variable) {
    return activity(
        "WriteLine", id, "'text':" + expression("String", "Variable", "'" + variable + "'"));
  }

  private static String set(String id, String reference, String type, String value) {
    return activity(
        "SetVariable", id, "'variable':" + reference + ",'value':" + literal(type, value));
  }

  private static String declared(String id, String name, String type, String value) {
    return "'variables':[{'id':'%s','name':'%s','typeName':'%s','value':'%s'}]"
        .formatted(id, name, type, value);
  }

  private static String sequenceWith(String id, String variables, String activities) {
    return activity("Sequence", id, variables + ",'activities':[" + activities + "]");
  }

  @Test
  void the_nearest_variable_of_a_name_is_meant() {
    var inner =
        sequenceWith(
            "inner",
            declared("v2", "Tint", "String", "inner"),
            set("s", "'Tint'", "String", "'changed'") + "," + show("a", "Tint"));

    var transition =
        start(
            graph(
                declared("v1", "Tint", "String", "outer")
                    + ",'root':"
                    + activity(
                        "Sequence",
                        "o",
                        "'activities':[" + inner + "," + show("b", "Tint") + "]")));

    assertThat(linesOf(transition)).containsExactly("changed", "outer");
  }

  @Test
  void an_id_reaches_past_a_nearer_variable_of_the_same_name() {
    var inner =
        sequenceWith(
            "inner",
            declared("v2", "Tint", "String", "inner"),
            set("s", "{'id':'v1','name':'Tint'}", "String", "'changed'"));

    var transition =
        start(
            graph(
                declared("v1", "Tint", "String", "outer")
                    + ",'root':"
                    + activity(
                        "Sequence",
                        "o",
                        "'activities':[" + inner + "," + show("b", "Tint") + "]")));

    assertThat(linesOf(transition)).containsExactly("changed");
  }

  @Test
  void variables_have_typed_defaults_convert_what_is_set_and_outlive_bursts() {
    var graph =
        graph(
            declared("v", "Count", "Int32", "4")
                + ",'root':"
                + activity(
                    "Sequence",
                    "o",
                    "'activities':["
                        + set("s", "{'id':'v'}", "String", "'5'")
                        + ","
                        + event("e", "go")
                        + ","
                        + show("b", "Count")
                        + "]"));

    var first = start(graph);
    var second = resume(graph, first.next(), "e");

    assertThat(first.next().executions().getFirst().variables()).containsEntry("v", 5L);
    assertThat(linesOf(second)).containsExactly("5");
    assertThat(second.next().executions().getFirst().variables()).containsEntry("v", 5L);
  }

  @Test
  void an_unknown_variable_faults() {
    var transition =
        start(graph("'root':" + set("s", "{'id':'nope','name':'Nope'}", "String", "'x'")));

    assertThat(transition.next().incidents().getFirst().type()).isEqualTo("UnknownVariable");
  }

  @Test
  void inputs_are_converted_and_have_defaults() {
    var graph =
        graph(
            "'inputs':[{'name':'Who','type':'String','defaultValue':'nobody'},"
                + "{'name':'Age','type':'Int32'}],'root':"
                + activity(
                    "Sequence",
                    "o",
                    "'activities':["
                        + activity(
                            "WriteLine",
                            "a",
                            "'text':" + expression("String", "Input", "{'name':'Who'}"))
                        + ","
                        + activity(
                            "SetOutput",
                            "b",
                            "'outputName':"
                                + literal("String", "'Years'")
                                + ",'outputValue':"
                                + expression("Object", "Input", "{'name':'Age'}"))
                        + "]"));

    var transition = start(graph, Map.of("Age", "36"));

    assertThat(linesOf(transition)).containsExactly("nobody");
    assertThat(transition.next().output()).isEqualTo(Map.of("Years", 36L));
    assertThat(transition.next().input()).isEqualTo(Map.of("Age", "36"));
  }

  @Test
  void an_output_goes_to_the_bound_variable_or_else_to_the_workflow() {
    var bound =
        event("e", "go").replace("'id':'e'", "'id':'e','result':{'memoryReference':{'id':'v'}}");
    var free =
        event("f", "go").replace("'id':'f'", "'id':'f','result':{'memoryReference':{'id':'Out'}}");
    var graph =
        graph(
            declared("v", "Note", "Object", "")
                + ",'root':"
                + activity(
                    "Sequence",
                    "o",
                    "'activities':[" + bound + "," + show("a", "Note") + "," + free + "]"));

    var first = resume(graph, start(graph).next(), "e", Map.of("payload", "hello"));
    var second = resume(graph, first.next(), "f", Map.of("payload", 7L));

    assertThat(linesOf(first)).containsExactly("hello");
    assertThat(second.next().output()).containsEntry("Out", 7L);
    assertThat(second.next().results()).containsEntry("f", Map.of("Result", 7L));
  }

  @Test
  void name_and_correlation_can_be_set() {
    var transition =
        start(
            graph(
                "'root':"
                    + activity(
                        "Sequence",
                        "o",
                        "'activities':["
                            + activity("SetName", "n", "'value':" + literal("String", "'mine'"))
                            + ","
                            + activity(
                                "Correlate", "c", "'correlationId':" + literal("String", "'c-1'"))
                            + ","
                            + line("l", "x")
                            + "]")));

    assertThat(transition.next().labels().name()).isEqualTo("mine");
    assertThat(transition.next().labels().correlationId()).isEqualTo("c-1");
  }

  @Test
  void a_child_finds_its_parent_in_its_input_unless_the_input_says_otherwise() {
    var graph =
        graph(
            "'root':"
                + activity(
                    "WriteLine",
                    "w",
                    "'text':"
                        + expression(
                            "String", "JavaScript", "'getInput(`ParentInstanceId`) ?? `none`'")));
    var parent = new Parent(new InstanceId("p1"), 2, Parent.Notice.Never);
    var schedule = Parent.schedule(new InstanceId("lane"));

    assertThat(linesOf(started(graph, parent, Map.of()))).containsExactly("p1");
    assertThat(started(graph, parent, Map.of()).next().input()).isEmpty();
    assertThat(linesOf(started(graph, parent, Map.of("ParentInstanceId", "grandparent"))))
        .as("handed on by a parent that is a child")
        .containsExactly("p1");
    assertThat(linesOf(started(graph, schedule, Map.of()))).containsExactly("none");
    assertThat(linesOf(start(graph))).containsExactly("none");
  }

  private static Transition started(
      Graph graph, Parent parent, Map<String, @Nullable Object> input) {
    var request = new StartRequest(input, new Labels(null, null, parent), null, null, null);
    return BURST.start(graph, ID, request, at(NOW));
  }
}
