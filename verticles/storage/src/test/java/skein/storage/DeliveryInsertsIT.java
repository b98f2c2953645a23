package skein.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import skein.codecs.ReplyBytes;
import skein.messages.Reply;
import skein.model.BookmarkId;
import skein.model.InstanceId;
import skein.model.Timer;
import skein.model.Transition;
import skein.storage.IdempotencyKeys.Claim;

/** Events with more receivers than one statement takes. */
class DeliveryInsertsIT {
  private static final int MANY = 2 * DeliveryInserts.ROWS_MAX + 1;
  private static Database database;
  private static StimulusStore stimuli;
  private String event = "";

  @BeforeAll
  static void migrate() {
    database = TestDatabase.migrated();
    stimuli = new StimulusStore(database);
  }

  @BeforeEach
  void another() {
    event = UUID.randomUUID().toString();
  }

  private Timer delivery(String name, Object payload) {
    return new Timer(
        event + "/" + name,
        Instant.EPOCH,
        new InstanceId("i"),
        Timer.Kind.Resume,
        Map.of("input", payload));
  }

  private List<Timer> many() {
    return IntStream.range(0, MANY).mapToObj(i -> delivery(Integer.toString(i), "x")).toList();
  }

  private List<Timer> manyAndOneThatIsRefused() {
    return Stream.concat(many().stream(), Stream.of(delivery("\0", "x"))).toList();
  }

  private long made() {
    var sql = "select count(*) from timers where starts_with(id, $1)";
    return TestDatabase.number(database, sql, event + "/");
  }

  @Test
  void all_are_made_and_become_due_in_their_order() {
    var deliveries = many();

    stimuli.deliver("", deliveries, 60).await();

    var sql = "select id from timers where starts_with(id, '" + event + "') order by due_at";
    assertThat(TestDatabase.texts(database, sql))
        .containsExactlyElementsOf(deliveries.stream().map(Timer::id).toList());
    var spread =
        "select round(extract(epoch from max(due_at) - min(due_at)))::int8 from timers"
            + " where starts_with(id, $1)";
    assertThat(TestDatabase.number(database, spread, event)).isEqualTo(MANY / 500);
  }

  @Test
  void text_that_postgresql_refuses_is_replaced_and_read_again() {
    stimuli.deliver("", List.of(delivery("1", "a\0b\uD83D")), 0).await();

    assertThat(due()).extracting(Timer::payload).containsExactly(Map.of("input", "a\uFFFDb\uFFFD"));
    var found = "select payload ->> 'input' from timers where starts_with(id, '" + event + "')";
    assertThat(TestDatabase.texts(database, found)).containsExactly("a\uFFFDb\uFFFD");
  }

  @Test
  void a_timer_that_cannot_be_read_leaves_the_others_readable() {
    stimuli.deliver("", List.of(delivery("1", "x"), delivery("2", "x")), 0).await();
    TestSql.change(
        database,
        "update timers set payload = '{\"input\":\"\\u0000\"}' where id = $1",
        event + "/1");

    assertThat(due()).extracting(Timer::payload).containsExactly(null, Map.of("input", "x"));
  }

  private List<Timer> due() {
    return new TimerStore(database)
        .due(TimerShard.ONLY, Duration.ofMinutes(5), Instant.EPOCH, "", 1_000).await().stream()
            .filter(timer -> timer.id().startsWith(event))
            .toList();
  }

  @Test
  void those_that_are_made_again_are_there_once() {
    stimuli.deliver("", many(), 60).await();
    stimuli.deliver("", many(), 60).await();

    assertThat(made()).isEqualTo(MANY);
  }

  @Test
  void what_is_too_much_for_one_statement_goes_into_several() {
    var large = "x".repeat(DeliveryInserts.CHARS_MAX / 2);
    var larger = "x".repeat(DeliveryInserts.CHARS_MAX + 1);

    stimuli
        .deliver(
            "",
            List.of(
                delivery("1", large),
                delivery("2", large),
                delivery("3", larger),
                delivery("4", larger)),
            60)
        .await();

    var sql = "select sum(length(payload::text)) from timers where starts_with(id, $1)";
    assertThat(TestDatabase.number(database, sql, event))
        .isGreaterThan(2L * large.length() + 2L * larger.length());
  }

  @Test
  void with_one_that_is_refused_none_is_made_and_the_event_is_still_to_be_delivered() {
    var own = delivery("own", "x");
    stimuli.deliver("", List.of(own), 60).await();

    assertThatThrownBy(() -> stimuli.deliver(own.id(), manyAndOneThatIsRefused(), 60).await())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("deliver an event");

    assertThat(made()).isEqualTo(1);
    stimuli.deliver(own.id(), many(), 60).await();
    assertThat(made()).isEqualTo(MANY);
    stimuli.deliver(own.id(), List.of(delivery("late", "x")), 60).await();
    assertThat(made()).isEqualTo(MANY);
  }

  @Test
  void with_a_key_all_are_made_once_with_the_answer_or_none_is() {
    var keys = new KeyStore(database);
    var claim = new Claim(event, "print", UUID.randomUUID(), "n1");
    keys.claim(claim, List.of("n1"), Duration.ofHours(1), Duration.ofHours(1)).await();
    var reply = ReplyBytes.encode(new Reply.Delivered(0, 0, List.of()));
    var kept = new Transition.Kept(event, reply, false);
    var list = Buffer.buffer("[]");

    var refused = manyAndOneThatIsRefused();
    assertThatThrownBy(() -> stimuli.deliverOnce(kept, claim.id(), refused, list, 60).await())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("deliver an event once");
    assertThat(made()).isZero();
    assertThat(keys.holds(event, claim.id()).await()).isTrue();

    assertThat(stimuli.deliverOnce(kept, claim.id(), many(), list, 60).await()).isTrue();
    assertThat(made()).isEqualTo(MANY);

    TestSql.change(database, "delete from timers where starts_with(id, $1)", event);
    assertThat(stimuli.deliverOnce(kept, claim.id(), many(), list, 60).await()).isTrue();
    var others = UUID.randomUUID();
    assertThat(stimuli.deliverOnce(kept, others, many(), list, 60).await()).isFalse();
    assertThat(made()).as("made when the key had its answer").isZero();
  }

  @Test
  void receivers_are_found_in_order_however_many_they_are() {
    TestSql.change(
        database,
        "insert into bookmarks (id, workflow_instance_id, name, hash, correlation_id, created_at)"
            + " select 'i' || n || '-1', 'i' || n, 'e', $1, 'c' || n % 2, now()"
            + " from generate_series(1, 2500) n",
        event);

    for (int max : List.of(100, 1_001, 1_002, 2_499, 100_000)) {
      var found = stimuli.waiting(event, null, null, max).await();
      assertThat(found).as("at most %d", max).hasSize(Math.min(max, 2_500));
      assertThat(found.stream().map(BookmarkId::toString)).isSorted().doesNotHaveDuplicates();
    }
    assertThat(stimuli.waiting(event, "c1", null, 100_000).await()).hasSize(1_250);
    assertThat(stimuli.waiting(event, null, new InstanceId("i7"), 100_000).await())
        .containsExactly(new BookmarkId(new InstanceId("i7"), 1));
  }
}
