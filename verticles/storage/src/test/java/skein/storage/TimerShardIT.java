package skein.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import skein.model.InstanceId;
import skein.model.Timer;

@ExtendWith(TestDatabase.class)
class TimerShardIT {
  private static final Instant BEGINNING = Instant.parse("0001-01-01T00:00:00Z");

  @Test
  void a_node_and_the_database_agree_on_the_hash_of_an_id(Database database) {
    var ids =
        IntStream.range(0, 2_000)
            .mapToObj(n -> "%x·é".formatted(n * 2_654_435_761L).repeat(n % 9 + 1).substring(n % 4))
            .toArray(String[]::new);

    var rows =
        database
            .run(
                "hash",
                "select id, hashtext(id collate \"C\") as hash from unnest($1::text[]) as ids (id)",
                Tuple.tuple().addValue(ids))
            .await();

    for (var row : rows) {
      assertThat(TimerShard.hash(row.getString("id")))
          .as(row.getString("id"))
          .isEqualTo(row.getInteger("hash"));
    }
  }

  @Test
  void each_timer_is_in_one_shard_and_shards_are_of_about_one_size(Database database) {
    TimerRows.add(database, "timer-", 3_200, "now() - interval '1 hour'");
    var timers = new TimerStore(database);
    new ShardIndex(database).prepare(16).await();

    var seen = new HashSet<String>();
    for (int number = 0; number < 16; number++) {
      var shard = new TimerShard(number, 16);
      var found = timers.due(shard, Duration.ZERO, BEGINNING, "", 1_000).await();

      assertThat(found).hasSizeBetween(120, 280);
      assertThat(found).allMatch(timer -> TimerShard.of(timer.instanceId(), 16).equals(shard));
      assertThat(found.stream().map(Timer::id)).allMatch(seen::add);
    }
    assertThat(seen).hasSize(3_200);
  }

  @Test
  void an_index_is_made_for_several_shards_and_dropped_when_nobody_uses_it(Database database) {
    var index = new ShardIndex(database);
    var using =
        new LeaseStore.Participant("n1", "n1", 4, Duration.ofMinutes(1), Duration.ofSeconds(5));
    var metrics = new SchedulerMetrics(0, 0, 0, 0, 0, Duration.ZERO, Duration.ZERO);
    var leases = new PostgresLeaseStore(database, Duration.ofSeconds(5));

    index.prepare(1).await();
    assertThat(indexes(database)).isEmpty();

    index.prepare(4).await();
    index.prepare(4).await();
    leases.checkIn(using, new TreeMap<>(), metrics).await();
    index.prepare(16).await();
    assertThat(indexes(database)).containsExactly("timers_shard_of_16", "timers_shard_of_4");

    leases.leave(using).await();
    index.prepare(16).await();
    assertThat(indexes(database)).containsExactly("timers_shard_of_16");
  }

  @Test
  void a_shard_is_one_of_its_count() {
    assertThatThrownBy(() -> new TimerShard(4, 4)).hasMessage("No shard 4 of 4");
    assertThat(TimerShard.of(new InstanceId("x"), 1)).isEqualTo(TimerShard.ONLY);
    assertThat(new TimerShard(3, 16).leaseName()).isEqualTo("scheduler-3-of-16");
  }

  private static List<String> indexes(Database database) {
    var names = new ArrayList<String>();
    database
        .run(
            "indexes",
            "select indexname from pg_indexes where schemaname = current_schema()"
                + " and indexname like 'timers_shard%' order by 1",
            Tuple.tuple())
        .await()
        .forEach(row -> names.add(row.getString(0)));
    return names;
  }
}
