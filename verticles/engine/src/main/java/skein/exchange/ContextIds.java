package skein.exchange;

import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import skein.model.InstanceId;

/**
 * Numbers for the activity executions of a file. An id of ours has its number in it; what Elsa has
 * made gets the next ones. 0 is the workflow itself, 1 its root.
 */
final class ContextIds {
  private static final Pattern OURS = Pattern.compile("(.+)-a(0|[1-9][0-9]{0,8})");
  static final int WORKFLOW = 0;
  static final int ROOT = 1;

  private final InstanceId instanceId;
  private final Map<String, Integer> numbers = new HashMap<>();
  private int last;

  /** {@code last}: the highest number that is known to be used. */
  ContextIds(InstanceId instanceId, int last) {
    this.instanceId = instanceId;
    this.last = last;
  }

  static String of(InstanceId instanceId, int number) {
    return instanceId.value() + "-a" + number;
  }

  static boolean isOurs(InstanceId instanceId, String id) {
    var matcher = OURS.matcher(id);
    return matcher.matches() && matcher.group(1).equals(instanceId.value());
  }

  /** The number that an id of ours has in it; null for any other. */
  private @Nullable Integer ours(String id) {
    var matcher = OURS.matcher(id);
    return matcher.matches() && matcher.group(1).equals(instanceId.value())
        ? Integer.valueOf(matcher.group(2))
        : null;
  }

  /** Ids of ours come first, so that none of their numbers is given to another. */
  void see(@Nullable String id) {
    var number = id == null ? null : ours(id);
    if (id != null && number != null) {
      numbers.put(id, number);
      last = Math.max(last, number);
    }
  }

  void fix(String id, int number) {
    numbers.put(id, number);
    last = Math.max(last, number);
  }

  /** The same for the same id; never that of the root, which is fixed. */
  int number(String id) {
    return numbers.computeIfAbsent(
        id,
        _ -> {
          last = Math.max(ROOT, last) + 1;
          return last;
        });
  }

  @Nullable Integer known(@Nullable String id) {
    return id == null ? null : numbers.get(id);
  }

  int last() {
    return last;
  }
}
