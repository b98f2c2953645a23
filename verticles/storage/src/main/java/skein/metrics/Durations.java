package skein.metrics;

import java.util.concurrent.TimeUnit;

/** How long something took, from a quarter of a millisecond to a minute. Thread-safe. */
public final class Durations {
  private static final long[] MICROS = {
    250,
    500,
    1_000,
    2_500,
    5_000,
    10_000,
    25_000,
    50_000,
    100_000,
    250_000,
    500_000,
    1_000_000,
    2_500_000,
    5_000_000,
    10_000_000,
    30_000_000,
    60_000_000
  };

  /** From a tenth of a second to a month: waits for people. */
  private static final long[] LONG_MICROS = {
    100_000L,
    1_000_000L,
    10_000_000L,
    60_000_000L,
    600_000_000L,
    3_600_000_000L,
    21_600_000_000L,
    86_400_000_000L,
    604_800_000_000L,
    2_592_000_000_000L
  };

  private final Distribution micros;

  public Durations() {
    this(MICROS);
  }

  private Durations(long[] bounds) {
    this.micros = new Distribution(bounds);
  }

  /** For what may take days. */
  public static Durations ofLife() {
    return new Durations(LONG_MICROS);
  }

  /** Counts what took from then, a value of {@link System#nanoTime}, until now. */
  public void since(long startNanos) {
    micros.add((System.nanoTime() - startNanos) / 1_000);
  }

  public void addMillis(long millis) {
    micros.add(TimeUnit.MILLISECONDS.toMicros(Math.max(0, millis)));
  }

  /** The same in microseconds. */
  public Distribution micros() {
    return micros;
  }
}
