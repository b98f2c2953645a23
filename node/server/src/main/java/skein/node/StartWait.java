package skein.node;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import skein.model.ErrorCode;
import skein.model.SkeinException;
import skein.node.config.DatabaseConfig;
import skein.storage.DatabaseRefusedException;

/**
 * How long a node that starts waits for its database ({@code database.start-wait}): it may be
 * starting, too, or be slow because all nodes start at once. One time for all that is asked of it
 * before the node becomes a member, and one for reading the folder of definitions. May be used on
 * any thread that may wait.
 */
final class StartWait {
  private static final Logger log = LoggerFactory.getLogger(StartWait.class);
  private static final Duration RETRY = Duration.ofSeconds(1);

  private final DatabaseConfig database;
  private final LongSupplier nanos;
  private final Pause pause;
  private final long endNanos;

  /** As {@link Thread#sleep(Duration)}. */
  @FunctionalInterface
  interface Pause {
    void sleep(Duration duration) throws InterruptedException;
  }

  StartWait(DatabaseConfig database, LongSupplier nanos, Pause pause) {
    this.database = database;
    this.nanos = nanos;
    this.pause = pause;
    this.endNanos = nanos.getAsLong() + database.startWait().toNanos();
  }

  /** From now on. */
  static StartWait begin(DatabaseConfig database) {
    return new StartWait(database, System::nanoTime, Thread::sleep);
  }

  /**
   * The answer to a question that may be repeated. Where the database cannot be reached it is asked
   * again, every second, until the time is over.
   *
   * @throws SkeinException as the question did: {@code STORAGE_UNAVAILABLE} when the time is over,
   *     any other at once
   * @throws DatabaseRefusedException at once: only the operator can help
   */
  <T> T answer(Supplier<T> question) {
    return answer(question, code -> code == ErrorCode.STORAGE_UNAVAILABLE);
  }

  /**
   * As {@link #answer}, but it is asked again after every refusal that may pass: for what a node
   * does that runs already, in which it may be overloaded, too. Its time is counted from the first
   * refusal, however long the question took until then.
   */
  <T> T whileItPasses(Supplier<T> question) {
    try {
      return question.get();
    } catch (SkeinException e) {
      var fromNow = new StartWait(database, nanos, pause);
      fromNow.awaitNext(e, ErrorCode::isTransient);
      return fromNow.answer(question, ErrorCode::isTransient);
    }
  }

  private <T> T answer(Supplier<T> question, Predicate<ErrorCode> passes) {
    while (true) {
      try {
        return question.get();
      } catch (SkeinException e) {
        awaitNext(e, passes);
      }
    }
  }

  /** Throws what ends the repetitions. */
  private void awaitNext(SkeinException e, Predicate<ErrorCode> passes) {
    if (e.getCause() instanceof DatabaseRefusedException refused) {
      throw refused;
    }
    if (!passes.test(e.code()) || nanos.getAsLong() > endNanos) {
      throw e;
    }
    logged(e);
    sleep();
  }

  private void logged(SkeinException e) {
    long leftMs = TimeUnit.NANOSECONDS.toMillis(endNanos - nanos.getAsLong());
    if (e.code() == ErrorCode.STORAGE_UNAVAILABLE) {
      log.atWarn()
          .addKeyValue("cause", StartFailure.sentence(e))
          .addKeyValue("url", database.uri())
          .addKeyValue("leftMs", leftMs)
          .addKeyValue("cure", "start PostgreSQL there, or correct database.url")
          .log("database.notThereYet");
    } else {
      log.atWarn()
          .addKeyValue("code", e.code())
          .addKeyValue("cause", StartFailure.sentence(e))
          .addKeyValue("leftMs", leftMs)
          .log("node.startWaits");
    }
  }

  private void sleep() {
    try {
      pause.sleep(RETRY);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while waiting for the database", e);
    }
  }
}
