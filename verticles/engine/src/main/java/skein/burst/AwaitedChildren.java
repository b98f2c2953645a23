package skein.burst;

import java.util.Base64;
import java.util.BitSet;
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

  /**
   * In the memory of an execution: the children whose fault was counted, as bits in base64, the
   * first of which is that of the child {@link #FIRST}. A bit for each child is little to write
   * with each fault, where thousands fault.
   */
  static final String FAULTED = "$faultedChildren";

  /** Of one attempt: of further children a second end counts as another one. */
  private static final int CHILDREN_MAX = 1 << 20;

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
    if (hasBit(execution, child) && ChildOrder.FAULTED.equals(news.get(ChildOrder.SUB_STATUS))) {
      var faulted = faulted(execution);
      faulted.set(bit(execution, child));
      execution.memory.put(FAULTED, Base64.getEncoder().encodeToString(faulted.toByteArray()));
    }
  }

  private static boolean hasFaulted(Execution execution, long child) {
    return hasBit(execution, child) && faulted(execution).get(bit(execution, child));
  }

  private static BitSet faulted(Execution execution) {
    if (!(execution.memory.get(FAULTED) instanceof String bits)) {
      return new BitSet();
    }
    try {
      return BitSet.valueOf(Base64.getDecoder().decode(bits));
    } catch (IllegalArgumentException _) {
      return new BitSet(); // imported with something else
    }
  }

  /** The number comes with the news; it may be that of an instance that was imported. */
  private static boolean hasBit(Execution execution, long child) {
    long first = number(execution.memory, FIRST);
    return first > 0 && child >= first && child - first < CHILDREN_MAX;
  }

  private static int bit(Execution execution, long child) {
    return (int) (child - number(execution.memory, FIRST));
  }

  private static Map<String, @Nullable Object> news(Map<String, @Nullable Object> input) {
    var news = Json.object(input.get(ChildOrder.KEY));
    return news == null ? Map.of() : news;
  }

  private static long number(Map<String, @Nullable Object> members, String name) {
    return members.get(name) instanceof Number number ? number.longValue() : 0;
  }
}
