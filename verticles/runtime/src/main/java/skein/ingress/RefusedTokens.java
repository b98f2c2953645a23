package skein.ingress;

import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import skein.model.AuditEntry;
import skein.model.DefinitionRef;
import skein.storage.AuditRows;

/**
 * Refusals of resume tokens in the audit log: the first of a minute are lines of their own, the
 * others are counted, so that somebody who guesses does not fill the database. How many they were
 * is a line of the next minute in which a token is refused, for the default tenant, as it counts
 * those of all tenants. Thread-safe.
 */
public final class RefusedTokens implements AuditRows {
  private static final long MINUTE_MS = 60_000;

  private final AuditRows rows;
  private final InstantSource clock;
  private final int perMinute;
  private final LongAdder all;
  private long minute;
  private int written;
  private long leftOut;

  /** {@code all}: counts every refusal. */
  public RefusedTokens(AuditRows rows, InstantSource clock, int perMinute, LongAdder all) {
    this.rows = rows;
    this.clock = clock;
    this.perMinute = perMinute;
    this.all = all;
  }

  @Override
  public Future<Void> add(AuditEntry entry, String tenant) {
    all.increment();
    return switch (next(clock.millis() / MINUTE_MS)) {
      case Next.LeaveOut _ -> Future.succeededFuture();
      case Next.Write(var before) when before == 0 -> rows.add(entry, tenant);
      case Next.Write(var before) ->
          rows.add(sum(entry, before), DefinitionRef.DEFAULT_TENANT)
              .compose(_ -> rows.add(entry, tenant));
    };
  }

  private sealed interface Next {
    record LeaveOut() implements Next {}

    /** {@code before}: how many were left out since the last line. */
    record Write(long before) implements Next {}
  }

  private synchronized Next next(long now) {
    if (now != minute) {
      minute = now;
      written = 0;
    }
    if (written >= perMinute) {
      leftOut++;
      return new Next.LeaveOut();
    }
    written++;
    var before = leftOut;
    leftOut = 0;
    return new Next.Write(before);
  }

  private static AuditEntry sum(AuditEntry next, long count) {
    @Nullable String nobody = null;
    return new AuditEntry(next.action(), count + " more refusals", nobody, nobody, nobody);
  }
}
