package skein.faults;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An instance that waits for a caller.
 *
 * @param request which started it; also its correlation id
 * @param waits that are open all at once as far as is known; none where one follows the other, and
 *     the instance has to be asked which one is open
 * @param token for the first of its waits; null when none was made
 * @param touched whether a caller has tried to resume it before
 */
record Waiting(
    String definition,
    String instance,
    String request,
    List<Wait> waits,
    @Nullable String token,
    boolean touched) {

  /** What completes a wait. */
  enum WaitKind {
    EVENT("Elsa.Event"),
    TASK("Elsa.RunTask"),
    USER_TASK("Skein.UserTask");

    private final String activity;

    WaitKind(String activity) {
      this.activity = activity;
    }

    /** The type of the activity, which is also the name of its bookmark. */
    String activity() {
      return activity;
    }

    static boolean isAny(String activity) {
      for (var type : values()) {
        if (type.activity.equals(activity)) {
          return true;
        }
      }
      return false;
    }
  }

  /** {@code step}: the id of the activity that waits. */
  record Wait(String bookmark, String step, WaitKind type) {}

  boolean has(WaitKind type) {
    return waits.stream().anyMatch(wait -> wait.type() == type);
  }

  List<Wait> of(WaitKind type) {
    return waits.stream().filter(wait -> wait.type() == type).toList();
  }

  /** Of an instance that a caller has tried to resume. */
  Waiting left(List<Wait> open) {
    return new Waiting(definition, instance, request, List.copyOf(open), null, true);
  }
}
