package skein.simulation;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import skein.simulation.Run.Outcome;

/** Leaves out of a plan whatever it goes wrong without. */
final class Shrinker {
  /** Other courses that are tried when something was left out. */
  private static final int COURSES = 6;

  private final Function<Plan, Outcome> runner;
  private final Set<Integer> items = new HashSet<>();
  private final Set<Integer> faults = new HashSet<>();
  private final Plan whole;
  private Plan plan;

  Shrinker(Plan whole, Function<Plan, Outcome> runner) {
    this.whole = whole;
    this.plan = whole;
    this.runner = runner;
  }

  /** The least that was found. */
  Plan shrink() {
    boolean smaller = true;
    while (smaller) {
      smaller = false;
      for (int fault : numbers(plan.faults().stream().map(Plan.Fault::number).toList())) {
        smaller |= tryWithout(faults, fault);
      }
      for (int item : numbers(plan.items().stream().map(Plan.Item::number).toList())) {
        smaller |= tryWithout(items, item);
      }
    }
    return plan;
  }

  private static List<Integer> numbers(List<Integer> all) {
    var reversed = new ArrayList<>(all);
    return reversed.reversed();
  }

  private boolean tryWithout(Set<Integer> left, int number) {
    left.add(number);
    for (int course = 0; course < COURSES; course++) {
      var candidate = whole.without(items, faults, plan.seed() + course);
      if (!runner.apply(candidate).violations().isEmpty()) {
        plan = candidate;
        return true;
      }
    }
    left.remove(number);
    return false;
  }

  /** How to do it once more. */
  String command(long seed) {
    return "-Dsimulation.seed=%d -Dsimulation.course=%d -Dsimulation.without.items=%s -Dsimulation.without.faults=%s"
        .formatted(seed, plan.seed(), joined(items), joined(faults));
  }

  private static String joined(Set<Integer> numbers) {
    return String.join(",", numbers.stream().sorted().map(String::valueOf).toList());
  }
}
