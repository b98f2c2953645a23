package skein.node.elsa;

import static org.assertj.core.api.Assertions.assertThat;
import static skein.node.elsa.ElsaDocuments.order;
import static skein.node.elsa.ElsaDocuments.there;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import skein.node.elsa.DefinitionPlan.Verdict;

class DefinitionPlanTest {
  private static final String DRAFT = "\"isLatest\": true, \"isPublished\": false";
  private static final String PUBLISHED = "\"isLatest\": false, \"isPublished\": true";
  private static final String OLD = "\"isLatest\": false, \"isPublished\": false";
  private static final Situation QUIET = new Situation(null, true, false);

  /** Each step as the number of Elsa's version and what is done with it. */
  private static List<String> steps(DefinitionPlan plan) {
    return plan.steps().stream()
        .map(step ->
            step.definition().version()
                + switch (step.verdict()) {
                  case Verdict.Take() -> step.publishes() ? " publish" : " save";
                  case Verdict.Same(var version) -> " same " + version.version();
                  case Verdict.Leave(var refusal) -> " " + refusal.reason();
                })
        .toList();
  }

  @Test
  void what_instances_need_comes_first_then_what_is_published_then_the_draft() {
    var plan =
        DefinitionPlan.of(
            List.of(order(5, DRAFT, "five"), order(2, PUBLISHED, "two"), order(3, OLD, "three")),
            List.of(),
            QUIET);

    assertThat(steps(plan)).containsExactly("3 publish", "2 publish", "5 save");
    assertThat(plan.retracts()).isFalse();
  }

  @Test
  void where_nothing_is_published_in_elsa_nothing_stays_published() {
    var versions = List.of(order(1, OLD, "one"), order(2, DRAFT, "two"));

    var plan = DefinitionPlan.of(versions, List.of(), QUIET);
    assertThat(steps(plan)).containsExactly("1 publish", "2 save");
    assertThat(plan.retracts()).isTrue();

    var alone = DefinitionPlan.of(List.of(order(2, DRAFT, "two")), List.of(), QUIET);
    assertThat(steps(alone)).containsExactly("2 save");
    assertThat(alone.retracts()).isFalse();
  }

  @Test
  void what_an_import_that_ended_early_has_left_published_is_known() {
    var old = order(1, OLD, "one");
    var draft = order(2, DRAFT, "two");
    var saved = there(draft, 2, DRAFT);

    var plan =
        DefinitionPlan.of(List.of(old, draft), List.of(saved, there(old, 1, PUBLISHED)), QUIET);
    assertThat(steps(plan)).containsExactly("1 same 1", "2 same 2");
    assertThat(plan.isLeftPublished()).isTrue();
    assertThat(plan.lastPublished()).isEqualTo(old);
    assertThat(plan.without(new Refusal(Reason.REFUSED, "x")).isLeftPublished()).isTrue();

    var done = DefinitionPlan.of(List.of(old, draft), List.of(saved, there(old, 1, OLD)), QUIET);
    assertThat(done.isLeftPublished()).isFalse();
    // Somebody has published Elsa's draft in the cluster.
    var ours = there(draft, 2, "\"isLatest\": true, \"isPublished\": true");
    assertThat(
            DefinitionPlan.of(List.of(old, draft), List.of(ours, there(old, 1, OLD)), QUIET)
                .isLeftPublished())
        .isFalse();
  }

  @Test
  void what_says_the_same_is_the_same_whatever_its_version_is() {
    var two = order(2, PUBLISHED, "two");
    var three = order(3, OLD, "three");

    var plan =
        DefinitionPlan.of(
            List.of(three, two), List.of(there(two, 2, PUBLISHED), there(three, 1, OLD)), QUIET);

    assertThat(steps(plan)).containsExactly("3 same 1", "2 same 2");
  }

  @Test
  void an_import_that_ended_early_is_continued() {
    var two = order(2, PUBLISHED, "two");
    var three = order(3, OLD, "three");

    assertThat(
            steps(
                DefinitionPlan.of(List.of(three, two), List.of(there(three, 1, PUBLISHED)), QUIET)))
        .containsExactly("3 same 1", "2 publish");
    // A draft would be replaced by what follows.
    assertThat(
            steps(DefinitionPlan.of(List.of(three, two), List.of(there(three, 1, DRAFT)), QUIET)))
        .containsExactly("3 publish", "2 publish");
  }

  @Test
  void what_differs_is_left_unless_it_may_be_overwritten() {
    var two = order(2, PUBLISHED, "two");
    var other = there(order(1, PUBLISHED, "ours"), 4, "\"isLatest\": true, \"isPublished\": true");

    assertThat(steps(DefinitionPlan.of(List.of(two), List.of(other), QUIET)))
        .containsExactly("2 DIFFERS");
    assertThat(
            steps(DefinitionPlan.of(List.of(two), List.of(other), new Situation(null, true, true))))
        .containsExactly("2 publish");
  }

  @Test
  void what_has_to_be_the_newest_is_given_again_after_an_older_one() {
    var two = order(2, PUBLISHED, "two");
    var three = order(3, OLD, "three");
    var overwriting = new Situation(null, true, true);

    assertThat(
            steps(
                DefinitionPlan.of(
                    List.of(three, two), List.of(there(two, 1, PUBLISHED)), overwriting)))
        .containsExactly("3 publish", "2 publish");
  }

  @Test
  void what_starts_by_itself_is_left_while_elsa_may_run() {
    var timed = order(1, PUBLISHED, "x", "Elsa.Timer", true);
    var running = new Situation("stop Elsa", true, false);

    assertThat(steps(DefinitionPlan.of(List.of(timed), List.of(), running)))
        .containsExactly("1 ELSA_MAY_RUN");
    assertThat(steps(DefinitionPlan.of(List.of(timed), List.of(), QUIET)))
        .containsExactly("1 publish");
    var inside = order(1, PUBLISHED, "x", "Elsa.Timer", false);
    assertThat(steps(DefinitionPlan.of(List.of(inside), List.of(), running)))
        .containsExactly("1 publish");
    var event = order(1, PUBLISHED, "x", "Elsa.Event", true);
    assertThat(steps(DefinitionPlan.of(List.of(event), List.of(), running)))
        .containsExactly("1 publish");
  }

  @Test
  void an_earlier_version_that_may_start_needs_a_cluster_that_is_paused() {
    var old = order(1, OLD, "one", "Elsa.Event", true);
    var now = order(2, PUBLISHED, "two", "Elsa.Event", true);
    var begun = new Situation(null, false, false);

    assertThat(steps(DefinitionPlan.of(List.of(old, now), List.of(), begun)))
        .containsExactly("1 CLUSTER_NOT_PAUSED", "2 CLUSTER_NOT_PAUSED");
    assertThat(steps(DefinitionPlan.of(List.of(old, now), List.of(), QUIET)))
        .containsExactly("1 publish", "2 publish");
    assertThat(steps(DefinitionPlan.of(List.of(now), List.of(), begun)))
        .containsExactly("2 publish");
  }

  @Test
  void what_cannot_be_taken_in_itself_says_why() {
    var refused =
        order(1, PUBLISHED, "x").refused(new Refusal(Reason.SYSTEM_WORKFLOW, "of a module"));

    assertThat(steps(DefinitionPlan.of(List.of(refused), List.of(), QUIET)))
        .containsExactly("1 SYSTEM_WORKFLOW");
  }

  @Test
  void definitions_come_after_those_that_they_use() {
    var user =
        new ElsaDefinition(
            ElsaDocuments.json(
                """
                {"id": "u1", "definitionId": "user", "version": 1, "isPublished": true,
                 "root": {"type": "Elsa.DispatchWorkflow", "id": "d", "workflowDefinitionId":
                   {"typeName": "String", "expression": {"type": "Literal", "value": "order"}}}}
                """),
            List.of(),
            null);
    var plans =
        List.of(
            DefinitionPlan.of(List.of(user), List.of(), QUIET),
            DefinitionPlan.of(List.of(order(1, PUBLISHED, "x")), List.of(), QUIET));

    assertThat(DefinitionOrder.of(plans))
        .extracting(DefinitionPlan::definitionId)
        .containsExactly("order", "user");
  }

  @Test
  void labels_are_a_custom_property_and_elsas_marks_are_left_out() {
    var read =
        new ElsaDefinition(
            ElsaDocuments.json(
                """
                {"id": "v1", "definitionId": "order", "isReadonly": true, "isSystem": false,
                 "links": [], "customProperties": {"team": "a"}, "root": {"type": "Elsa.WriteLine"}}
                """),
            List.of("Finance", "Sales"),
            null);

    assertThat(read.document())
        .doesNotContainKeys("isReadonly", "isSystem", "links")
        .containsEntry("id", "v1")
        .containsEntry(
            "customProperties", Map.of("team", "a", "labels", List.of("Finance", "Sales")));
  }
}
