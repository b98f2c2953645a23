package skein.exchange;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import skein.activities.Activities;
import skein.activities.Stimuli;
import skein.burst.Burst;
import skein.burst.BurstInputs;
import skein.burst.BurstLimits;
import skein.codecs.JsonLimits;
import skein.codecs.JsonText;
import skein.expressions.ExpressionLimits;
import skein.expressions.Expressions;
import skein.graph.Graph;
import skein.graph.GraphCompiler;
import skein.model.Bookmark;
import skein.model.DefinitionRef;
import skein.model.Effect;
import skein.model.ErrorCode;
import skein.model.InstanceId;
import skein.model.InstanceLimits;
import skein.model.JournalEntry;
import skein.model.Labels;
import skein.model.Parent;
import skein.model.SkeinException;
import skein.model.StartRequest;
import skein.model.StimulusHash;
import skein.model.Transition;
import skein.model.WorkflowDefinition;
import skein.model.WorkflowInstance;
import skein.model.WorkflowStatus;

/** Files as the serializers of Elsa 3 write them, with their references and names of types. */
class ElsaFilesTest {
  private static final Instant NOW = Instant.parse("2026-03-01T10:00:00Z");
  private static final Burst BURST =
      new Burst(new Expressions(ExpressionLimits.DEFAULT, () -> 0), BurstLimits.DEFAULT);

  private static final String LOOP =
      """
      {"variables": [
         {"id": "v1", "name": "Total", "typeName": "Int32", "value": 0},
         {"id": "v2", "name": "Note", "typeName": "String", "value": "as declared"}],
       "root": {"type": "Elsa.Sequence", "id": "seq", "activities": [
         {"type": "Elsa.ForEach", "id": "each",
          "items": {"typeName": "Object", "expression": {"type": "JavaScript", "value": "none"}},
          "body": {"type": "Elsa.Sequence", "id": "body", "activities": [
            {"type": "Elsa.Event", "id": "paid",
             "eventName": {"typeName": "String", "expression": {"type": "Literal", "value": "Paid"}}},
            {"type": "Elsa.WriteLine", "id": "line",
             "text": {"typeName": "String", "expression": {"type": "JavaScript",
               "value": "getVariable('CurrentValue').sku + ' ' + getVariable('Total') + ' ' + getVariable('Note')"}}}]}},
         {"type": "Elsa.WriteLine", "id": "end",
          "text": {"typeName": "String", "expression": {"type": "Literal", "value": "over"}}}]}}
      """;

  /** In the second of three turns; what was said first is referred to later. */
  private static final String LOOP_FILE =
      """
      {"WorkflowState": {"$id": "1",
        "id": "6f2c51a9d0b34e7f", "definitionId": "loop", "definitionVersionId": "elsa-v1",
        "definitionVersion": 1, "correlationId": "order-7", "name": "Seventh",
        "status": "Running", "subStatus": "Suspended", "isExecuting": false,
        "bookmarks": {"$id": "2", "$values": [{"$id": "3",
          "id": "9d1", "name": "Elsa.Event", "hash": "A1",
          "payload": {"$id": "4", "eventName": "Paid", "_type": "EventStimulus"},
          "activityId": "paid", "activityNodeId": "Workflow1:seq:each:body:paid",
          "activityInstanceId": "c5", "createdAt": "2026-03-01T10:00:00.1234567+00:00",
          "autoBurn": true, "callbackMethodName": "CompleteInternalAsync", "autoComplete": true}]},
        "incidents": {"$id": "5", "$values": []},
        "completionCallbacks": {"$id": "6", "$values": [
          {"$id": "7", "ownerInstanceId": "c3", "childNodeId": "Workflow1:seq:each:body", "methodName": "OnChildCompleted"},
          {"$id": "8", "ownerInstanceId": "c1", "childNodeId": "Workflow1:seq", "methodName": "OnRootCompletedAsync"}]},
        "activityExecutionContexts": {"$id": "9", "$values": [
          {"$id": "10", "id": "c5", "parentContextId": "c4",
           "scheduledActivityNodeId": "Workflow1:seq:each:body:paid",
           "ownerActivityNodeId": "Workflow1:seq:each:body", "properties": {}, "metadata": {},
           "activityState": {"EventName": "Paid"}, "dynamicVariables": {"$id": "11", "$values": []},
           "status": "Running", "startedAt": "2026-03-01T10:00:00.03+00:00"},
          {"$id": "12", "id": "c4", "parentContextId": "c3",
           "scheduledActivityNodeId": "Workflow1:seq:each:body",
           "properties": {"CurrentIndex": 1},
           "dynamicVariables": {"$id": "13", "$values": [
             {"id": "currentIndexVariable", "name": "CurrentIndex", "typeName": "Int32", "value": "1"},
             {"id": "currentValueVariable", "name": "CurrentValue", "typeName": "Object", "value": "System.Dynamic.ExpandoObject"}]},
           "status": "Running", "startedAt": "2026-03-01T10:00:00.02+00:00"},
          {"$id": "14", "id": "c3", "parentContextId": "c2",
           "scheduledActivityNodeId": "Workflow1:seq:each",
           "properties": {"CurrentIndex": 2},
           "activityState": {"Items": {"_items": [
              {"$id": "15", "sku": "a"}, {"$id": "16", "sku": "b"}, {"$ref": "15"}], "_type": "Object[]"}},
           "dynamicVariables": {"$id": "17", "$values": []},
           "status": "Running", "startedAt": "2026-03-01T10:00:00.01+00:00"},
          {"$id": "18", "id": "c2", "parentContextId": "c1", "scheduledActivityNodeId": "Workflow1:seq",
           "properties": {"CurrentIndex": 1}, "dynamicVariables": {"$id": "19", "$values": []},
           "status": "Running", "startedAt": "2026-03-01T10:00:00+00:00"},
          {"$id": "20", "id": "c1", "scheduledActivityNodeId": "Workflow1",
           "properties": {"Variables": {"$id": "21", "v1": 12, "_type": "VariablesDictionary"}},
           "dynamicVariables": {"$id": "22", "$values": []},
           "status": "Running", "startedAt": "2026-03-01T10:00:00+00:00"}]},
        "scheduledActivities": {"$id": "23", "$values": []},
        "executionLogSequence": 4,
        "input": {"order": {"$id": "24", "\\\\\\\\$ref": "kept", "lines": {"_island": "[1,2]", "_type": "JsonArray"}}},
        "output": {}, "properties": {},
        "createdAt": "2026-03-01T10:00:00+00:00", "updatedAt": "2026-03-01T10:00:01+00:00"},
       "Bookmarks": [], "ActivityExecutionRecords": [
         {"id": "c2", "workflowInstanceId": "6f2c51a9d0b34e7f", "activityId": "seq",
          "activityNodeId": "Workflow1:seq", "activityType": "Elsa.Sequence", "activityTypeVersion": 1,
          "startedAt": "2026-03-01T10:00:00+00:00", "status": "Running"},
         {"id": "c9", "workflowInstanceId": "6f2c51a9d0b34e7f", "activityId": "line",
          "activityNodeId": "Workflow1:seq:each:body:line", "activityType": "Elsa.WriteLine", "activityTypeVersion": 1,
          "activityState": {"Text": "a 0"}, "outputs": {"Result": 5},
          "startedAt": "2026-03-01T10:00:00.015+00:00", "completedAt": "2026-03-01T10:00:00.016+00:00", "status": "Completed"}],
       "WorkflowExecutionLogRecords": [
         {"id": "l0", "activityInstanceId": "c1", "activityId": "Workflow1", "activityType": "Elsa.Workflow",
          "activityTypeVersion": 1, "activityNodeId": "Workflow1", "timestamp": "2026-03-01T10:00:00+00:00", "sequence": 0, "eventName": "Started"},
         {"id": "l1", "activityInstanceId": "c2", "parentActivityInstanceId": "c1", "activityId": "seq", "activityType": "Elsa.Sequence",
          "activityTypeVersion": 1, "activityNodeId": "Workflow1:seq", "timestamp": "2026-03-01T10:00:00+00:00", "sequence": 1, "eventName": "Started"},
         {"id": "l2", "activityInstanceId": "c9", "parentActivityInstanceId": "c8", "activityId": "line", "activityType": "Elsa.WriteLine",
          "activityTypeVersion": 1, "activityNodeId": "Workflow1:seq:each:body:line", "timestamp": "2026-03-01T10:00:00.015+00:00", "sequence": 2, "eventName": "Started"},
         {"id": "l3", "activityInstanceId": "c9", "parentActivityInstanceId": "c8", "activityId": "line", "activityType": "Elsa.WriteLine",
          "activityTypeVersion": 1, "activityNodeId": "Workflow1:seq:each:body:line", "timestamp": "2026-03-01T10:00:00.016+00:00", "sequence": 3,
          "eventName": "Completed", "payload": {"Outcomes": ["Done"]}}]}
      """;

  @Test
  void without_a_log_the_journal_is_made_of_the_records() {
    var file = LOOP_FILE.replace("\"WorkflowExecutionLogRecords\"", "\"Others\"");

    assertThat(read(file, graph(LOOP)).journal())
        .extracting(entry -> entry.activityId() + " " + entry.event())
        .containsExactly("seq Started", "line Started", "line Completed");
  }

  @Test
  void an_instance_in_a_loop_goes_on_where_elsa_left_it() {
    var graph = graph(LOOP);
    var instance = read(LOOP_FILE, graph).instance();

    var third = resume(graph, instance, "paid");
    var end = resume(graph, third.next(), "paid");

    assertThat(instance.status()).isEqualTo(WorkflowStatus.Suspended);
    assertThat(lines(third)).containsExactly("b 12 as declared");
    assertThat(lines(end)).containsExactly("a 12 as declared", "over");
    assertThat(end.next().status()).isEqualTo(WorkflowStatus.Completed);
  }

  @Test
  void what_elsa_says_of_an_instance_is_kept() {
    var read = read(LOOP_FILE, graph(LOOP));
    var instance = read.instance();
    var bookmark = instance.bookmarks().getFirst();

    assertThat(instance.id().value()).isEqualTo("6f2c51a9d0b34e7f");
    assertThat(instance.labels()).isEqualTo(new Labels("Seventh", "order-7", null));
    assertThat(instance.input())
        .isEqualTo(Map.of("order", Map.of("$ref", "kept", "lines", List.of(1L, 2L))));
    assertThat(bookmark.hash()).isEqualTo(Stimuli.event("Paid"));
    assertThat(bookmark.id()).hasToString("6f2c51a9d0b34e7f-1");
    assertThat(instance.results()).isEqualTo(Map.of("line", Map.of("Result", 5L)));
    assertThat(read.journal())
        .extracting(JournalEntry::sequence, JournalEntry::execution, JournalEntry::event)
        .containsExactly(
            tuple(1L, 0, "Started"),
            tuple(2L, 1, "Started"),
            tuple(3L, 5, "Started"),
            tuple(4L, 5, "Completed"));
    assertThat(read.journal().get(2).data()).isEqualTo(Map.of("state", Map.of("Text", "a 0")));
    assertThat(read.journal().get(3).data())
        .isEqualTo(Map.of("outcomes", List.of("Done"), "outputs", Map.of("Result", 5L)));
    assertThat(instance.counters().journal()).isEqualTo(4);
  }

  @Test
  void an_instance_that_has_ended_is_history() {
    var file =
        LOOP_FILE
            .replace(
                "\"status\": \"Running\", \"subStatus\": \"Suspended\"",
                "\"status\": \"Finished\", \"subStatus\": \"Finished\", \"finishedAt\": \"2026-03-01T11:00:00+00:00\"")
            .replaceAll("(?s)\"activityExecutionContexts\": .*?(\"scheduledActivities\")", "$1")
            .replaceAll("(?s)\"completionCallbacks\": .*?(\"scheduledActivities\")", "$1")
            .replaceAll("(?s)\"bookmarks\": .*?(\"incidents\")", "$1");

    var read = read(file, graph(LOOP));

    assertThat(read.instance().status()).isEqualTo(WorkflowStatus.Completed);
    assertThat(read.instance().timing().finishedAt())
        .isEqualTo(Instant.parse("2026-03-01T11:00:00Z"));
    assertThat(read.instance().executions()).isEmpty();
    assertThat(read.journal()).extracting(JournalEntry::execution).startsWith(0, 1);
  }

  @Test
  void what_cannot_be_taken_over_is_refused_by_name() {
    refused(
        "WorkflowState.subStatus", "\"subStatus\": \"Suspended\"", "\"subStatus\": \"Executing\"");
    refused(
        "WorkflowState.subStatus",
        "\"subStatus\": \"Suspended\"",
        "\"subStatus\": \"Interrupted\"");
    refused(
        "WorkflowState.scheduledActivities",
        "{\"$id\": \"23\", \"$values\": []}",
        "{\"$id\": \"23\", \"$values\": [{\"activityNodeId\": \"Workflow1:seq\"}]}");
    refused(
        "WorkflowState.bookmarks[0].name",
        "\"name\": \"Elsa.Event\"",
        "\"name\": \"BackgroundActivity\"");
    refused(
        "WorkflowState.bookmarks[0].name", "\"name\": \"Elsa.Event\"", "\"name\": \"Elsa.Delay\"");
    refused(
        "WorkflowState.bookmarks[0].payload.eventName", "\"eventName\": \"Paid\"", "\"other\": 1");
    refused(
        "WorkflowState.bookmarks[0].activityInstanceId",
        "\"activityInstanceId\": \"c5\"",
        "\"activityInstanceId\": \"c99\"");
    refused(
        "WorkflowState.activityExecutionContexts[2].activityState.Items",
        "\"activityState\": {\"Items\"",
        "\"activityState\": {\"Others\"");
    refused(
        "WorkflowState.activityExecutionContexts[2].scheduledActivityNodeId",
        "\"scheduledActivityNodeId\": \"Workflow1:seq:each\"",
        "\"scheduledActivityNodeId\": \"Workflow1:seq:gone\"");
    refused(
        "WorkflowState.activityExecutionContexts[0].status",
        "\"status\": \"Running\", \"startedAt\": \"2026-03-01T10:00:00.03+00:00\"",
        "\"status\": \"Pending\", \"startedAt\": \"2026-03-01T10:00:00.03+00:00\"");
    refused(
        "WorkflowState.activityExecutionContexts[0].parentContextId",
        "\"parentContextId\": \"c4\"",
        "\"parentContextId\": \"c99\"");
    refused(
        "WorkflowState.completionCallbacks[0].ownerInstanceId",
        "\"ownerInstanceId\": \"c3\"",
        "\"ownerInstanceId\": \"c99\"");
    refused("$ref", "{\"$ref\": \"15\"}", "{\"$ref\": \"99\"}");
    refused(
        "WorkflowState.parentWorkflowInstanceId",
        "\"properties\": {},\n  \"createdAt\"",
        "\"properties\": {\"WaitForCompletion\": true},\n"
            + "        \"parentWorkflowInstanceId\": \"p1\", \"createdAt\"");
    refused("WorkflowState", "\"WorkflowState\"", "\"Workflow\"");
    refused(
        "WorkflowState.activityExecutionContexts[2].activityState",
        "\"Items\": {\"_items\"",
        "\"Items\": \"[1,2\", \"Kept\": {\"_items\"");
    refused("WorkflowState.output", "\"output\": {}", "\"output\": 5");
    refused(
        "workflowExecutionLogRecords[0].activityTypeVersion",
        "\"activityTypeVersion\": 1",
        "\"activityTypeVersion\": -1");
  }

  @Test
  void contexts_are_a_tree_with_one_root() {
    // c2, the root, below c4, which is below it.
    refused(
        "WorkflowState.activityExecutionContexts[0].parentContextId",
        "\"parentContextId\": \"c1\"",
        "\"parentContextId\": \"c4\"");
    refused(
        "WorkflowState.activityExecutionContexts[2].parentContextId",
        "\"id\": \"c3\", \"parentContextId\": \"c2\"",
        "\"id\": \"c3\", \"parentContextId\": \"c1\"");
    refused("WorkflowState.activityExecutionContexts[1].id", "\"id\": \"c4\"", "\"id\": \"c5\"");
  }

  @Test
  void ids_of_ours_do_not_place_a_context() {
    var file = LOOP_FILE.replaceAll("\"c([2-5])\"", "\"6f2c51a9d0b34e7f-a$1\"");
    var cyclic =
        file.replace(
            "\"parentContextId\": \"6f2c51a9d0b34e7f-a3\"",
            "\"parentContextId\": \"6f2c51a9d0b34e7f-a5\"");

    assertThat(cyclic).isNotEqualTo(file);
    assertThatThrownBy(() -> read(cyclic, graph(LOOP)))
        .hasMessageContaining("parentContextId: it is below itself");
  }

  @Test
  void contexts_that_are_over_are_left_out() {
    var over =
        """
        {"id": "c7", "parentContextId": "c4", "scheduledActivityNodeId": "Workflow1:seq:each:body:line",
         "status": "Completed", "startedAt": "2026-03-01T10:00:00.025+00:00"},
        """;
    var from = "{\"$id\": \"12\", \"id\": \"c4\"";
    assertThat(LOOP_FILE).contains(from);

    var instance = read(LOOP_FILE.replace(from, over + from), graph(LOOP)).instance();

    assertThat(instance.executions())
        .extracting(e -> e.nodeId())
        .doesNotContain("Workflow1:seq:each:body:line");
    assertThat(instance.executions()).hasSize(4);
  }

  @Test
  void limits_of_instances_hold_for_files() {
    var json = JsonText.parseObject(LOOP_FILE, JsonLimits.STORED);
    var few = new InstanceLimits(3, 10, 10, 1_000_000);

    assertThatThrownBy(() -> StateReader.of(json, few).read(graph(LOOP), null, NOW))
        .isInstanceOfSatisfying(
            SkeinException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.TOO_LARGE))
        .hasMessageContaining("execution.activities-max");
  }

  @Test
  void references_and_documents_are_counted_by_their_characters() {
    var text = "x".repeat(10_000);
    var first = "{\"$id\": \"t\", \"v\": \"" + text + "\"}";
    var dictionary =
        "{\"$id\": \"t\", \"_type\": \"VariablesDictionary\", \"v\": \"" + text + "\"}";
    var references = ", {\"$ref\": \"t\"}".repeat(20);
    var island = "{\"_island\": \"[" + "0,".repeat(60_000) + "0]\"}";

    for (var list : List.of(first + references, dictionary + references, island)) {
      var file = LOOP_FILE.replace("\"output\": {}", "\"output\": {\"many\": [" + list + "]}");
      var json = JsonText.parseObject(file, JsonLimits.STORED);
      assertThatThrownBy(() -> StateReader.of(json, new InstanceLimits(100, 10, 10, 100_000)))
          .isInstanceOfSatisfying(
              SkeinException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.TOO_LARGE));
      assertThat(StateReader.of(json, InstanceLimits.DEFAULT).id().value())
          .isEqualTo("6f2c51a9d0b34e7f");
    }
  }

  @Test
  void what_went_in_stands_once_in_the_journal() {
    var many = new StringBuilder();
    for (var i = 10; i < 20; i++) {
      many.append(
          """
          {"id": "l9", "activityInstanceId": "c9", "activityId": "line", "activityType": "Elsa.WriteLine",
           "activityNodeId": "Workflow1:seq:each:body:line", "timestamp": "2026-03-01T10:00:00.015+00:00",
           "sequence": %d, "eventName": "Started"},
          """
              .formatted(i));
    }
    var from = "{\"id\": \"l2\"";
    assertThat(LOOP_FILE).contains(from);

    var journal = read(LOOP_FILE.replace(from, many + from), graph(LOOP)).journal();

    assertThat(journal).hasSize(14);
    assertThat(journal).filteredOn(entry -> entry.data().containsKey("state")).hasSize(1);
  }

  @Test
  void an_unfinished_instance_has_no_end() {
    var file =
        LOOP_FILE.replace(
            "\"updatedAt\"", "\"finishedAt\": \"2001-01-01T00:00:00Z\", \"updatedAt\"");

    assertThat(read(file, graph(LOOP)).instance().timing().finishedAt()).isNull();
  }

  @Test
  void two_bookmarks_do_not_share_an_id() {
    var file = JOIN_FILE.replace("\"id\": \"b2\"", "\"id\": \"b1\"");

    assertThatThrownBy(() -> read(file, graph(JOIN)))
        .isInstanceOfSatisfying(
            SkeinException.class,
            e -> assertThat(e.errors()).containsExactly("WorkflowState.bookmarks[1].id"));
  }

  @Test
  void what_has_not_begun_has_nothing_under_way() {
    var pending = JOIN_FILE.replace("\"Suspended\"", "\"Pending\"");
    var empty =
        JOIN_FILE.replaceAll("(?s)\"bookmarks\": .*?(\"createdAt\": \"[^\"]*\"}}\\s*)$", "$1");

    assertThatThrownBy(() -> read(pending, graph(JOIN))).hasMessageContaining("has not begun");
    assertThat(empty).doesNotContain("activityExecutionContexts");
    assertThatThrownBy(() -> read(empty, graph(JOIN))).hasMessageContaining("nothing is under way");
  }

  @Test
  void incidents_of_older_versions_say_only_the_activity() {
    var file =
        LOOP_FILE.replace(
            "{\"$id\": \"5\", \"$values\": []}",
            """
            [{"activityId": "line", "activityType": "Elsa.WriteLine", "message": "no",
              "timestamp": "2026-03-01T10:00:00Z"}]\
            """);

    assertThat(read(file, graph(LOOP)).instance().incidents())
        .extracting(incident -> incident.nodeId())
        .containsExactly("Workflow1:seq:each:body:line");
  }

  @Test
  void paths_begin_with_the_id_that_the_workflow_has_here() {
    var file = LOOP_FILE.replace("Workflow1:", "OfElsa:").replace("\"Workflow1\"", "\"OfElsa\"");

    var read = read(file, graph(LOOP));

    assertThat(read.instance().bookmarks().getFirst().nodeId())
        .isEqualTo("Workflow1:seq:each:body:paid");
    assertThat(read.journal()).extracting(JournalEntry::nodeId).contains("Workflow1:seq");
  }

  @Test
  void names_that_mean_something_to_a_reader_are_kept_in_values() {
    var value =
        Map.<String, Object>of(
            "_type", "mine", "_items", List.of(1L), "_island", "{", "$id", "i", "$ref", "r");
    var graph = graph(JOIN);
    var input =
        Map.<String, @Nullable Object>of(
            "value",
            value,
            "_type",
            "own",
            "$id",
            "own",
            "$ref",
            value,
            "a\\\\$b",
            1L,
            "nested",
            Map.of("a\\\\$b", List.of(Map.of("$ref", "1"), Map.of("_items", List.of()))));
    var instance = started(graph, input);

    assertThat(Files.throughFile(instance, graph)).isEqualTo(instance);
    assertThat(Files.throughFile(started(graph, Map.of("$ref", "1")), graph).input())
        .isEqualTo(Map.of("$ref", "1"));
  }

  @Test
  void outputs_of_what_began_here_and_ended_in_elsa_are_its_records() {
    var file = LOOP_FILE.replace("\"c9\"", "\"6f2c51a9d0b34e7f-a9\"");
    var ours =
        file.replace(
            "\"payload\": {\"Outcomes\": [\"Done\"]}",
            "\"payload\": {\"outcomes\": [\"Done\"], \"outputs\": {\"Result\": 4}}");
    assertThat(ours).isNotEqualTo(file);

    var read = read(file, graph(LOOP));

    assertThat(read.journal().getLast().data()).containsEntry("outputs", Map.of("Result", 5L));
    assertThat(read.instance().results()).isEqualTo(Map.of("line", Map.of("Result", 5L)));
    assertThat(read(ours, graph(LOOP)).journal().getLast().data())
        .containsEntry("outputs", Map.of("Result", 4L));
    assertThat(read(ours, graph(LOOP)).instance().results()).isEmpty();
  }

  private static void refused(String member, String text, String instead) {
    assertThat(LOOP_FILE).contains(text);
    assertThatThrownBy(() -> read(LOOP_FILE.replace(text, instead), graph(LOOP)))
        .isInstanceOfSatisfying(
            SkeinException.class,
            e -> {
              assertThat(e.code()).isEqualTo(ErrorCode.INVALID_REQUEST);
              assertThat(e.errors()).containsExactly(member);
            });
  }

  @Test
  void a_few_references_do_not_stand_for_any_number_of_values() {
    var text = new StringBuilder("{\"$id\": \"0\", \"x\": 1}");
    for (var i = 1; i < 40; i++) {
      text.append(
          ",{\"$id\": \"%d\", \"a\": {\"$ref\": \"%d\"}, \"b\": {\"$ref\": \"%d\"}}"
              .formatted(i, i - 1, i - 1));
    }
    var file =
        LOOP_FILE.replace(
            "\"input\": {\"order\":",
            "\"input\": {\"many\": ["
                + text.toString()
                    .replace("\"$id\": \"", "\"$id\": \"m")
                    .replace("\"$ref\": \"", "\"$ref\": \"m")
                + "], \"order\":");

    assertThatThrownBy(() -> read(file, graph(LOOP)))
        .isInstanceOf(SkeinException.class)
        .hasMessageContaining("stands for more than");
  }

  private static final String JOIN =
      """
      {"root": {"type": "Elsa.Flowchart", "id": "flow", "activities": [
         {"type": "Elsa.Start", "id": "start"},
         {"type": "Elsa.Delay", "id": "rest",
          "timeSpan": {"typeName": "TimeSpan", "expression": {"type": "Literal", "value": "01:00:00"}}},
         {"type": "Elsa.RunTask", "id": "task",
          "taskName": {"typeName": "String", "expression": {"type": "Literal", "value": "Pack"}}},
         {"type": "Elsa.FlowJoin", "id": "join",
          "mode": {"typeName": "Elsa.Workflows.Activities.Flowchart.Models.FlowJoinMode, Elsa.Workflows.Core",
            "expression": {"type": "Literal", "value": "WaitAll"}}},
         {"type": "Elsa.WriteLine", "id": "line",
          "text": {"typeName": "String", "expression": {"type": "Literal", "value": "joined"}}}],
       "connections": [
         {"source": {"activity": "start", "port": "Done"}, "target": {"activity": "rest", "port": "In"}},
         {"source": {"activity": "start", "port": "Done"}, "target": {"activity": "task", "port": "In"}},
         {"source": {"activity": "rest", "port": "Done"}, "target": {"activity": "join", "port": "In"}},
         {"source": {"activity": "task", "port": "Done"}, "target": {"activity": "join", "port": "In"}},
         {"source": {"activity": "join", "port": "Done"}, "target": {"activity": "line", "port": "In"}}]}}
      """;

  private static final String JOIN_FILE =
      """
      {"WorkflowState": {
        "id": "abc", "definitionId": "loop", "definitionVersionId": "v", "definitionVersion": 1,
        "status": "Running", "subStatus": "Suspended",
        "bookmarks": [
          {"id": "b1", "name": "Elsa.Delay", "hash": "1",
           "payload": {"resumeAt": "2026-03-01T11:00:00+00:00",
             "_type": "Elsa.Scheduling.Bookmarks.DelayPayload, Elsa.Scheduling"},
           "activityId": "rest", "activityNodeId": "Workflow1:flow:rest", "activityInstanceId": "r",
           "createdAt": "2026-03-01T10:00:00+00:00"},
          {"id": "b2", "name": "Elsa.RunTask", "hash": "2",
           "payload": {"taskId": "7e57", "taskName": "Pack", "_type": "RunTaskStimulus"},
           "activityId": "task", "activityNodeId": "Workflow1:flow:task", "activityInstanceId": "t",
           "createdAt": "2026-03-01T10:00:00+00:00"}],
        "activityExecutionContexts": [
          {"id": "w", "scheduledActivityNodeId": "Workflow1", "status": "Running", "startedAt": "2026-03-01T10:00:00+00:00"},
          {"id": "f", "parentContextId": "w", "scheduledActivityNodeId": "Workflow1:flow", "status": "Running",
           "startedAt": "2026-03-01T10:00:00+00:00",
           "properties": {"FlowScope": {"_type": "FlowScope",
             "activitiesVisitCount": {"start": 1},
             "connectionVisitCount": {"start:Done->rest:In": 1, "start:Done->task:In": 1},
             "connectionLastVisitFollowed": {"start:Done->rest:In": true, "start:Done->task:In": true}}}},
          {"id": "r", "parentContextId": "f", "scheduledActivityNodeId": "Workflow1:flow:rest", "status": "Running", "startedAt": "2026-03-01T10:00:00+00:00"},
          {"id": "t", "parentContextId": "f", "scheduledActivityNodeId": "Workflow1:flow:task", "status": "Running", "startedAt": "2026-03-01T10:00:00+00:00"}],
        "createdAt": "2026-03-01T10:00:00+00:00"}}
      """;

  @Test
  void a_flowchart_joins_what_elsa_has_begun() {
    var graph = graph(JOIN);
    var instance = read(JOIN_FILE, graph).instance();

    var first = resume(graph, instance, "rest");
    var second = resume(graph, first.next(), "task");

    assertThat(instance.bookmarks())
        .extracting(Bookmark::dueAt)
        .containsExactly(Instant.parse("2026-03-01T11:00:00Z"), null);
    assertThat(instance.bookmarks().getLast().hash()).isEqualTo(Stimuli.foreignTask("7e57"));
    assertThat(lines(first)).isEmpty();
    assertThat(lines(second)).containsExactly("joined");
    assertThat(second.next().status()).isEqualTo(WorkflowStatus.Completed);
  }

  @Test
  void a_child_finds_the_activity_that_waits_for_its_end() {
    var graph =
        graph(
            """
            {"root": {"type": "Elsa.DispatchWorkflow", "id": "call",
              "workflowDefinitionId": {"typeName": "String", "expression": {"type": "Literal", "value": "other"}},
              "waitForCompletion": {"typeName": "Boolean", "expression": {"type": "Literal", "value": true}}}}
            """);
    var parent =
        read(
                """
                {"WorkflowState": {"id": "p1", "definitionId": "loop", "definitionVersionId": "v", "definitionVersion": 1,
                  "status": "Running", "subStatus": "Suspended",
                  "bookmarks": [{"id": "b", "name": "Elsa.DispatchWorkflow",
                    "payload": {"childInstanceId": "6f2c51a9d0b34e7f"}, "activityId": "call",
                    "activityNodeId": "Workflow1:call", "activityInstanceId": "x"}],
                  "activityExecutionContexts": [
                    {"id": "w", "scheduledActivityNodeId": "Workflow1", "status": "Running", "startedAt": "2026-03-01T10:00:00Z"},
                    {"id": "x", "parentContextId": "w", "scheduledActivityNodeId": "Workflow1:call", "status": "Running", "startedAt": "2026-03-01T10:00:00Z"}],
                  "createdAt": "2026-03-01T10:00:00Z"}}
                """,
                graph)
            .instance();
    var file =
        LOOP_FILE.replace(
            "\"properties\": {},\n  \"createdAt\"",
            "\"properties\": {\"WaitForCompletion\": true, \"ParentInstanceId\": \"p1\"},\n"
                + "        \"parentWorkflowInstanceId\": \"p1\", \"createdAt\"");
    var reader =
        StateReader.of(JsonText.parseObject(file, JsonLimits.STORED), InstanceLimits.DEFAULT);

    var child = reader.read(graph(LOOP), parent, NOW).instance();
    var told =
        BURST.childDone(
            graph,
            parent,
            1,
            Map.of("child", Map.of("status", "Finished", "subStatus", "Finished")),
            false,
            inputs());

    var gone =
        BURST
            .resume(graph, parent, parent.bookmarks().getFirst().id(), Map.of(), false, inputs())
            .next();
    var ended =
        file.replace(
            "\"Running\", \"subStatus\": \"Suspended\"",
            "\"Finished\", \"subStatus\": \"Cancelled\"");
    var forged =
        StateReader.of(
            JsonText.parseObject(
                file.replace(
                    "\"ParentInstanceId\": \"p1\"",
                    "\"Skein\": {\"parent\": {\"id\": \"p1\", \"execution\": 7, \"notice\": \"AtEnd\"}}"),
                JsonLimits.STORED),
            InstanceLimits.DEFAULT);

    assertThat(
            StateReader.of(JsonText.parseObject(ended, JsonLimits.STORED), InstanceLimits.DEFAULT)
                .read(graph(LOOP), gone, NOW)
                .instance()
                .labels()
                .parent())
        .isEqualTo(new Parent(new InstanceId("p1"), 0, Parent.Notice.Never));
    assertThat(forged.waitingParent()).isEqualTo(new InstanceId("p1"));
    assertThatThrownBy(() -> forged.read(graph(LOOP), parent, NOW))
        .hasMessageContaining("does not wait for its end");
    assertThat(reader.waitingParent()).isEqualTo(new InstanceId("p1"));
    assertThat(child.labels().parent())
        .isEqualTo(new Parent(new InstanceId("p1"), 1, Parent.Notice.AtEnd));
    assertThat(told).isNotNull();
    assertThat(told.next().status()).isEqualTo(WorkflowStatus.Completed);
  }

  @Test
  void an_instance_that_has_not_begun_begins_here() {
    var graph = graph(JOIN);
    var file =
        """
        {"WorkflowState": {"id": "i9", "definitionId": "loop", "definitionVersionId": "v", "definitionVersion": 1,
          "status": "Running", "subStatus": "Pending", "input": {"a": 1}, "createdAt": "2026-03-01T10:00:00Z"}}
        """;
    var ours =
        BURST
            .pend(
                graph,
                new InstanceId("i1"),
                new StartRequest(Map.of("b", 2L), Labels.NONE, "start", "s", "f"),
                inputs())
            .next();

    var begun = BURST.run(graph, read(file, graph).instance(), inputs()).next();

    assertThat(begun.input()).isEqualTo(Map.of("a", 1L));
    assertThat(begun.status()).isEqualTo(WorkflowStatus.Suspended);
    assertThat(begun.executions()).extracting(e -> e.number()).startsWith(1);
    assertThat(Files.throughFile(ours, graph)).isEqualTo(ours);
  }

  private static Graph graph(String json) {
    return GraphCompiler.compile(
        new WorkflowDefinition(
            new DefinitionRef("loop", "here-v1", 1),
            "Loop",
            null,
            true,
            true,
            NOW,
            JsonText.parseObject(json, JsonLimits.STORED)),
        Activities.builtIn());
  }

  private static StateReader.Exchanged read(String file, Graph graph) {
    return StateReader.of(JsonText.parseObject(file, JsonLimits.STORED), InstanceLimits.DEFAULT)
        .read(graph, null, NOW);
  }

  private static BurstInputs inputs() {
    return new BurstInputs(NOW.plusSeconds(7_200), 7, new UUID(1, 2));
  }

  private static Transition resume(Graph graph, WorkflowInstance instance, String activityId) {
    var bookmark =
        instance.bookmarks().stream()
            .filter(b -> b.activityId().equals(activityId))
            .findFirst()
            .orElseThrow();
    return BURST.resume(graph, instance, bookmark.id(), Map.of(), false, inputs());
  }

  private static List<String> lines(Transition transition) {
    return transition.effects().stream()
        .filter(Effect.Line.class::isInstance)
        .map(effect -> ((Effect.Line) effect).text())
        .toList();
  }

  /** Whatever they wait for: events, tasks, people, times, requests, other instances. */
  @Test
  void instances_of_all_sample_definitions_come_back_as_they_were() throws Exception {
    var waiting = new TreeSet<String>();
    var folder = Path.of("src/test/resources/skein/conformance/definitions");
    try (var files = java.nio.file.Files.walk(folder)) {
      for (var file : files.filter(f -> f.toString().endsWith(".json")).toList()) {
        var graph = graph(java.nio.file.Files.readString(file));
        var instance = started(graph, Map.of());
        for (var step = 0; step < 5; step++) {
          assertThat(Files.throughFile(instance, graph)).as(file.toString()).isEqualTo(instance);
          instance.bookmarks().forEach(bookmark -> waiting.add(bookmark.name()));
          if (instance.status() != WorkflowStatus.Suspended || instance.bookmarks().isEmpty()) {
            break;
          }
          var bookmark = instance.bookmarks().getFirst();
          instance = BURST.resume(graph, instance, bookmark.id(), Map.of(), false, inputs()).next();
        }
      }
    }
    assertThat(waiting)
        .contains(
            "Elsa.Event",
            "Elsa.RunTask",
            "Elsa.Delay",
            "Elsa.Timer",
            "Elsa.Cron",
            "Elsa.StartAt",
            "Elsa.HttpEndpoint",
            "Elsa.DispatchWorkflow",
            "Elsa.ExecuteWorkflow",
            "Elsa.BulkDispatchWorkflows");
  }

  // What Elsa reads

  @Test
  void an_export_has_what_elsas_reader_takes() {
    var graph = graph(JOIN);
    var instance = started(graph, Map.of("order", Map.of("$id", "mine")));

    var file = Files.file(instance, graph);
    var state = object(file.get("WorkflowState"));
    var contexts = list(state.get("activityExecutionContexts"));
    var flow = object(contexts.get(1).get("properties"));
    var delay = list(state.get("bookmarks")).getFirst();
    var task = list(state.get("bookmarks")).getLast();

    assertThat(state)
        .containsEntry("status", "Running")
        .containsEntry("subStatus", "Suspended")
        .containsEntry("input", Map.of("order", Map.of("\\\\$id", "mine")));
    assertThat(object(state.get("properties")))
        .containsEntry("Flowchart:ExecutionMode", "CounterBased");
    assertThat(contexts.getFirst())
        .containsEntry("id", "i1-a0")
        .containsEntry("scheduledActivityNodeId", "Workflow1");
    assertThat(contexts.get(1)).containsEntry("parentContextId", "i1-a0");
    assertThat(flow.get("FlowScope"))
        .isEqualTo(
            Map.of(
                "activitiesVisitCount",
                Map.of("start", 1L),
                "connectionVisitCount",
                Map.of("start:Done->rest:In", 1L, "start:Done->task:In", 1L),
                "connectionLastVisitFollowed",
                Map.of("start:Done->rest:In", true, "start:Done->task:In", true),
                "_type",
                "Elsa.Workflows.Activities.Flowchart.Models.FlowScope, Elsa.Workflows.Core"));
    assertThat(object(flow.get("Variables")))
        .containsEntry("_type", "Elsa.Workflows.VariablesDictionary, Elsa.Workflows.Core");
    assertThat(delay.get("payload"))
        .isEqualTo(
            Map.of(
                "resumeAt",
                "2026-03-01T11:00:00Z",
                "_type",
                "Elsa.Scheduling.Bookmarks.DelayPayload, Elsa.Scheduling"));
    assertThat(task)
        .containsEntry("callbackMethodName", "ResumeAsync")
        .containsEntry("activityInstanceId", "i1-a4")
        .containsEntry(
            "hash", StimulusHash.sha256("Elsa.RunTask|{\"TaskId\":\"" + task.get("id") + "\"}"));
    assertThat(list(state.get("completionCallbacks")))
        .extracting(c -> c.get("ownerInstanceId") + " " + c.get("methodName"))
        .containsExactly(
            "i1-a0 OnRootCompletedAsync",
            "i1-a1 OnChildCompletedAsync",
            "i1-a1 OnChildCompletedAsync");
    assertThat(list(file.get("Bookmarks")))
        .allSatisfy(stored ->
            assertThat(stored)
                .containsKeys(
                    "id",
                    "activityTypeName",
                    "workflowInstanceId",
                    "activityInstanceId",
                    "hash",
                    "correlationId",
                    "createdAt",
                    "payload",
                    "metadata"));
  }

  @Test
  void turns_that_are_taken_at_once_have_the_tags_that_elsa_counts() {
    var graph =
        graph(
            """
            {"root": {"type": "Elsa.ParallelForEach", "id": "all",
              "items": {"typeName": "Object", "expression": {"type": "JavaScript", "value": "[1, 2]"}},
              "body": {"type": "Elsa.Event", "id": "go",
                "eventName": {"typeName": "String", "expression": {"type": "Literal", "value": "Go"}}}}}
            """);

    var state = object(Files.file(started(graph, Map.of()), graph).get("WorkflowState"));

    var loop = object(list(state.get("activityExecutionContexts")).get(1).get("properties"));
    assertThat(object(loop.get("ScheduledTagsProperty")))
        .containsEntry(
            "_island",
            "[\"00000000-0000-0000-0000-000000000002\",\"00000000-0000-0000-0000-000000000003\"]");
    assertThat(list(state.get("completionCallbacks")))
        .extracting(c -> c.get("methodName") + " " + c.get("tag"))
        .contains("OnChildCompleted 00000000-0000-0000-0000-000000000003");
  }

  @Test
  void a_task_for_people_keeps_what_only_we_know() {
    var graph =
        graph(
            """
            {"root": {"type": "Skein.UserTask", "id": "ask",
              "escalateAfter": {"typeName": "TimeSpan", "expression": {"type": "Literal", "value": "01:00:00"}},
              "escalateTo": {"typeName": "Object", "expression": {"type": "Object", "value": "{\\"groups\\": [\\"chiefs\\"]}"}}}}
            """);
    var instance = started(graph, Map.of());

    assertThat(instance.bookmarks()).hasSize(2);
    assertThat(Files.throughFile(instance, graph)).isEqualTo(instance);
  }

  @Test
  void hashes_are_those_of_dotnets_serializer() {
    assertThat(ElsaHash.of("Elsa.Event", Map.of("EventName", "Größe <1>\n"), null))
        .isEqualTo(
            StimulusHash.sha256(
                "Elsa.Event|{\"EventName\":\"Gr\\u00F6\\u00DFe \\u003C1\\u003E\\n\"}"));
  }

  private static WorkflowInstance started(Graph graph, Map<String, @Nullable Object> input) {
    return BURST
        .start(
            graph,
            new InstanceId("i1"),
            new StartRequest(input, Labels.NONE, null, null, null),
            new BurstInputs(NOW, 7, new UUID(1, 2)))
        .next();
  }

  private static Map<String, @Nullable Object> object(@Nullable Object value) {
    assertThat(value).isInstanceOf(Map.class);
    return Members.of((Map<?, ?>) requireNonNull(value));
  }

  private static List<Map<String, @Nullable Object>> list(@Nullable Object value) {
    assertThat(value).isInstanceOf(List.class);
    return ((List<?>) requireNonNull(value)).stream().map(ElsaFilesTest::object).toList();
  }
}
