package skein.node.elsa;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import skein.node.elsa.InstancePlan.Family;

class InstancePlanTest {
  private static final Refusal COMPRESSED = new Refusal(Reason.STATE_COMPRESSED, "Zstd");

  private static InstancePlan plan(String id, Family family, @Nullable Refusal refusal) {
    return plan(id, family, false, refusal);
  }

  private static InstancePlan plan(
      String id, Family family, boolean isThere, @Nullable Refusal refusal) {
    var summary = ElsaDocuments.json("{\"id\": \"%s\"}".formatted(id));
    return new InstancePlan(new ElsaInstance(summary, null), family, isThere, refusal);
  }

  private static Family child(String parent) {
    return new Family(parent, Set.of(), false);
  }

  private static Family waitsFor(String child) {
    return new Family(null, Set.of(child), false);
  }

  private static List<String> whole(InstancePlan... plans) {
    return InstancePlan.whole(List.of(plans)).stream()
        .map(plan -> {
          var refusal = plan.refusal();
          return plan.instance().id() + (refusal == null ? "" : " " + refusal.reason());
        })
        .toList();
  }

  @Test
  void what_waits_comes_before_what_it_waits_for() {
    assertThat(whole(plan("c", child("p"), null), plan("p", waitsFor("c"), null)))
        .containsExactly("p", "c");
  }

  @Test
  void a_family_is_taken_whole_or_not_at_all() {
    assertThat(whole(plan("p", waitsFor("c"), null), plan("c", child("p"), COMPRESSED)))
        .containsExactly("p CHILD_NOT_TAKEN", "c STATE_COMPRESSED");
    assertThat(whole(plan("p", waitsFor("c"), COMPRESSED), plan("c", child("p"), null)))
        .containsExactly("p STATE_COMPRESSED", "c PARENT_NOT_TAKEN");
    assertThat(
            whole(
                plan("g", waitsFor("p"), null),
                plan("p", new Family("g", Set.of("c"), false), null),
                plan("c", child("p"), COMPRESSED)))
        .containsExactly("g CHILD_NOT_TAKEN", "p CHILD_NOT_TAKEN", "c STATE_COMPRESSED");
  }

  @Test
  void what_waits_for_an_instance_that_has_ended_is_left_to_elsa() {
    assertThat(whole(plan("p", waitsFor("gone"), null))).containsExactly("p CHILD_NOT_TAKEN");
  }

  @Test
  void what_waits_for_many_needs_all_of_them() {
    var many = new Family(null, Set.of(), true);

    assertThat(
            whole(
                plan("p", many, null),
                plan("c1", child("p"), null),
                plan("c2", child("p"), COMPRESSED)))
        .containsExactly("p CHILD_NOT_TAKEN", "c1 PARENT_NOT_TAKEN", "c2 STATE_COMPRESSED");
    assertThat(whole(plan("p", many, null), plan("c1", child("p"), null)))
        .containsExactly("p", "c1");
  }

  @Test
  void what_is_there_counts_as_taken() {
    assertThat(whole(plan("p", waitsFor("c"), true, null), plan("c", child("p"), null)))
        .containsExactly("p", "c");
  }
}
