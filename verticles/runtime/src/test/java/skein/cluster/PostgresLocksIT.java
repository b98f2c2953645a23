package skein.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import skein.model.InstanceId;
import skein.storage.AdvisoryLocks;
import skein.storage.Database;
import skein.storage.TestDatabase;

class PostgresLocksIT {
  private static final Duration EXPIRY = Duration.ofMinutes(1);
  private static final int HELD_MAX = 5;

  private final InstanceId id = new InstanceId(UUID.randomUUID().toString().substring(0, 30));
  private final List<Vertx> nodes = new ArrayList<>();

  @AfterEach
  void stop() {
    nodes.forEach(node -> node.close().await());
  }

  /** Of another node each time. */
  private PostgresLocks locks() {
    var vertx = Vertx.vertx();
    nodes.add(vertx);
    return locks(vertx, TestDatabase.database(vertx, "public"));
  }

  private static PostgresLocks locks(Vertx vertx, Database database) {
    var options = new AdvisoryLocks.Options(EXPIRY, Duration.ofSeconds(5), Duration.ofMillis(50));
    return new PostgresLocks(
        new AdvisoryLocks(vertx, database, options), HELD_MAX, System::nanoTime);
  }

  @Test
  void of_many_tries_for_one_instance_on_two_nodes_one_gets_the_lock() {
    var first = locks();
    var second = locks();

    var answers = new ArrayList<Future<Long>>();
    for (int i = 0; i < 100; i++) {
      answers.add((i % 2 == 0 ? first : second).tryAcquire(id));
    }

    assertThat(answers.stream().map(answer -> answer.await()))
        .filteredOn(token -> token != Locks.HELD)
        .singleElement()
        .matches(token -> token > 0);
  }

  @Test
  void a_released_lock_can_be_taken_again_and_a_stale_token_frees_nothing() {
    var locks = locks();
    long first = locks.tryAcquire(id).await();
    locks.release(id, first);
    long second = locks.tryAcquire(id).await();

    locks.release(id, first);

    assertThat(second).isNotIn(Locks.HELD, first);
    assertThat(locks.tryAcquire(id).await()).isEqualTo(Locks.HELD);
    assertThat(locks().tryAcquire(id).await()).isEqualTo(Locks.HELD);
  }

  @Test
  void a_node_tells_what_it_holds_since_when_and_until_when() {
    var locks = locks();
    long token = locks.tryAcquire(id).await();

    var held = locks.holdings(10);
    assertThat(held.provider()).isEqualTo("postgresql");
    assertThat(held.instances()).isEqualTo(1);
    assertThat(held.locks())
        .singleElement()
        .satisfies(lock -> {
          assertThat(lock.kind()).isEqualTo(HeldLock.Kind.INSTANCE);
          assertThat(lock.key()).isEqualTo("workflow:" + id);
          assertThat(lock.heldFor()).isBetween(Duration.ZERO, EXPIRY);
          assertThat(lock.freeAfter()).isBetween(EXPIRY.dividedBy(2), EXPIRY);
        });

    locks.release(id, token);
    assertThat(locks.holdings(10).locks()).isEmpty();
  }

  @Test
  void beyond_what_a_node_may_hold_work_goes_on_without() {
    var locks = locks();
    var tokens = new ArrayList<Long>();
    for (int i = 0; i < HELD_MAX; i++) {
      tokens.add(locks.tryAcquire(new InstanceId(id.value() + i)).await());
    }
    assertThat(tokens).allMatch(token -> token > Locks.HELD);

    long without = locks.tryAcquire(id).await();
    locks.release(id, without);

    assertThat(without).isNegative();
    locks.release(new InstanceId(id.value() + 0), tokens.getFirst());
    assertThat(locks.tryAcquire(id).await()).isPositive();
  }

  @Test
  void locks_can_be_had_while_the_database_answers() {
    var here = locks();
    var nowhere = locks(Vertx.vertx(), TestDatabase.unreachable());

    assertThat(failure(here.start())).isNull();
    assertThat(failure(here.tryOne())).isNull();
    assertThat(failure(nowhere.start())).hasMessageContaining("database");
    assertThat(failure(nowhere.tryOne())).hasMessageContaining("database");
  }

  private static @Nullable Throwable failure(Future<Void> future) {
    return future
        .<@Nullable Throwable>transform(done -> Future.succeededFuture(done.cause()))
        .await();
  }
}
