package skein.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import skein.model.ErrorCode;
import skein.model.SkeinException;

class LifecycleTest {
  @Test
  void a_node_that_is_too_busy_to_answer_is_no_failure_of_it() {
    var late = new Await.UnansweredException(Duration.ofSeconds(1), new TimeoutException());

    var told = Lifecycle.refusal("n1", late);

    assertThat(told)
        .isInstanceOfSatisfying(
            SkeinException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.TIMEOUT))
        .hasCause(late);
  }

  @Test
  void other_failures_are_told_as_they_are() {
    var refused = SkeinException.tooMany("changes", 1);
    var unforeseen = new IllegalStateException("unforeseen");

    assertThat(Lifecycle.refusal("n1", refused)).isSameAs(refused);
    assertThat(Lifecycle.refusal("n1", unforeseen)).isSameAs(unforeseen);
  }
}
