package skein.storage;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
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
