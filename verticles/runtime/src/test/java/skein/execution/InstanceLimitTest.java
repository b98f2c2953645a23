package skein.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;

class InstanceLimitTest {
  @Test
  void a_count_says_which_definitions_have_as_many_as_they_may() {
    var limit = new InstanceLimit(3);
    assertThat(limit.isReached("a")).isFalse();

    limit.counted(Map.of("a", 3L, "b", 2L));

    assertThat(limit.isReached("a")).isTrue();
    assertThat(limit.isReached("b")).isFalse();
    assertThat(limit.isReached("c")).isFalse();
  }

  @Test
  void a_new_count_takes_the_place_of_all_that_was_known() {
    var limit = new InstanceLimit(3);
    limit.counted(Map.of("a", 3L));

    limit.counted(Map.of("b", 5L));

    assertThat(limit.isReached("a")).isFalse();
    assertThat(limit.isReached("b")).isTrue();
  }

  @Test
  void without_a_limit_no_count_reaches_it() {
    var limit = new InstanceLimit(InstanceLimit.NONE);

    limit.counted(Map.of("a", Long.MAX_VALUE));

    assertThat(limit.isReached("a")).isFalse();
    assertThatThrownBy(() -> new InstanceLimit(-1)).isInstanceOf(IllegalArgumentException.class);
  }
}
