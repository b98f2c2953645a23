package skein.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import skein.storage.TaskStore;

class LiveRoutesTest {
  private static String name(List<String> subjects, @Nullable String claimed) {
    return LiveRoutes.tasksName(new TaskStore.Query(subjects, claimed, List.of(), null, 0, 10));
  }

  @Test
  void a_name_that_looks_like_two_does_not_follow_the_tasks_of_both() {
    assertThat(name(List.of("user:kim, group:managers"), null))
        .isNotEqualTo(name(List.of("user:kim", "group:managers"), null));
    assertThat(name(List.of("user:kim"), "claimed:a"))
        .isNotEqualTo(name(List.of("user:kim"), "claimed:b"))
        .isEqualTo(name(List.of("user:kim"), "claimed:a"));
  }
}
