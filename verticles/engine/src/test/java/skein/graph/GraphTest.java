package skein.graph;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import skein.activities.Activities;
import skein.activities.Activity;
import skein.activities.ActivityContext;
import skein.activities.ActivityDescriptor;
import skein.activities.ActivityNode;
import skein.activities.Port;
import skein.codecs.JsonLimits;
import skein.codecs.JsonText;
import skein.model.DefinitionRef;
import skein.model.Finding;
import skein.model.WorkflowDefinition;

class GraphTest {
  private static Graph graph(String members) {
    return graph(members, Activities.builtIn());
  }

  private static Graph graph(String members, Activities activities) {
    var json = JsonText.parseObject("{" + members.replace('\'', '"') + "}", JsonLimits.DEFAULT);
    var ref = new DefinitionRef("d", "d1", 1);
    return GraphCompiler.compile(
        new WorkflowDefinition(ref, null, null, true, true, Instant.EPOCH, json), activities);
  }

  private static List<String> checked(String members) {
    var json = JsonText.parseObject("{" + members.replace('\'', '"') + "}", JsonLimits.DEFAULT);
    var definition =
        new WorkflowDefinition(
            new DefinitionRef("d", "d1", 1), null, null, true, true, Instant.EPOCH, json);
    return GraphCompiler.check(
            definition, UsedWorkflows.NONE, Activities.builtIn(), CompilerOptions.DEFAULT)
        .findings()
        .stream()
        .map(Finding::message)
        .toList();
  }

  private static Graph sequence(String activities) {
    return graph("'root':{'type':'Elsa.Sequence','id':'s','activities':[" + activities + "]}");
  }

  @Test
  void activities_are_found_by_path_and_by_id() {
    var graph = sequence("{'type':'Elsa.WriteLine','id':'a','name':'First'}");

    assertThat(graph.problems()).isEmpty();
    assertThat(graph.nodes())
        .extracting(ActivityNode::nodeId)
        .containsExactly("Workflow1:s", "Workflow1:s:a");
    assertThat(graph.activity("a")).isSameAs(graph.node("Workflow1:s:a"));
    assertThat(graph.ref().definitionId()).isEqualTo("d");
  }

  @Test
  void what_is_wrong_is_said_with_type_and_place() {
    var graph =
        graph(
            "'inputs':[{'name':'A'},{'name':'B'},{'name':'A'}],"
                + "'variables':[{'name':'V','typeName':'Int32','value':'many'}],"
                + "'root':{'type':'Elsa.Flowchart','id':'f','activities':["
                + "{'type':'Elsa.WriteLine','id':'a'},{'type':'Elsa.WriteLine','id':'a'},"
                + "{'type':'Elsa.Cron','id':'c','cronExpression':"
                + "{'expression':{'type':'Literal','value':'soon'}}},"
                + "{'type':'Elsa.WriteLine','id':'w','text':"
                + "{'expression':{'type':'Klingon','value':'x'}}}],"
                + "'connections':[{'source':'a','target':'nowhere'}]}");

    assertThat(graph.problems())
        .satisfiesExactlyInAnyOrder(
            p -> assertThat(p).contains("defined more than once: A"),
            p -> assertThat(p).contains("variable V has a wrong default"),
            p -> assertThat(p).contains("the activity id \"a\" is used twice"),
            p -> assertThat(p).startsWith("Elsa.Cron (Workflow1:f:c): Error when parsing cron"),
            p -> assertThat(p).contains("(Workflow1:f:w)", "the input Text", "Klingon"),
            p -> assertThat(p).startsWith("Elsa.Flowchart (Workflow1:f)").contains("nowhere"));
  }

  @Test
  void a_name_is_as_long_as_an_id_at_most() {
    var line = "'root':{'type':'Elsa.WriteLine','id':'l','name':'%s'}";

    var tooLong = graph(line.formatted("n".repeat(256)));

    assertThat(tooLong.problems())
        .singleElement()
        .asString()
        .contains("its name is longer than 255 characters");
    assertThat(tooLong.root().name()).hasSize(255);
    assertThat(graph(line.formatted("n".repeat(255))).problems()).isEmpty();
  }

  @Test
  void an_unknown_type_is_kept_and_named_as_a_warning() {
    var graph = sequence("{'type':'Acme.Dance','id':'d','version':3}");

    assertThat(graph.problems()).isEmpty();
    assertThat(graph.warnings()).singleElement().asString().contains("Acme.Dance", "Workflow1:s:d");
    assertThat(graph.nodes()).extracting(ActivityNode::type).contains("Acme.Dance");
  }

  @Test
  void a_connection_that_is_never_followed_is_a_warning() {
    var warnings =
        checked(
            "'root':{'type':'Elsa.Flowchart','id':'f','activities':["
                + "{'type':'Elsa.FlowDecision','id':'d'},"
                + "{'type':'Elsa.WriteLine','id':'w'},"
                + "{'type':'Elsa.RunJavaScript','id':'j'},"
                + "{'type':'Elsa.HttpEndpoint','id':'h'},"
                + "{'type':'Elsa.FlowSwitch','id':'s','cases':[{'label':'Big'}]},"
                + "{'type':'Elsa.FlowSendHttpRequest','id':'q','expectedStatusCodes':"
                + "{'typeName':'Int32[]','expression':{'type':'Literal','value':[404]}}},"
                + "{'type':'Elsa.FlowFork','id':'k','branches':"
                + "{'typeName':'String[]','expression':{'type':'Literal','value':['a','b']}}},"
                + "{'type':'Acme.Dance','id':'u'}],"
                + "'connections':["
                + connections(
                    "d.True d.Ture w.Done w.Faulted w.Doen j.Maybe h.Done",
                    "s.Big s.Default s.Small q.404 q.500 q.Timeout k.a k.c u.Encore")
                + "]}");

    assertThat(warnings)
        .filteredOn(warning -> warning.contains("the port"))
        .satisfiesExactly(
            w ->
                assertThat(w)
                    .startsWith("Elsa.Flowchart (Workflow1:f)")
                    .contains("\"Ture\"", "True, False"),
            w -> assertThat(w).contains("\"w\"", "\"Doen\"", "Elsa.WriteLine", "it has Done"),
            w -> assertThat(w).contains("\"Small\"", "Default, Big"),
            w -> assertThat(w).contains("\"500\"", "404"),
            w -> assertThat(w).contains("\"c\"", "a, b"));
  }

  /** Each is {@code activity.port}, and leads to w. */
  private static String connections(String... lists) {
    return Stream.of(String.join(" ", lists).split(" ", 0))
        .map(end -> end.split("\\.", 2))
        .map(end ->
            "{'source':{'activity':'%s','port':'%s'},'target':{'activity':'w'}}"
                .formatted(end[0], end[1]))
        .collect(Collectors.joining(","));
  }

  @Test
  void the_activities_of_cases_keep_the_places_of_their_cases() {
    var port = Port.cases("cases", "activity");
    var choice =
        new Activity() {
          @Override
          public ActivityDescriptor descriptor() {
            return ActivityDescriptor.of("Acme.Choice", "Test", "Chooses.").with(port);
          }

          @Override
          public void execute(ActivityContext context) {
            context.complete();
          }
        };
    var graph =
        graph(
            "'root':{'type':'Acme.Choice','id':'c','cases':[{'label':'x'},"
                + "{'label':'y','activity':{'type':'Acme.Choice','id':'d'}}]}",
            Activities.of(List.of(choice)));

    assertThat(graph.root().child(port, 0)).isNull();
    assertThat(graph.root().child(port, 1)).isSameAs(graph.activity("d"));
  }

  @Test
  void a_script_may_block_and_a_literal_may_not() {
    assertThat(sequence(line("Literal")).mayBlock()).isFalse();
    assertThat(sequence(line("JavaScript")).mayBlock()).isTrue();
  }

  private static String line(String language) {
    return "{'type':'Elsa.WriteLine','id':'a','text':{'expression':{'type':'"
        + language
        + "','value':'1'}}}";
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'customProperties':{'canStartWorkflow':true}",
        "'customProperties':{'CanStartWorkflow':true}",
        "'CustomProperties':{'CanStartWorkflow':true}",
        "'CustomProperties':{'CanStartWorkflow':true},'canStartWorkflow':false"
      })
  void the_mark_of_a_trigger_is_read_in_either_case(String mark) {
    var marked = sequence("{'type':'Elsa.Event','id':'e','eventName':'E'," + mark + "}");
    var not = sequence("{'type':'Elsa.Event','id':'e','eventName':'E'}");

    assertThat(marked.activity("e")).extracting(ActivityNode::canStart).isEqualTo(true);
    assertThat(not.activity("e")).extracting(ActivityNode::canStart).isEqualTo(false);
  }

  @Test
  void a_definition_without_a_root_is_a_problem_and_no_exception() {
    assertThat(graph("").problems()).containsExactly("The workflow has no root activity");
  }

  @Test
  void every_built_in_activity_has_a_description_and_distinct_inputs() {
    assertThat(Activities.builtIn().descriptors())
        .allSatisfy(descriptor -> {
          assertThat(descriptor.description()).isNotBlank();
          assertThat(descriptor.inputs()).extracting(input -> input.name()).doesNotHaveDuplicates();
        });
  }
}
