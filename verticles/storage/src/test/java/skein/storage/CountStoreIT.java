package skein.storage;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(TestDatabase.class)
class CountStoreIT {
  private static final Duration TIME_MAX = Duration.ofSeconds(30);
  private static final CountStore.Terms SELDOM =
      new CountStore.Terms(Duration.ofHours(1), TIME_MAX, 100);

  private static final String TIMERS =
      "insert into timers (id, due_at, workflow_instance_id, kind)"
          + " select 't' || n, now(), 'i' || n, 'Bookmark' from generate_series(1, 7) as n";

  @Test
  void of_nodes_that_look_at_once_one_is_to_count(Database database) {
    var store = new CountStore(database);

    var looks = IntStream.range(0, 20).mapToObj(_ -> store.look(SELDOM)).toList();
    Future.all(looks).await();

    assertThat(looks.stream().filter(look -> look.result().claimed())).hasSize(1);
    assertThat(looks.getFirst().result().counts()).isEqualTo(CountStore.Counts.NONE);
  }

  @Test
  void what_one_has_counted_all_read_with_its_age(Database database) {
    var store = new CountStore(database);
    database.run("add timers", TIMERS, Tuple.tuple()).await();
    assertThat(store.look(SELDOM).await().claimed()).isTrue();

    var counted = store.count(SELDOM).await();

    assertThat(counted.timers()).containsEntry("Bookmark", 7L);
    assertThat(counted.instances()).isEmpty();
    var read = store.look(SELDOM).await();
    assertThat(read.claimed()).isFalse();
    assertThat(read.counts().timers()).isEqualTo(counted.timers());
    assertThat(read.counts().age()).isBetween(Duration.ZERO, Duration.ofSeconds(5));
  }

  private static final String INSTANCES =
      "insert into workflow_instances (id, definition_id, definition_version_id, version, status,"
          + " incident_count, revision, state_id, state, created_at, updated_at)"
          + " select $1 || n, $1, $1, 1, $2, 0, 1, md5($1 || n)::uuid, '', now(), now()"
          + " from generate_series(1, $3) as n";

  @Test
  void unfinished_instances_are_counted_by_definition(Database database) {
    var store = new CountStore(database);
    database.run("add instances", INSTANCES, Tuple.of("a", "Suspended", 3)).await();
    database.run("add instances", INSTANCES, Tuple.of("b", "Pending", 2)).await();
    database.run("add instances", INSTANCES, Tuple.of("c", "Completed", 4)).await();

    var counted = store.count(SELDOM).await();

    assertThat(counted.unfinished().byDefinition().instances()).isEqualTo(Map.of("a", 3L, "b", 2L));
    assertThat(counted.unfinished().byTenant().instances()).isEmpty();
    assertThat(counted.unfinished().byDefinition().number()).isEqualTo(counted.number());
    assertThat(counted.unfinished().byTenant().number()).isEqualTo(counted.number());
    assertThat(counted.instances())
        .isEqualTo(Map.of("Suspended", 3L, "Pending", 2L, "Completed", 4L));
    var read = store.look(SELDOM).await().counts();
    assertThat(read.unfinished()).isEqualTo(counted.unfinished());
    assertThat(read.number()).isEqualTo(counted.number()).isPositive();
    assertThat(store.count(SELDOM).await().number()).isGreaterThan(read.number());
  }

  @Test
  void a_count_of_an_older_version_leaves_the_numbers_by_definition_of_the_one_before(
      Database database) {
    var store = new CountStore(database);
    database.run("add instances", INSTANCES, Tuple.of("a", "Suspended", 3)).await();
    var before = store.count(SELDOM).await();

    var older = "update cluster_counts set counted_at = clock_timestamp()";
    database.run("count as version 22", older, Tuple.tuple()).await();

    var after = store.look(SELDOM).await().counts();
    assertThat(after.number()).isGreaterThan(before.number());
    assertThat(after.unfinished()).isEqualTo(before.unfinished());
  }

  @Test
  void unfinished_instances_are_counted_by_tenant(Database database) {
    var store = new CountStore(database);
    for (var definition : List.of("a", "b", "c")) {
      database.run("add instances", INSTANCES, Tuple.of(definition, "Suspended", 3)).await();
    }
    database.run("add instances", INSTANCES, Tuple.of("d", "Completed", 5)).await();
    var shop =
        "update workflow_instances set tenant_id = 'shop' where definition_id in ('a', 'b', 'd')";
    database.run("give instances a tenant", shop, Tuple.tuple()).await();

    var counted = store.count(SELDOM).await();

    assertThat(counted.unfinished().byTenant().instances()).isEqualTo(Map.of("shop", 6L));
    assertThat(store.look(SELDOM).await().counts().unfinished()).isEqualTo(counted.unfinished());
  }

  private static final String COUNT_WITHOUT_TENANTS =
      "update cluster_counts set counted_at = m, unfinished_at = m, unfinished = '{\"a\": 2}'"
          + " from clock_timestamp() as m";

  @Test
  void a_count_of_an_older_version_leaves_the_numbers_by_tenant_of_the_one_before(
      Database database) {
    var store = new CountStore(database);
    database.run("add instances", INSTANCES, Tuple.of("a", "Suspended", 3)).await();
    database
        .run("to a tenant", "update workflow_instances set tenant_id = 't'", Tuple.tuple())
        .await();
    var before = store.count(SELDOM).await();

    database.run("count as version 29", COUNT_WITHOUT_TENANTS, Tuple.tuple()).await();

    var after = store.look(SELDOM).await().counts();
    assertThat(after.unfinished().byDefinition())
        .isEqualTo(new CountStore.ByOwner(Map.of("a", 2L), after.number()));
    assertThat(after.unfinished().byTenant())
        .isEqualTo(new CountStore.ByOwner(Map.of("t", 3L), before.number()));
  }

  @Test
  void a_count_of_an_older_version_is_followed_by_one_with_tenants(Database database) {
    var store = new CountStore(database);
    assertThat(store.look(SELDOM).await().claimed()).isTrue();
    store.count(SELDOM).await();
    var later = "update cluster_counts set claimed_at = clock_timestamp() - interval '%d minutes'";
    database.run("go on", later.formatted(16), Tuple.tuple()).await();
    assertThat(store.look(SELDOM).await().claimed()).isFalse();

    database.run("count as version 29", COUNT_WITHOUT_TENANTS, Tuple.tuple()).await();

    database.run("go on", later.formatted(14), Tuple.tuple()).await();
    assertThat(store.look(SELDOM).await().claimed()).isFalse();
    database.run("go on", later.formatted(16), Tuple.tuple()).await();
    assertThat(store.look(SELDOM).await().claimed()).isTrue();
    assertThat(store.look(SELDOM).await().claimed()).isFalse();
    var counted = store.count(SELDOM).await();
    assertThat(counted.unfinished().byTenant().number()).isEqualTo(counted.number());
  }

  @Test
  void counting_that_takes_long_is_done_less_often(Database database) {
    var store = new CountStore(database);
    var fiftieth = new CountStore.Terms(Duration.ofMillis(1), TIME_MAX, 2);
    assertThat(store.look(fiftieth).await().claimed()).isTrue();
    database
        .run("note a slow count", "update cluster_counts set took_ms = 1000", Tuple.tuple())
        .await();

    var later = "update cluster_counts set claimed_at = clock_timestamp() - interval '%d s'";
    database.run("go on", later.formatted(45), Tuple.tuple()).await();
    assertThat(store.look(fiftieth).await().claimed()).isFalse();
    database.run("go on", later.formatted(51), Tuple.tuple()).await();
    assertThat(store.look(fiftieth).await().claimed()).isTrue();
  }

  @Test
  void a_node_that_dies_over_it_delays_the_next_count_by_the_interval(Database database) {
    var store = new CountStore(database);
    assertThat(store.look(SELDOM).await().claimed()).isTrue();

    var later = "update cluster_counts set claimed_at = clock_timestamp() - interval '1 hour'";
    database.run("go on", later, Tuple.tuple()).await();

    assertThat(store.look(SELDOM).await().claimed()).isTrue();
  }
}
