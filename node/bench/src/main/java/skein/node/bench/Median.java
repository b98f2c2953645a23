package skein.node.bench;

import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** The one in the middle. */
final class Median {
  private Median() {}

  /** For an even number, the lower of the two in the middle, so that it is an element. */
  static <T> T of(List<T> all, ToDoubleFunction<T> figure) {
    var sorted = all.stream().sorted(Comparator.comparingDouble(figure)).toList();
    return sorted.get((sorted.size() - 1) / 2);
  }
}
