package skein.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Pages behind the last one, as far as a request may ask for. */
class FarPagesIT {
  private static final int SKIP = Integer.MAX_VALUE;
  private static Database database;

  @BeforeAll
  static void migrate() {
    database = TestDatabase.migrated();
  }

  @ParameterizedTest
  @EnumSource
  void of_instances_are_empty(InstanceQuery.Order order) {
    var window = new InstanceQuery.Window(order, true, SKIP, 10);
    var named = new InstanceQuery.Named(List.of(), List.of(), null, null, null, null);
    var query = new InstanceQuery(named, List.of(), null, null, List.of(), window);

    var page = new InstanceStore(database).list(query, TenantScope.ALL).await();

    assertThat(page.items()).isEmpty();
    assertThat(page.total()).isZero();
  }

  @Test
  void of_tasks_timers_and_dead_letters_are_empty() {
    var tasks = new TaskStore.Query(List.of(), null, List.of(), null, SKIP, 10);
    assertThat(new TaskStore(database).page(tasks, TenantScope.ALL).await().total()).isZero();
    var timers = new TimerList.Query(List.of(), null, null, null, SKIP, 10);
    assertThat(new TimerList(database).page(timers).await().total()).isZero();
    assertThat(new DeadLetterStore(database).page(null, SKIP, 10).await().total()).isZero();
  }
}
