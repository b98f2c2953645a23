package skein.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import skein.storage.CountStore.ByOwner;
import skein.storage.CountStore.Unfinished;

class CountStoreTest {
  private static final Unfinished FIRST =
      new Unfinished(new ByOwner(Map.of("order", 3L), 1), new ByOwner(Map.of("shop", 3L), 1));

  private final List<Map<String, Long>> definitions = new ArrayList<>();
  private final List<Map<String, Long>> tenants = new ArrayList<>();

  private void pass(Unfinished before, Unfinished after) {
    after.passChanges(before, definitions::add, tenants::add);
  }

  @Test
  void a_first_count_is_passed_on() {
    pass(Unfinished.NONE, FIRST);

    assertThat(definitions).containsExactly(Map.of("order", 3L));
    assertThat(tenants).containsExactly(Map.of("shop", 3L));
  }

  @Test
  void a_count_without_tenants_leaves_the_one_before_that_had_them() {
    pass(FIRST, new Unfinished(new ByOwner(Map.of("order", 4L), 2), FIRST.byTenant()));

    assertThat(definitions).containsExactly(Map.of("order", 4L));
    assertThat(tenants).isEmpty();
  }

  @Test
  void a_count_by_which_all_have_ended_is_passed_on() {
    pass(FIRST, new Unfinished(new ByOwner(Map.of(), 2), new ByOwner(Map.of(), 2)));

    assertThat(definitions).containsExactly(Map.of());
    assertThat(tenants).containsExactly(Map.of());
  }
}
