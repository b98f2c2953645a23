package skein.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import skein.activities.Activities;
import skein.codecs.DefinitionCodec;
import skein.codecs.JsonLimits;
import skein.codecs.JsonText;
import skein.exchange.DefinitionWriter;
import skein.model.WorkflowDefinition;

class SubgraphTest {
  private static final WorkflowDefinition DEFINITION =
      DefinitionCodec.read(
          JsonText.parseObject(
              """
              {"root": {"id": "F", "type": "Elsa.Flowchart", "activities": [
                {"id": "W", "type": "Elsa.While", "name": "Again",
                 "body": {"id": "S", "type": "Elsa.Sequence", "activities": [
                   {"id": "L", "type": "Elsa.WriteLine"}]}},
                {"id": "C", "type": "Elsa.Switch", "cases": [
                  {"label": "a", "activity": {"id": "A", "type": "Elsa.WriteLine"}}]}]}}
              """,
              JsonLimits.DEFAULT),
          Instant.EPOCH,
          "d",
          "v");
  private static final Subgraph GRAPH =
      new Subgraph(DEFINITION, DefinitionWriter.write(DEFINITION, Activities.builtIn(), Map.of()));

  @Test
  void a_part_is_found_by_its_path_with_the_port_that_holds_it() {
    var node = GRAPH.from("Workflow1:F:W:S");

    assertThat(node).containsEntry("nodeId", "Workflow1:F:W:S").containsEntry("port", "Body");
    assertThat(String.valueOf(node.get("activity"))).contains("Elsa.WriteLine");
  }

  @Test
  void an_unknown_path_gives_the_whole_workflow() {
    var node = GRAPH.from("Workflow1:F:X");

    assertThat(node).containsEntry("nodeId", "Workflow1");
    assertThat(String.valueOf(node.get("activity"))).contains("Elsa.Workflow", "Elsa.Flowchart");
  }

  @Test
  void segments_lead_from_the_outside_in_and_leave_flowcharts_out() {
    var way = GRAPH.segments("Workflow1:F:W:S:L");

    assertThat(way).isNotNull();
    assertThat(ids(way)).containsExactly("W Body", "S Activities");
    assertThat(String.valueOf(way.get("container"))).contains("nodeId=Workflow1:F:W:S,");
    assertThat(String.valueOf(way.get("pathSegments"))).contains("activityName=Again");
  }

  @Test
  void what_is_held_by_a_case_is_held_by_its_owner() {
    var way = GRAPH.segments("Workflow1:F:C:A");

    assertThat(way).isNotNull();
    assertThat(ids(way)).containsExactly("C Cases");
    assertThat(GRAPH.segments("Workflow1:nothing")).isNull();
  }

  private static List<String> ids(Map<String, @Nullable Object> way) {
    return way.get("pathSegments") instanceof List<?> segments
        ? segments.stream()
            .map(segment -> (Map<?, ?>) segment)
            .map(segment -> segment.get("activityId") + " " + segment.get("portName"))
            .toList()
        : List.of();
  }
}
