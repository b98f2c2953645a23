package skein.node;

import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.function.IntFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import skein.storage.DatabaseClock;
import skein.storage.JournalPartitions;
import skein.storage.KeyStore;
import skein.storage.SessionStore;
import skein.storage.TimerStore;
import skein.storage.TokenStore;

/**
 * Periodic work of every node: it corrects its clock, prepares the journal's partitions, looks for
 * work that should have progressed and did not, removes idempotency keys and sessions that have
 * expired, and removes hashes of expired tokens.
 */
final class Housekeeping extends VerticleBase {
  private static final Logger log = LoggerFactory.getLogger(Housekeeping.class);
  private static final Duration CLOCK_INTERVAL = Duration.ofSeconds(5);
  private static final Duration PARTITION_INTERVAL = Duration.ofHours(6);
  static final int PARTITION_DAYS_AHEAD = 7;
  private static final Duration SCAN_INTERVAL = Duration.ofSeconds(30);
  private static final Duration UNKNOWN_INTERVAL = Duration.ofMinutes(1);
  private static final int UNKNOWN_MAX = 10_000;

  private static final Duration EXPIRY_INTERVAL = Duration.ofSeconds(30);
  private static final int EXPIRED_AT_ONCE = 1_000;

  private final DatabaseClock clock;
  private final JournalPartitions partitions;
  private final TimerStore timers;
  private final KeyStore keys;
  private final TokenStore tokens;
  private final SessionStore sessions;
  private final Options options;

  /**
   * @param overdueAfter a timer that is later than this is reported as stuck
   * @param retryDelay until one of a kind that this version does not know is looked at again
   * @param retryDelayMax the longest such delay
   */
  record Options(Duration overdueAfter, Duration retryDelay, Duration retryDelayMax) {}

  Housekeeping(
      DatabaseClock clock,
      JournalPartitions partitions,
      TimerStore timers,
      KeyStore keys,
      TokenStore tokens,
      SessionStore sessions,
      Options options) {
    this.clock = clock;
    this.partitions = partitions;
    this.timers = timers;
    this.keys = keys;
    this.tokens = tokens;
    this.sessions = sessions;
    this.options = options;
  }

  @Override
  public Future<?> start() {
    vertx.setPeriodic(CLOCK_INTERVAL.toMillis(), _ -> synchronize());
    vertx.setPeriodic(SCAN_INTERVAL.toMillis(), _ -> lookForStuckTimers());
    removeLater("Expired idempotency keys", keys::removeExpired);
    removeLater("Hashes of expired tokens", tokens::forgetExpired);
    removeLater("Sessions that are over", sessions::removeExpired);
    removeLater("Failures of deliveries that were made after all", timers::forgetDelivered);
    vertx.setPeriodic(UNKNOWN_INTERVAL.toMillis(), _ -> backOffUnknownTimers());
    vertx.setPeriodic(PARTITION_INTERVAL.toMillis(), _ -> preparePartitions());
    return preparePartitions();
  }

  private void synchronize() {
    clock.synchronize().onFailure(e -> log.debug("The clock was not read: {}", e.getMessage()));
  }

  private Future<Void> preparePartitions() {
    var today = LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC);
    return partitions.prepare(today, PARTITION_DAYS_AHEAD);
  }

  private void removeLater(String what, IntFunction<Future<Integer>> removal) {
    vertx.setTimer(EXPIRY_INTERVAL.toMillis(), _ -> remove(what, removal));
  }

  /** Batch by batch, until one is not full. */
  private void remove(String what, IntFunction<Future<Integer>> removal) {
    removal
        .apply(EXPIRED_AT_ONCE)
        .onSuccess(removed -> {
          if (removed == EXPIRED_AT_ONCE) {
            remove(what, removal);
          } else {
            removeLater(what, removal);
          }
        })
        .onFailure(e -> {
          log.debug("{} were not removed: {}", what, e.getMessage());
          removeLater(what, removal);
        });
  }

  /** They are not fired here; a node that knows them fires them when they are due again. */
  private void backOffUnknownTimers() {
    timers
        .backOffUnknown(
            options.retryDelay(), options.retryDelayMax(), options.overdueAfter(), UNKNOWN_MAX)
        .onSuccess(count -> {
          if (count > 0) {
            log.atWarn().addKeyValue("count", count).log("timers.left_to_newer");
          }
        })
        .onFailure(e -> log.debug("Timers were not postponed: {}", e.getMessage()));
  }

  private void lookForStuckTimers() {
    timers
        .overdue(options.overdueAfter())
        .onSuccess(overdue -> {
          if (overdue.count() > 0) {
            log.atWarn()
                .addKeyValue("count", overdue.count())
                .addKeyValue("oldestSeconds", overdue.oldest().toSeconds())
                .log("timers.overdue");
          }
        });
  }
}
