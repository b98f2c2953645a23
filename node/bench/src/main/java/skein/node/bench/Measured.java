package skein.node.bench;

import java.util.List;

/**
 * The result of one run.
 *
 * @param counted of the first round alone
 * @param countedOperations those of that round
 */
record Measured(
    Outcome outcome, Reading cost, Counted counted, long countedOperations, Meter.Held held) {
  static Measured none() {
    return of(Outcome.none(), Reading.NOTHING);
  }

  static Measured of(Outcome outcome, Reading cost) {
    return new Measured(outcome, cost, Counted.NOTHING, 0, Meter.Held.UNKNOWN);
  }

  Measured with(Counted figures) {
    return new Measured(outcome, cost, figures, outcome.operations(), held);
  }

  Measured with(Meter.Held figures) {
    return new Measured(outcome, cost, counted, countedOperations, figures);
  }

  Measured plus(Measured next) {
    boolean had = countedOperations > 0;
    return new Measured(
        outcome.plus(next.outcome),
        cost.plus(next.cost),
        had ? counted : next.counted,
        had ? countedOperations : next.countedOperations,
        held);
  }

  /** The same with more failures than those of the operations themselves. */
  Measured failing(long failures, List<String> errors) {
    var all =
        new Outcome(outcome.operations(), failures, errors, outcome.micros(), outcome.nanos());
    return new Measured(all, cost, counted, countedOperations, held);
  }
}
