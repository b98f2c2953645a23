package skein.node.bench;

import java.util.List;
import org.jspecify.annotations.Nullable;
import skein.node.bench.DatabaseCounters.Counted;

/**
 * The result of one run.
 *
 * @param counted of the first round alone
 * @param countedOperations those of that round
 * @param received by the nodes from one another; null where that is not known of all rounds
 */
record Measured(
    Outcome outcome,
    Reading cost,
    Counted counted,
    long countedOperations,
    Meter.Held held,
    PeerCounters.@Nullable Received received) {
  static Measured none() {
    return of(Outcome.none(), Reading.NOTHING).with(PeerCounters.Received.NOTHING);
  }

  static Measured of(Outcome outcome, Reading cost) {
    return new Measured(outcome, cost, new Counted(0, 0), 0, Meter.Held.UNKNOWN, null);
  }

  Measured with(Counted figures) {
    return new Measured(outcome, cost, figures, outcome.operations(), held, received);
  }

  Measured with(Meter.Held figures) {
    return new Measured(outcome, cost, counted, countedOperations, figures, received);
  }

  Measured with(PeerCounters.@Nullable Received figures) {
    return new Measured(outcome, cost, counted, countedOperations, held, figures);
  }

  Measured plus(Measured next) {
    boolean had = countedOperations > 0;
    return new Measured(
        outcome.plus(next.outcome),
        cost.plus(next.cost),
        had ? counted : next.counted,
        had ? countedOperations : next.countedOperations,
        held,
        received == null || next.received == null ? null : received.plus(next.received));
  }

  /** The same with more failures than those of the operations themselves. */
  Measured failing(long failures, List<String> errors) {
    var all =
        new Outcome(outcome.operations(), failures, errors, outcome.micros(), outcome.nanos());
    return new Measured(all, cost, counted, countedOperations, held, received);
  }
}
