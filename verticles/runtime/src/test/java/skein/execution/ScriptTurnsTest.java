package skein.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import skein.loop.Blocking.Owner;
import skein.model.ErrorCode;
import skein.model.SkeinException;
import skein.pacing.Pace;

class ScriptTurnsTest {
  private final Vertx vertx = Vertx.vertx();
  private final LongAdder waiting = new LongAdder();

  @AfterEach
  void stop() {
    vertx.close().await();
  }

  private static Owner of(String definitionId) {
    return new Owner("", definitionId);
  }

  @Test
  void what_waits_of_one_definition_is_bounded_and_others_are_served() throws Exception {
    var limits = new ScriptTurns.Limits(1, 1, Duration.ofSeconds(1));
    var threads =
        new ScriptTurns(limits, System::nanoTime)
            .on(vertx.createSharedWorkerExecutor("s", 1), waiting);
    var held = new CountDownLatch(1);
    var first =
        threads.run(
            of("flood"),
            () -> {
              held.await();
              return 1;
            });
    var second = threads.run(of("flood"), () -> 2);
    var honest = threads.run(of("honest"), () -> 4);

    assertThatThrownBy(() -> threads.run(of("flood"), () -> 3).await())
        .isInstanceOfSatisfying(
            SkeinException.class,
            e -> {
              assertThat(e.code()).isEqualTo(ErrorCode.OVERLOADED);
              assertThat(e.detail()).contains("flood", "execution.scripts-per-definition-max");
            });
    assertThat(waiting.sum()).isEqualTo(2);
    held.countDown();
    assertThat(first.await()).isEqualTo(1);
    assertThat(second.await()).isEqualTo(2);
    assertThat(honest.await()).isEqualTo(4);
    assertThat(waiting.sum()).isZero();
  }

  @Test
  void what_came_last_of_another_definition_is_next_after_one_piece_of_a_flood() throws Exception {
    var limits = new ScriptTurns.Limits(1, 100, Duration.ofSeconds(1));
    var threads =
        new ScriptTurns(limits, System::nanoTime)
            .on(vertx.createSharedWorkerExecutor("s", 1), waiting);
    var held = new CountDownLatch(1);
    var served = new ConcurrentLinkedQueue<String>();
    threads.run(
        of("flood"),
        () -> {
          held.await();
          return served.add("flood");
        });
    var last = threads.run(of("flood"), () -> served.add("flood"));
    for (int i = 0; i < 50; i++) {
      last = threads.run(of("flood"), () -> served.add("flood"));
    }
    var honest = threads.run(of("honest"), () -> served.add("honest"));
    held.countDown();

    honest.await();
    last.await();

    assertThat(served).hasSize(53);
    assertThat(served.stream().toList().indexOf("honest")).isEqualTo(1);
  }

  @Test
  void a_tenant_has_no_more_than_its_share_while_another_waits() throws Exception {
    var clock = new AtomicLong();
    var limits = new ScriptTurns.Limits(1, 1_000, Duration.ofSeconds(1));
    var shares = new Quota(100, Map.of("flood", 10));
    var threads =
        new ScriptTurns(limits, shares, Pace.unlimited(), clock::get)
            .on(vertx.createSharedWorkerExecutor("s", 1), waiting);
    var held = new CountDownLatch(1);
    var first =
        threads.run(
            new Owner("", "first"),
            () -> {
              held.await();
              return 1;
            });
    var served = new ConcurrentLinkedQueue<String>();
    var pieces = new ArrayList<Future<?>>();
    for (int i = 0; i < 200; i++) {
      for (var tenant : List.of("flood", "other")) {
        pieces.add(
            threads.run(
                new Owner(tenant, tenant + i % 20),
                () -> {
                  clock.addAndGet(1_000_000);
                  return served.add(tenant);
                }));
      }
    }
    held.countDown();
    first.await();
    Future.all(pieces).await();

    assertThat(served.stream().limit(200).filter("flood"::equals)).hasSizeBetween(18, 23);
  }

  @Test
  void what_fails_fails_its_own_caller_and_frees_the_thread() {
    var limits = new ScriptTurns.Limits(1, 10, Duration.ofSeconds(1));
    var threads =
        new ScriptTurns(limits, System::nanoTime)
            .on(vertx.createSharedWorkerExecutor("s", 1), waiting);

    assertThatThrownBy(() ->
            threads
                .run(
                    of("a"),
                    () -> {
                      throw new StackOverflowError("deep");
                    })
                .await())
        .isInstanceOf(StackOverflowError.class);
    assertThat(threads.run(of("a"), () -> "next").await()).isEqualTo("next");
  }

  @Test
  void a_closed_pool_fails_its_callers_and_leaves_the_turns_in_order() {
    var turns =
        new ScriptTurns(new ScriptTurns.Limits(1, 10, Duration.ofSeconds(1)), System::nanoTime);
    var closed = vertx.createSharedWorkerExecutor("closed", 1);
    closed.close().await();
    var gone = turns.on(closed, waiting).run(of("a"), () -> 1);

    assertStopping(gone);
    var open = turns.on(vertx.createSharedWorkerExecutor("open", 1), waiting);
    assertThat(open.run(of("a"), () -> 2).await()).isEqualTo(2);
    assertThat(waiting.sum()).isZero();
  }

  private static void assertStopping(Future<?> burst) {
    assertThat(burst.isComplete()).isTrue();
    assertThat(burst.cause())
        .isInstanceOfSatisfying(
            SkeinException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_READY));
  }

  /** More than there is stack for, were each refused within the refusal of the one before. */
  private static final int MANY = 50_000;

  @Test
  void all_that_wait_when_the_pool_closes_are_told_that_the_node_stops() throws Exception {
    var turns =
        new ScriptTurns(new ScriptTurns.Limits(1, MANY, Duration.ofSeconds(1)), System::nanoTime);
    var pool = vertx.createSharedWorkerExecutor("closing", 1);
    var threads = turns.on(pool, waiting);
    var begun = new CountDownLatch(1);
    var running =
        threads.run(
            of("first"),
            () -> {
              begun.countDown();
              new CountDownLatch(1).await(); // Until the pool interrupts it.
              return 1;
            });
    begun.await();
    var bursts = new ArrayList<Future<?>>();
    for (int i = 0; i < MANY; i++) {
      bursts.add(threads.run(of("d" + i % 10), () -> 2));
    }

    pool.close().await();

    assertThatThrownBy(running::await).isInstanceOf(InterruptedException.class);
    Future.join(bursts).otherwiseEmpty().await(30, TimeUnit.SECONDS);
    bursts.forEach(ScriptTurnsTest::assertStopping);
    assertThat(waiting.sum()).isZero();
  }

  @Test
  void what_waits_when_the_turns_close_is_refused_at_once_and_what_runs_ends() throws Exception {
    var turns =
        new ScriptTurns(new ScriptTurns.Limits(1, 100, Duration.ofSeconds(1)), System::nanoTime);
    var threads = turns.on(vertx.createSharedWorkerExecutor("s", 1), waiting);
    var begun = new CountDownLatch(1);
    var held = new CountDownLatch(1);
    var running =
        threads.run(
            of("a"),
            () -> {
              begun.countDown();
              held.await();
              return 1;
            });
    begun.await();
    var same = threads.run(of("a"), () -> 2);
    var other = threads.run(of("b"), () -> 3);

    turns.close();
    turns.close();

    assertStopping(same);
    assertStopping(other);
    assertStopping(threads.run(of("c"), () -> 4));
    assertThat(waiting.sum()).isZero();
    assertThat(running.isComplete()).isFalse();
    held.countDown();
    assertThat(running.await()).isEqualTo(1);
  }

  @Test
  void what_a_pool_has_not_begun_when_the_turns_close_is_refused_and_never_run() throws Exception {
    var turns =
        new ScriptTurns(new ScriptTurns.Limits(1, 100, Duration.ofSeconds(1)), System::nanoTime);
    var pool = vertx.createSharedWorkerExecutor("busy", 1);
    var held = new CountDownLatch(1);
    var busy =
        pool.executeBlocking(
            () -> {
              held.await();
              return null;
            },
            false);
    var runs = new AtomicInteger();
    var queued = turns.on(pool, waiting).run(of("a"), runs::incrementAndGet);

    turns.close();

    assertStopping(queued);
    held.countDown();
    busy.await();
    pool.executeBlocking(() -> null, false).await();
    assertThat(runs).hasValue(0);
    assertThat(waiting.sum()).isZero();
  }
}
