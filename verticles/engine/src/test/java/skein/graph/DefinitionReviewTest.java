package skein.graph;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import skein.activities.Activities;
import skein.codecs.JsonLimits;
import skein.codecs.JsonText;
import skein.model.DefinitionRef;
import skein.model.Finding;
import skein.model.Finding.Severity;
import skein.model.FindingCode;
import skein.model.WorkflowDefinition;

/** What is said of definitions before they are published. */
class DefinitionReviewTest {
  private static final Path MODULE = Path.of(System.getProperty("basedir", "")).toAbsolutePath();

  private static List<Finding> check(Map<String, @Nullable Object> json) {
    var definition =
        new WorkflowDefinition(
            new DefinitionRef("d", "d1", 1), null, null, true, true, Instant.EPOCH, json);
    return GraphCompiler.check(
            definition, UsedWorkflows.NONE, Activities.builtIn(), CompilerOptions.DEFAULT)
        .findings();
  }

  private static List<Finding> check(String json) {
    return check(JsonText.parseObject(json.replace('\'', '"'), JsonLimits.DEFAULT));
  }

  private static List<Finding> sequence(String... activities) {
    return check(
        "{'variables':[{'id':'v1','name':'Order'}],'outputs':[{'name':'Total'}],"
            + "'root':{'type':'Elsa.Sequence','id':'s','activities':["
            + String.join(",", activities)
            + "]}}");
  }

  private static List<Finding> flow(String activities, String connections) {
    return check(
        "{'root':{'type':'Elsa.Flowchart','id':'f','activities':["
            + activities
            + "],'connections':["
            + connections
            + "]}}");
  }

  private static String connection(String source, String port, String target) {
    return "{'source':{'activity':'%s','port':'%s'},'target':{'activity':'%s'}}"
        .formatted(source, port, target);
  }

  private static String script(String code) {
    return "{'type':'Elsa.WriteLine','id':'w','text':{'typeName':'String','expression':"
        + "{'type':'JavaScript','value':'%s'}}}".formatted(code.replace("\"", "\\\""));
  }

  private static void assertSingle(
      List<Finding> findings, FindingCode code, String path, @Nullable String suggestion) {
    assertThat(findings).hasSize(1);
    var found = findings.getFirst();
    assertThat(found.code()).isEqualTo(code);
    assertThat(found.path()).isEqualTo(path);
    assertThat(found.suggestion()).isEqualTo(suggestion);
    assertThat(found.severity()).isEqualTo(Severity.WARNING);
    if (suggestion != null) {
      assertThat(found.message()).endsWith("did you mean \"" + suggestion + "\"?");
    }
  }

  @Test
  void a_misspelt_input_is_named_with_the_nearest_one() {
    var found = sequence("{'type':'Elsa.WriteLine','id':'w','txt':'Hello'}");

    assertSingle(found, FindingCode.UNKNOWN_INPUT, "/root/activities/0/txt", "text");
    assertThat(found.getFirst().nodeId()).isEqualTo("Workflow1:s:w");
    assertThat(found.getFirst().message()).startsWith("Elsa.WriteLine (Workflow1:s:w): ");
  }

  @Test
  void a_former_name_of_an_input_is_no_misspelt_one() {
    var statement = "{'type':'%s','id':'q','connectionString':'main','query':'select 1'}";

    assertThat(sequence(statement.formatted("Elsa.SqlSingleValue"))).isEmpty();
    assertSingle(
        sequence(statement.formatted("Elsa.SqlCommand")),
        FindingCode.UNKNOWN_INPUT,
        "/root/activities/0/query",
        null);
  }

  @Test
  void a_statement_under_a_former_name_is_checked() {
    var found =
        sequence(
            "{'type':'Elsa.SqlSingleValue','id':'q','connectionString':'main',"
                + "'query':'select {{Nothing}}'}");

    assertThat(found)
        .singleElement()
        .satisfies(finding -> {
          assertThat(finding.severity()).isEqualTo(Severity.ERROR);
          assertThat(finding.message()).contains("{{Nothing}} is not known");
        });
  }

  @ParameterizedTest
  @CsvSource({
    "Elsa.WriteLin, Elsa.WriteLine",
    "WriteLine, Elsa.WriteLine",
    "elsa.sendhttprequest, Elsa.SendHttpRequest",
    "Acme.Dance,"
  })
  void an_unknown_type_is_named_with_the_nearest_one(String type, @Nullable String nearest) {
    assertSingle(
        sequence("{'type':'%s','id':'w'}".formatted(type)),
        FindingCode.UNKNOWN_TYPE,
        "/root/activities/0/type",
        nearest);
  }

  @Test
  void a_misspelt_port_is_named_with_the_nearest_one() {
    var found =
        flow(
            "{'type':'Elsa.FlowDecision','id':'d'},{'type':'Elsa.WriteLine','id':'w'}",
            connection("d", "Ture", "w"));

    assertSingle(found, FindingCode.UNKNOWN_PORT, "/root/connections/0", "True");
  }

  @Test
  void a_connection_to_nowhere_is_an_error_with_the_nearest_id() {
    var found =
        flow(
            "{'type':'Elsa.Start','id':'begin'},{'type':'Elsa.WriteLine','id':'charge'}",
            connection("begin", "Done", "chrage") + "," + connection("begin", "Done", "charge"));

    assertThat(found).hasSize(1);
    assertThat(found.getFirst().severity()).isEqualTo(Severity.ERROR);
    assertThat(found.getFirst().message()).contains("connection 1", "\"charge\"?");
  }

  @ParameterizedTest
  @CsvSource({
    "Elsa.Delay, timeSpan, '\"20s\"', 00:00:20",
    "Elsa.If, condition, '\"maybe\"', true or false",
    "Elsa.For, start, '\"first\"', Int32"
  })
  void a_literal_of_the_wrong_type_is_named_with_its_form(
      String type, String input, String value, String said) {
    var found = sequence("{'type':'%s','id':'x','%s':%s}".formatted(type, input, value));

    assertSingle(found, FindingCode.WRONG_TYPE, "/root/activities/0/" + input, null);
    assertThat(found.getFirst().message()).contains(said);
  }

  @ParameterizedTest
  @CsvSource({
    "getVariable(\"Oder\")",
    "variables.Oder.total",
    "variables[\"Oder\"]",
    "'1; setVariable(\"Oder\" , 1)'",
    "// Order\\nvariables . Oder"
  })
  void a_variable_that_a_script_misspells_is_named(String code) {
    assertSingle(
        sequence(script(code)), FindingCode.UNKNOWN_VARIABLE, "/root/activities/0/text", "Order");
  }

  @ParameterizedTest
  @CsvSource({
    "getVariable(\"Order\")",
    "variables.Order",
    "variables.v1",
    "/* variables.Oder */ 1",
    "// getVariable(\"Oder\")",
    "\"variables.Oder\"",
    "order.variables.Oder",
    "const variables = {}; variables.Oder",
    "getVariable(name)",
    "variables.toString()"
  })
  void what_is_no_plain_use_of_a_variable_is_let_be(String code) {
    assertThat(sequence(script(code))).isEmpty();
  }

  @Test
  void references_and_templates_are_checked_for_variables_too() {
    assertSingle(
        sequence(
            "{'type':'Elsa.WriteLine','id':'w','text':{'typeName':'String','expression':"
                + "{'type':'Liquid','value':'Dear {{ Variables.Oder | upcase }} {{ Input.Oder }}'}}}"),
        FindingCode.UNKNOWN_VARIABLE,
        "/root/activities/0/text",
        "Order");
    assertSingle(
        sequence(
            "{'type':'Elsa.WriteLine','id':'w','text':{'typeName':'String','expression':"
                + "{'type':'Variable','value':{'id':'v2','name':'Oder'}}}}"),
        FindingCode.UNKNOWN_VARIABLE,
        "/root/activities/0/text",
        null);
    assertSingle(
        sequence("{'type':'Elsa.SetVariable','id':'w','variable':{'id':'v9','name':'Oder'}}"),
        FindingCode.UNKNOWN_VARIABLE,
        "/root/activities/0/variable",
        "Order");
    assertSingle(
        sequence(
            "{'type':'Elsa.RunJavaScript','id':'j','result':{'memoryReference':{'id':'Totl'}}}"),
        FindingCode.UNKNOWN_VARIABLE,
        "/root/activities/0/result/memoryReference/id",
        "Total");
  }

  @Test
  void variables_of_containers_and_loops_are_seen_within_them_alone() {
    var line = script("variables.CurrentValue + variables.Inner");

    assertThat(
            sequence(
                "{'type':'Elsa.ForEach','id':'e','items':[1],'body':{'type':'Elsa.Sequence','id':'i',"
                    + "'variables':[{'id':'x','name':'Inner'}],'activities':["
                    + line
                    + "]}}"))
        .isEmpty();
    assertThat(sequence(line)).hasSize(2);
  }

  @Test
  void an_activity_that_nothing_leads_to_is_named() {
    var found =
        flow(
            "{'type':'Elsa.Start','id':'a'},{'type':'Elsa.WriteLine','id':'b'},"
                + "{'type':'Elsa.WriteLine','id':'c'},"
                + "{'type':'Elsa.Event','id':'t','customProperties':{'canStartWorkflow':true}}",
            connection("a", "Done", "b"));

    assertSingle(found, FindingCode.UNREACHABLE, "/root/activities/2", null);
    assertSingle(
        sequence("{'type':'Elsa.Finish','id':'a'}", "{'type':'Elsa.WriteLine','id':'b'}"),
        FindingCode.UNREACHABLE,
        "/root/activities/1",
        null);
  }

  @ParameterizedTest
  @ValueSource(strings = {"resume/me", "/Resume/{id}", "resume/{*rest}"})
  void an_endpoint_where_resume_links_are_is_named(String path) {
    assertSingle(
        sequence("{'type':'Elsa.HttpEndpoint','id':'a','path':'" + path + "'}"),
        FindingCode.UNREACHABLE,
        "/root/activities/0/path",
        null);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'path':'resume'",
        "'path':'resume/me/again'",
        "'path':'resumes/me'",
        "'path':'resume/me','supportedMethods':['PUT']"
      })
  void an_endpoint_beside_resume_links_is_not(String inputs) {
    assertThat(sequence("{'type':'Elsa.HttpEndpoint','id':'a'," + inputs + "}")).isEmpty();
  }

  @Test
  void a_failure_that_leads_nowhere_is_named() {
    var request = "{'type':'Elsa.FlowSendHttpRequest','id':'r','url':'http://a'}";
    var line = ",{'type':'Elsa.WriteLine','id':'w'}";

    var found = flow(request + line, connection("r", "Done", "w"));

    assertSingle(found, FindingCode.UNHANDLED_FAILURE, "/root/activities/0", null);
    assertThat(found.getFirst().message()).contains("\"Failed to connect\", \"Timeout\"");
    assertThat(
            flow(
                request + line,
                String.join(
                    ",",
                    connection("r", "Done", "w"),
                    connection("r", "Failed to connect", "w"),
                    connection("r", "Timeout", "w"))))
        .isEmpty();
    assertSingle(
        sequence("{'type':'Elsa.SendHttpRequest','id':'r','url':'http://a'}"),
        FindingCode.UNHANDLED_FAILURE,
        "/root/activities/0",
        null);
  }

  @ParameterizedTest
  @CsvSource({
    "'\"retry\":3', retry,",
    "'\"retry\":{\"attemps\":3}', retry/attemps, attempts",
    "'\"retry\":{\"attempts\":\"three\"}', retry/attempts,",
    "'\"retries\":{\"attempts\":3}', retries, retry",
    "'\"onfaults\":\"w\"', onfaults, onFault"
  })
  void a_policy_that_nobody_reads_is_named(
      String properties, String path, @Nullable String suggestion) {
    assertSingle(
        sequence(
            "{'type':'Elsa.WriteLine','id':'w','customProperties':{%s}}".formatted(properties)),
        FindingCode.INVALID_POLICY,
        "/root/activities/0/customProperties/" + path,
        suggestion);
  }

  @Test
  void a_duration_beyond_a_century_is_an_error() {
    for (var policy :
        List.of(
            "'timeout':'P36526D'",
            "'retry':{'delay':'P36526D'}",
            "'retry':{'maxDelay':'PT9223372036854775807S'}")) {
      var found =
          sequence("{'type':'Elsa.WriteLine','id':'w','customProperties':{" + policy + "}}");

      assertThat(found).as(policy).hasSize(1);
      assertThat(found.getFirst().message()).contains("at most 36525 days");
    }
    assertThat(
            sequence("{'type':'Elsa.WriteLine','id':'w','customProperties':{'timeout':'P36525D'}}"))
        .isEmpty();
  }

  @Test
  void an_unreadable_timeout_is_an_error_at_its_place() {
    var found = sequence("{'type':'Elsa.WriteLine','id':'w','customProperties':{'timeout':'20s'}}");

    assertThat(found).extracting(Finding::code).containsExactly(FindingCode.INVALID_POLICY);
    assertThat(found.getFirst().isError()).isTrue();
    assertThat(found.getFirst().path()).isEqualTo("/root/activities/0/customProperties/timeout");
  }

  @Test
  void a_misspelt_expression_is_not_taken_for_an_empty_input_in_silence() {
    assertSingle(
        sequence(
            "{'type':'Elsa.WriteLine','id':'w','text':{'typeName':'String','expresion':"
                + "{'type':'Literal','value':'x'}}}"),
        FindingCode.UNKNOWN_INPUT,
        "/root/activities/0/text/expresion",
        "expression");
  }

  @Test
  void the_examples_have_no_findings() throws IOException {
    assertThat(findings(MODULE.resolve("../../conf/examples"))).isEmpty();
  }

  /** Those with findings show what is unknown, unreachable or wrong, and use workflows. */
  @Test
  void of_the_definitions_of_the_conformance_cases_only_what_is_meant_to_be_wrong_is_named()
      throws IOException {
    var all = findings(MODULE.resolve("src/test/resources/skein/conformance/definitions"));

    all.keySet().removeIf(file -> file.contains("composition/"));
    assertThat(all.keySet())
        .containsExactlyInAnyOrder(
            "alterations/al-sched.json",
            "branching/flow-fork-none.json",
            "elsa-runtime/fc-backward.json",
            "elsa-runtime/fc-start-property.json",
            "elsa-runtime/pr-gone-dotted.json",
            "elsa-runtime/pr-gone-numbered.json",
            "elsa-runtime/pr-gone-plain.json",
            "elsa-runtime/pr-gone-version.json",
            "elsa-runtime/smoke.json",
            "elsa-runtime/sq-break-nested.json",
            "elsa-runtime/tk-unconnected.json",
            "elsa-runtime/while-true.json",
            "flowchart/explicit-start.json",
            "liquid/lq-nothing.json",
            "loops/each-complete.json",
            "loops/each-nested.json",
            "management/mg-bad.json",
            "management/mg-unknown.json",
            "primitives/finish-event.json",
            "primitives/finish-fork.json",
            "primitives/set-unknown.json",
            "primitives/unknown.json",
            "sequence/seq-complete.json",
            "sequence/seq-end.json",
            "timers/timer-bad.json");
  }

  private static Map<String, List<Finding>> findings(Path folder) throws IOException {
    var all = new TreeMap<String, List<Finding>>();
    try (var files = Files.walk(folder)) {
      for (var file : files.filter(f -> f.toString().endsWith(".json")).sorted().toList()) {
        var text = Files.readString(file);
        var json = JsonText.parse(text.getBytes(StandardCharsets.UTF_8), JsonLimits.DEFAULT);
        if (json instanceof Map<?, ?> map && map.containsKey("root")) {
          var found = new ArrayList<>(check(JsonText.parseObject(text, JsonLimits.DEFAULT)));
          if (!found.isEmpty()) {
            all.put(folder.relativize(file).toString(), found);
          }
        }
      }
    }
    return all;
  }
}
