package skein.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import skein.model.ErrorCode;
import skein.model.SkeinException;
import skein.storage.AdvisoryLocks.Hold;

class AdvisoryLocksIT {
  private static final String TOO_OLD = "1[0-3]\\..*";
  private static final Duration LONG = Duration.ofMinutes(1);
  private static final Duration BRIEF = Duration.ofSeconds(3);
  private static final Duration ANSWER_MAX = Duration.ofSeconds(2);
  private static final Duration RECONNECT = Duration.ofMillis(50);

  /** Of this test: others use the same database. */
  private final long key = ThreadLocalRandom.current().nextLong();

  private final List<Vertx> nodes = new ArrayList<>();

  @AfterEach
  void stop() {
    nodes.forEach(node -> node.close().await());
  }

  /** Of another node each time. */
  private AdvisoryLocks locks(Duration expiry) {
    var vertx = Vertx.vertx();
    nodes.add(vertx);
    return locks(vertx, TestDatabase.database(vertx, "public"), expiry);
  }

  private static AdvisoryLocks locks(Vertx vertx, Database database, Duration expiry) {
    var options = new AdvisoryLocks.Options(expiry, ANSWER_MAX, RECONNECT);
    return new AdvisoryLocks(vertx, database, options);
  }

  private static Optional<Hold> take(AdvisoryLocks locks, long key) {
    return locks.tryTake(key).await();
  }

  /** Until another holder's lock is free, and a session of its own is open. */
  private static Duration untilTaken(AdvisoryLocks locks, long key) throws InterruptedException {
    long since = System.nanoTime();
    while (!tookOne(locks, key)) {
      assertThat(System.nanoTime() - since).isLessThan(Duration.ofSeconds(20).toNanos());
      Thread.sleep(20);
    }
    return Duration.ofNanos(System.nanoTime() - since);
  }

  private static boolean tookOne(AdvisoryLocks locks, long key) {
    try {
      return take(locks, key).isPresent();
    } catch (SkeinException e) {
      assertThat(e.code()).isEqualTo(ErrorCode.STORAGE_UNAVAILABLE);
      return false; // what was asked in a session that the server has ended
    }
  }

  @Test
  @DisabledIfSystemProperty(named = "skein.test.postgresql", matches = TOO_OLD)
  void of_many_tries_of_two_nodes_those_of_one_get_the_lock() {
    var first = locks(LONG);
    var second = locks(LONG);
    var mine = new ArrayList<Future<Optional<Hold>>>();
    var others = new ArrayList<Future<Optional<Hold>>>();
    for (int i = 0; i < 1_000; i++) {
      mine.add(first.tryTake(key));
      others.add(second.tryTake(key));
    }

    long taken = mine.stream().filter(each -> each.await().isPresent()).count();
    long takenByOthers = others.stream().filter(each -> each.await().isPresent()).count();

    assertThat(List.of(taken, takenByOthers)).containsExactlyInAnyOrder(1_000L, 0L);
  }

  @Test
  @DisabledIfSystemProperty(named = "skein.test.postgresql", matches = TOO_OLD)
  void a_lock_is_free_when_it_was_freed_as_often_as_it_was_taken() throws InterruptedException {
    var first = locks(LONG);
    var second = locks(LONG);
    var once = take(first, key).orElseThrow();
    var twice = take(first, key).orElseThrow();

    once.free();
    assertThat(take(first, key + 1)).isPresent(); // what was sent before it is done
    assertThat(take(second, key)).isEmpty();

    twice.free();
    assertThat(untilTaken(second, key)).isLessThan(ANSWER_MAX);
  }

  @Test
  @DisabledIfSystemProperty(named = "skein.test.postgresql", matches = TOO_OLD)
  void each_of_many_locks_is_answered_for_by_itself() {
    var first = locks(LONG);
    var second = locks(LONG);
    for (int i = 0; i < 500; i += 2) {
      assertThat(take(first, key + i)).isPresent();
    }

    var asked = new ArrayList<Future<Optional<Hold>>>();
    for (int i = 0; i < 500; i++) {
      asked.add(second.tryTake(key + i));
    }

    for (int i = 0; i < 500; i++) {
      assertThat(asked.get(i).await().isPresent()).as("lock %d", i).isEqualTo(i % 2 == 1);
    }
  }

  @Test
  @DisabledIfSystemProperty(named = "skein.test.postgresql", matches = TOO_OLD)
  void the_locks_of_a_node_that_is_idle_stay_beyond_their_expiry() throws InterruptedException {
    var first = locks(BRIEF);
    var second = locks(LONG);
    var hold = take(first, key).orElseThrow();

    Thread.sleep(BRIEF.multipliedBy(3).toMillis());

    assertThat(take(second, key)).isEmpty();
    assertThat(hold.freeAfter()).isPositive().isLessThanOrEqualTo(BRIEF);
  }

  @Test
  @DisabledIfSystemProperty(named = "skein.test.postgresql", matches = TOO_OLD)
  void the_locks_of_a_node_that_is_frozen_are_free_after_their_expiry() throws Exception {
    var second = locks(LONG);
    second.open().await();
    var first = locks(BRIEF);
    var thawed = new CountDownLatch(1);
    var frozen = new CountDownLatch(1);
    var vertx = nodes.getLast();
    vertx.runOnContext(_ ->
        first
            .tryTake(key)
            .onSuccess(_ -> {
              frozen.countDown();
              try {
                thawed.await();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            }));
    frozen.await();
    try {
      assertThat(untilTaken(second, key)).isBetween(BRIEF.dividedBy(2), BRIEF.multipliedBy(5));
    } finally {
      thawed.countDown();
    }

    assertThat(untilTaken(first, key + 1)).as("in a session of its own").isLessThan(LONG);
    assertThat(take(first, key)).isEmpty();
  }

  @Test
  @DisabledIfSystemProperty(named = "skein.test.postgresql", matches = TOO_OLD)
  void a_session_that_the_server_ends_frees_its_locks_and_is_followed_by_another()
      throws InterruptedException {
    var first = locks(LONG);
    var second = locks(LONG);
    second.open().await();
    var lost = take(first, key).orElseThrow();

    var database = TestDatabase.database(nodes.getFirst(), "public");
    var ended =
        TestDatabase.number(
            database,
            """
            select count(pg_terminate_backend(pid)) from pg_locks
             where locktype = 'advisory' and classid = ($1::int8 >> 32 & 4294967295)::oid
               and objid = ($1::int8 & 4294967295)::oid
            """,
            key);

    assertThat(ended).isEqualTo(1);
    assertThat(untilTaken(second, key)).isLessThan(ANSWER_MAX);
    lost.free(); // is not its lock any more
    assertThat(untilTaken(first, key + 1)).isLessThan(ANSWER_MAX);
    assertThat(take(first, key)).isEmpty();
  }

  @Test
  @DisabledIfSystemProperty(named = "skein.test.postgresql", matches = TOO_OLD)
  void a_connection_that_says_nothing_any_more_is_followed_by_another() throws Exception {
    var vertx = Vertx.vertx();
    nodes.add(vertx);
    var silent = new AtomicBoolean();
    var way = vertx.createNetServer();
    way.connectHandler(here -> {
      here.pause();
      vertx
          .createNetClient()
          .connect(URI.create(TestDatabase.uri()).getPort(), "127.0.0.1")
          .onSuccess(there -> {
            boolean stays = silent.get();
            there.handler(bytes -> {
              if (stays || !silent.get()) {
                here.write(bytes);
              }
            });
            here.handler(there::write);
            here.resume();
          });
    });
    int port = way.listen(0, "127.0.0.1").await().actualPort();
    var there = TestDatabase.options("public");
    var login = new Database.Login("postgresql://postgres@127.0.0.1:" + port + "/postgres");
    var database =
        new Database(
            vertx,
            new Database.Options(
                login, there.schema(), there.pool(), there.timeouts(), there.reads()));
    var locks = locks(vertx, database, LONG);
    assertThat(take(locks, key)).isPresent();

    silent.set(true);

    assertThat(tookOne(locks, key + 1)).isFalse();
    assertThat(untilTaken(locks, key + 1)).isLessThan(ANSWER_MAX.multipliedBy(2));
  }

  @Test
  @EnabledIfSystemProperty(named = "skein.test.postgresql", matches = TOO_OLD)
  void a_server_that_lets_silent_nodes_keep_their_locks_is_refused() {
    var locks = locks(LONG);

    assertThatThrownBy(() -> locks.open().await())
        .isInstanceOf(Migrations.DatabaseTooOldException.class)
        .hasMessageContaining("set cluster.locks to hazelcast");
  }

  @Test
  void without_a_database_nothing_is_taken_and_nobody_waits_long() {
    var vertx = Vertx.vertx();
    nodes.add(vertx);
    var locks = locks(vertx, TestDatabase.unreachable(), LONG);
    long since = System.nanoTime();

    assertThatThrownBy(() -> take(locks, key))
        .isInstanceOfSatisfying(
            SkeinException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.STORAGE_UNAVAILABLE));
    assertThat(Duration.ofNanos(System.nanoTime() - since)).isLessThan(ANSWER_MAX.multipliedBy(2));
  }
}
