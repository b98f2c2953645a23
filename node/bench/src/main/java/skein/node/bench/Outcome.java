package skein.node.bench;

import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * The outcomes of a series of requests.
 *
 * @param operations answered as wanted
 * @param failures answered otherwise, or not at all
 * @param errors the first of them, in words
 * @param micros how long those took that were answered as wanted
 * @param nanos from the first request to the last answer
 */
record Outcome(long operations, long failures, List<String> errors, Histogram micros, long nanos) {
  static final int ERRORS_MAX = 5;
  private static final long LONGEST_MICROS = 3_600_000_000L;
  private static final int DIGITS = 3;

  Outcome {
    errors = List.copyOf(errors);
  }

  static Outcome none() {
    return new Outcome(0, 0, List.of(), histogram(), 0);
  }

  static Histogram histogram() {
    return new Histogram(1, LONGEST_MICROS, DIGITS);
  }

  static void record(Histogram micros, long nanos) {
    micros.recordValue(Math.clamp(nanos / 1_000, 1, LONGEST_MICROS));
  }

  /** Both, one after the other. */
  Outcome plus(Outcome other) {
    var all = new ArrayList<>(errors);
    all.addAll(other.errors);
    var both = micros.copy();
    both.add(other.micros);
    return new Outcome(
        operations + other.operations,
        failures + other.failures,
        all.subList(0, Math.min(all.size(), ERRORS_MAX)),
        both,
        nanos + other.nanos);
  }

  double perSecond() {
    return nanos == 0 ? 0 : operations * 1e9 / nanos;
  }
}
