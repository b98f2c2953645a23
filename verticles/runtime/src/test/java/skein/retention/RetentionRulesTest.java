package skein.retention;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import skein.model.WorkflowStatus;
import skein.storage.RetentionStore.Candidate;

class RetentionRulesTest {
  private final RetentionRules rules =
      new RetentionRules(
          Duration.ofDays(30),
          Map.of(
              WorkflowStatus.Faulted, Optional.of(Duration.ofDays(90)),
              WorkflowStatus.Cancelled, Optional.empty()),
          Map.of(
              "ping", Optional.of(Duration.ofDays(1)),
              "contract", Optional.empty()));

  private boolean isOver(String definitionId, WorkflowStatus status, @Nullable Integer days) {
    return isOver(definitionId, status, days, false);
  }

  private boolean isOver(
      String definitionId, WorkflowStatus status, @Nullable Integer days, boolean isAttached) {
    var ended = days == null ? null : Duration.ofDays(days);
    return rules.isOver(
        new Candidate("i", Instant.EPOCH, definitionId, status, 3, null, ended, isAttached));
  }

  @Test
  void a_definition_says_it_before_a_status_and_that_before_the_period() {
    assertThat(isOver("order", WorkflowStatus.Completed, 31)).isTrue();
    assertThat(isOver("order", WorkflowStatus.Completed, 29)).isFalse();
    assertThat(isOver("order", WorkflowStatus.Faulted, 31)).isFalse();
    assertThat(isOver("order", WorkflowStatus.Faulted, 91)).isTrue();
    assertThat(isOver("order", WorkflowStatus.Cancelled, 10_000)).isFalse();
    assertThat(isOver("ping", WorkflowStatus.Cancelled, 2)).isTrue();
    assertThat(isOver("contract", WorkflowStatus.Completed, 10_000)).isFalse();
    assertThat(rules.shortest()).isEqualTo(Duration.ofDays(1));
  }

  @Test
  void what_has_not_ended_or_belongs_to_a_family_that_lives_is_kept() {
    assertThat(isOver("ping", WorkflowStatus.Suspended, null)).isFalse();
    assertThat(isOver("ping", WorkflowStatus.Completed, 2, true)).isFalse();
  }
}
