package skein.burst;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static skein.burst.Workflows.BURST;
import static skein.burst.Workflows.ID;
import static skein.burst.Workflows.NOW;
import static skein.burst.Workflows.at;
import static skein.burst.Workflows.definition;
import static skein.burst.Workflows.event;
import static skein.burst.Workflows.line;
import static skein.burst.Workflows.request;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import skein.activities.Activities;
import skein.graph.Graph;
import skein.graph.GraphCompiler;
import skein.model.Alteration;
import skein.model.ErrorCode;
import skein.model.Incident;
import skein.model.SkeinException;
import skein.model.WorkflowInstance;
import skein.model.WorkflowStatus;

/** An activity that only other nodes know is theirs: this node neither executes nor faults it. */
class ActivitiesElsewhereTest {
  private static final String CHARGE =
      "{'type':'Acme.Charge','id':'c','customProperties':{'onFault':'l',"
          + "'retry':{'attempts':3,'delay':'00:00:10'}}}";

  private final Set<String> elsewhere = new HashSet<>(Set.of("Acme.Charge"));
  private final Graph graph =
      GraphCompiler.compile(
          definition(
              "'root':{'type':'Elsa.Sequence','id':'s','activities':["
                  + event("e", "go")
                  + ","
                  + CHARGE
                  + ","
                  + line("l", "l")
                  + "]}"),
          Activities.builtIn().among(elsewhere::contains));

  @Test
  void it_is_refused_for_now_and_counts_as_no_attempt() {
    var waiting = BURST.start(graph, ID, request(Map.of()), at(NOW)).next();

    assertThatThrownBy(() -> resume(waiting))
        .isInstanceOfSatisfying(
            SkeinException.class,
            refusal -> {
              assertThat(refusal.code()).isEqualTo(ErrorCode.ACTIVITY_ELSEWHERE);
              assertThat(refusal.code().isTransient()).isTrue();
              assertThat(refusal.errors()).containsExactly("Acme.Charge");
            });
  }

  @Test
  void it_faults_when_no_other_node_knows_it_any_more() {
    var plain =
        GraphCompiler.compile(
            definition("'root':{'type':'Acme.Charge','id':'c'}"),
            Activities.builtIn().among(elsewhere::contains));
    elsewhere.clear();

    var ended = BURST.start(plain, ID, request(Map.of()), at(NOW)).next();

    assertThat(ended.status()).isEqualTo(WorkflowStatus.Faulted);
    assertThat(ended.incidents()).extracting(Incident::type).isEqualTo(List.of("UnknownActivity"));
  }

  @Test
  void only_nodes_that_know_it_can_tell_whether_it_has_an_output_to_skip_it_with() {
    var plain =
        GraphCompiler.compile(
            definition(
                "'root':{'type':'Elsa.Sequence','id':'s','activities':["
                    + "{'type':'Acme.Charge','id':'c'}]}"),
            Activities.builtIn().among(elsewhere::contains));
    elsewhere.clear();
    var faulted = BURST.start(plain, ID, request(Map.of()), at(NOW)).next();
    var skip =
        new Alteration.Skip(
            Alteration.Target.activity("c"), Map.of("Receipt", 7L), List.of(), null);
    elsewhere.add("Acme.Charge");

    assertThatThrownBy(() -> BURST.alter(plain, Map.of(), faulted, List.of(skip), at(NOW)))
        .isInstanceOfSatisfying(
            SkeinException.class,
            refusal -> assertThat(refusal.code()).isEqualTo(ErrorCode.ACTIVITY_ELSEWHERE));
    elsewhere.clear();
    assertThatThrownBy(() -> BURST.alter(plain, Map.of(), faulted, List.of(skip), at(NOW)))
        .isInstanceOfSatisfying(
            SkeinException.class,
            refusal -> assertThat(refusal.code()).isEqualTo(ErrorCode.ALTERATION_REFUSED));
  }

  @Test
  void publishing_warns_of_it_in_other_words() {
    assertThat(graph.warnings()).singleElement().asString().contains("Acme.Charge", "other nodes");
    elsewhere.clear();
    var alone =
        GraphCompiler.compile(
            definition("'root':{'type':'Acme.Charge','id':'c'}"),
            Activities.builtIn().among(elsewhere::contains));
    assertThat(alone.warnings()).singleElement().asString().contains("no node knows");
  }

  private WorkflowInstance resume(WorkflowInstance waiting) {
    var bookmark = waiting.bookmarks().getFirst().id();
    return BURST.resume(graph, waiting, bookmark, Map.of(), false, at(NOW)).next();
  }
}
