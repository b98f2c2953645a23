package skein.burst;

import java.util.ArrayList;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import skein.activities.ChildOrder;
import skein.activities.Json;

/**
 * What an execution remembers of the children that it waits for, so that each of them counts once
 * and only for the attempt that has started it.
 *
 * <p>A child says its number among all that its parent has started. Those of earlier attempts have
 * smaller numbers than those of the present one. A child that has faulted may go on and end a
 * second time; one that has completed or was cancelled cannot.
 */
final class AwaitedChildren {
  /** In the memory of an execution: the smallest number of a child that its attempt awaits. */
  static final String FIRST = "$firstChild";

  /** In the memory of an execution: the numbers of children whose fault was counted. */
  static final String FAULTED = "$faultedChildren";

  private static final Set<String> OF_AN_ATTEMPT = Set.of(ChildOrder.AWAITED, FIRST, FAULTED);

  private AwaitedChildren() {}

  /**
   * @param children how many the execution has started now
   * @param first the smallest of their numbers
   */
  static void add(Execution execution, long children, long first) {
    execution.memory.put(
        ChildOrder.AWAITED, number(execution.memory, ChildOrder.AWAITED) + children);
    execution.memory.putIfAbsent(FIRST, first);
  }

  /** Another attempt begins, which waits for none of the children of those before it. */
  static void forget(Execution execution) {
    execution.memory.keySet().removeAll(OF_AN_ATTEMPT);
  }

  static boolean areAny(Execution execution) {
    return number(execution.memory, ChildOrder.AWAITED) > 0;
  }

  /**
   * Whether the news is of a child that the execution waits for and has not heard of before.
   *
   * @param input as of {@link ChildOrder#KEY}
   */
  static boolean includes(Execution execution, Map<String, @Nullable Object> input) {
    long child = number(news(input), ChildOrder.NUMBER);
    if (child == 0 || !execution.memory.containsKey(FIRST)) {
      return areAny(execution); // Earlier versions and Elsa keep no numbers.
    }
    return child >= number(execution.memory, FIRST) && !hasFaulted(execution, child);
  }

  /** Before the execution is resumed with news that is {@link #includes included}. */
  static void heard(Execution execution, Map<String, @Nullable Object> input) {
    execution.memory.put(
        ChildOrder.AWAITED, Math.max(0, number(execution.memory, ChildOrder.AWAITED) - 1));
    var news = news(input);
    long child = number(news, ChildOrder.NUMBER);
    if (child > 0 && ChildOrder.FAULTED.equals(news.get(ChildOrder.SUB_STATUS))) {
      var faulted = new ArrayList<@Nullable Object>(Json.list(execution.memory.get(FAULTED)));
      faulted.add(child);
      execution.memory.put(FAULTED, faulted);
    }
  }

  private static boolean hasFaulted(Execution execution, long child) {
    for (var faulted : Json.list(execution.memory.get(FAULTED))) {
      if (faulted instanceof Number number && number.longValue() == child) {
        return true;
      }
    }
    return false;
  }

  private static Map<String, @Nullable Object> news(Map<String, @Nullable Object> input) {
    var news = Json.object(input.get(ChildOrder.KEY));
    return news == null ? Map.of() : news;
  }

  private static long number(Map<String, @Nullable Object> members, String name) {
    return members.get(name) instanceof Number number ? number.longValue() : 0;
  }
}
