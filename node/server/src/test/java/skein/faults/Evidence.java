package skein.faults;

import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * All that a verdict rests on.
 *
 * @param children instances that others started and that have ended
 * @param kept by instance, what its state lists of its waits; only of definitions that keep it
 * @param steps activities that a completed instance of a definition has completed, by definition
 * @param faultsEnd when the last fault was over, by the clock of the database
 */
record Evidence(
    Seen seen,
    Rows rows,
    List<Rows.Lived> children,
    Map<String, List<String>> kept,
    Map<String, List<String>> steps,
    Instant faultsEnd,
    Coverage.Clock clock) {

  /** What clients, the world outside and the one who breaks things wrote down. */
  record Seen(
      List<Operation> operations,
      List<KeyedAnswer> keyed,
      List<Effect> effects,
      List<Nemesis> faults) {}

  List<Operation> operations() {
    return seen.operations();
  }

  List<KeyedAnswer> keyed() {
    return seen.keyed();
  }

  List<Effect> effects() {
    return seen.effects();
  }

  List<Nemesis> faults() {
    return seen.faults();
  }

  Evidence with(List<Operation> operations) {
    var other = new Seen(operations, seen.keyed(), seen.effects(), seen.faults());
    return new Evidence(other, rows, children, kept, steps, faultsEnd, clock);
  }
}
