package skein.node.bench;

import java.util.ArrayList;
import java.util.List;

/**
 * Measures one scenario on two builds, run by run in turn, so that what the machine does beside it
 * falls on both alike. Both stay up all the time; who is first changes from pair to pair.
 */
final class ComparedLoops {
  private final ClosedLoop here;
  private final ClosedLoop there;
  private final BenchOptions.Load load;
  private final String other;

  /** {@code other}: how the other build was named. */
  ComparedLoops(ClosedLoop here, ClosedLoop there, BenchOptions.Load load, String other) {
    this.here = here;
    this.there = there;
    this.load = load;
    this.other = other;
  }

  List<Comparison> measure() {
    here.prepare();
    there.prepare();
    return load.callers().stream().map(this::measure).toList();
  }

  private Comparison measure(int callers) {
    var ours = new ArrayList<Result>();
    var theirs = new ArrayList<Result>();
    for (int pair = 0; pair < load.runs(); pair++) {
      if (pair % 2 == 0) {
        ours.add(here.single(callers));
        theirs.add(there.single(callers));
      } else {
        theirs.add(there.single(callers));
        ours.add(here.single(callers));
      }
    }
    return new Comparison(other, ours, theirs);
  }
}
