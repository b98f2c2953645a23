package skein.storage;

import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import java.util.function.LongSupplier;

/**
 * The database's clock, read without asking it each time: the last answer plus the time that has
 * passed since by this machine's monotonic clock. A wall clock that jumps on a node changes
 * nothing.
 *
 * <p>An answer was true at some moment between question and answer. {@link #instant} is counted
 * from the question, so it is never behind the database's clock: what is due a while after it is
 * never due too early. {@link #notAhead} is counted from the answer: what is due by it is due in
 * the database. What earlier readings said is kept where it is narrower, so that one that took long
 * does no harm; the bounds widen with time by as much as two clocks may drift apart. Thread-safe.
 */
public final class DatabaseClock implements InstantSource, DatabaseTime {
  private static final String NOW = "select clock_timestamp()";

  private final Database database;
  private final LongSupplier nanos;
  private volatile Reading reading;

  /** How far two clocks may drift apart: 200 microseconds a second, of which this is a part. */
  private static final long DRIFT_PART = 5_000;

  /**
   * At {@code nanos} of the monotonic clock the database's clock said no less and no more than
   * this.
   */
  private record Reading(long nanos, Instant least, Instant most) {
    Reading later(long now) {
      long passed = now - nanos;
      long drift = passed / DRIFT_PART;
      return new Reading(now, least.plusNanos(passed - drift), most.plusNanos(passed + drift));
    }

    /** The result of both; where they do not agree a clock was set, and the newer one is right. */
    Reading narrowed(Reading newer) {
      var older = later(newer.nanos);
      var low = older.least.isAfter(newer.least) ? older.least : newer.least;
      var high = older.most.isBefore(newer.most) ? older.most : newer.most;
      return low.isAfter(high) ? newer : new Reading(newer.nanos, low, high);
    }
  }

  private DatabaseClock(Database database, LongSupplier nanos, Reading reading) {
    this.database = database;
    this.nanos = nanos;
    this.reading = reading;
  }

  /** Asks for the first time; {@code nanos} is a monotonic clock. */
  public static Future<DatabaseClock> start(Database database, LongSupplier nanos) {
    return read(database, nanos).map(first -> new DatabaseClock(database, nanos, first));
  }

  private static Future<Reading> read(Database database, LongSupplier nanos) {
    return database
        .loggedIn(() ->
            database
                .pool()
                .withConnection(connection -> {
                  long sent = nanos.getAsLong();
                  return database
                      .run(connection, "read the clock", NOW, Tuple.tuple())
                      .map(rows -> {
                        long received = nanos.getAsLong();
                        var at = rows.iterator().next().getOffsetDateTime(0).toInstant();
                        return new Reading(received, at, at.plusNanos(received - sent));
                      });
                }))
        .map(Objects::requireNonNull)
        .recover(e -> Future.failedFuture(DatabaseErrors.explain("read the clock", e)));
  }

  @Override
  public Future<Void> synchronize() {
    return read(database, nanos)
        .map(next -> {
          synchronized (this) {
            reading = reading.narrowed(next);
          }
          return null;
        });
  }

  /** Ahead of the database's clock by no more than a reading took. */
  @Override
  public Instant instant() {
    var last = reading;
    return last.most.plusNanos(nanos.getAsLong() - last.nanos);
  }

  /** Behind the database's clock by no more than a reading took. */
  @Override
  public Instant notAhead() {
    var last = reading;
    return last.least.plusNanos(nanos.getAsLong() - last.nanos);
  }
}
