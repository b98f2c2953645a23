package skein.storage;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import skein.model.Timer;

/** Timers of a kind that a newer version has made. */
@ExtendWith(TestDatabase.class)
class NewerTimersIT {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration MINUTE = Duration.ofMinutes(1);

  @Test
  void they_are_not_read_and_do_not_hide_others(Database database) {
    var timers = new TimerStore(database);
    make(database, "a-1", "Novelty");
    make(database, "b-1", "Bookmark");

    var due = timers.due(TimerShard.ONLY, SECOND, Instant.EPOCH, "", 10).await();

    assertThat(due).extracting(Timer::id).containsExactly("b-1");
    assertThat(new TimerList(database).page(everything()).await().items()).hasSize(1);
  }

  @Test
  void they_are_put_off_ever_longer_and_stay(Database database) {
    var timers = new TimerStore(database);
    make(database, "a-1", "Novelty");
    make(database, "b-1", "Bookmark");

    assertThat(timers.backOffUnknown(SECOND, MINUTE, SECOND, 10).await()).isEqualTo(1);
    assertThat(timers.backOffUnknown(SECOND, MINUTE, SECOND, 10).await()).isZero();

    var row = row(database);
    assertThat(row.getString("kind")).isEqualTo("Novelty");
    assertThat(row.getInteger("attempts")).isEqualTo(1);
    assertThat(row.getBoolean("later")).isTrue();
  }

  private static TimerList.Query everything() {
    return new TimerList.Query(List.of(), null, null, null, 0, 10);
  }

  private static Row row(Database database) {
    return database
        .run(
            "look",
            "select kind, attempts, due_at > clock_timestamp() as later from timers where id = 'a-1'",
            Tuple.tuple())
        .await()
        .iterator()
        .next();
  }

  private static void make(Database database, String id, String kind) {
    database
        .run(
            "make",
            """
            insert into timers (id, due_at, workflow_instance_id, kind)
            values ($1, clock_timestamp() - interval '1 hour', 'i', $2)
            """,
            Tuple.of(id, kind))
        .await();
  }
}
