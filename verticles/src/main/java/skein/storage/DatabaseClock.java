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
 * <p>An answer was true at some moment between question and answer. {@link #instant} takes the
 * question's, so it is never behind the database's clock: what is due a while after it is never due
 * too early. {@link #notAhead} takes the answer's: what is due by it is due in the database. Drift
 * between two readings aside. Thread-safe.
 */
public final class DatabaseClock implements InstantSource {
  private static final String NOW = "select clock_timestamp()";

  private final Database database;
  private final LongSupplier nanos;
  private volatile Reading reading;

  private record Reading(Instant at, long sentNanos, long receivedNanos) {}

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
        .pool()
        .withConnection(connection -> {
          long sent = nanos.getAsLong();
          return database
              .run(connection, "read the clock", NOW, Tuple.tuple())
              .map(rows -> {
                long received = nanos.getAsLong();
                var at = rows.iterator().next().getOffsetDateTime(0).toInstant();
                return new Reading(at, sent, received);
              });
        })
        .map(Objects::requireNonNull);
  }

  /** Corrects drift; call every few seconds. */
  public Future<Void> synchronize() {
    return read(database, nanos)
        .map(next -> {
          reading = next;
          return null;
        });
  }

  /** Ahead of the database's clock by no more than the last reading took. */
  @Override
  public Instant instant() {
    var last = reading;
    return last.at.plusNanos(nanos.getAsLong() - last.sentNanos);
  }

  /** Behind the database's clock by no more than the last reading took. */
  public Instant notAhead() {
    var last = reading;
    return last.at.plusNanos(nanos.getAsLong() - last.receivedNanos);
  }
}
