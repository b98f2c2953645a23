package skein.timers;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.model.DerivedIds;
import skein.model.InstanceId;
import skein.model.Timer;
import skein.storage.DueTimer;
import skein.storage.TimerOwner;

/**
 * Whose turn the firing of a timer is. Tenants are named by their {@linkplain DerivedIds#mark
 * marks} here: ids of instances that are not there yet have them, also while the payload that names
 * the tenant has not been read. Not thread-safe: it belongs to the object that made it.
 */
final class TimerOwners {
  /** With more than so many their marks are computed again. */
  private static final int TENANTS_MAX = 1_000;

  private static final TimerOwner UNKNOWN = new TimerOwner("", "");

  private final Map<String, String> marks = new HashMap<>();

  /** The definition is unknown where neither the row nor the payload names it. */
  TimerOwner of(DueTimer due) {
    var named = due.owner() == null ? named(due.timer()) : due.owner();
    if (named == null) {
      return unnamed(due.timer().instanceId());
    }
    return named.tenant().isEmpty()
        ? named
        : new TimerOwner(mark(named.tenant()), named.definitionId());
  }

  /** As its payload names it; null: the payload does not, or is not here. */
  static @Nullable TimerOwner named(Timer timer) {
    if (!(timer.payload() instanceof Map<?, ?> json)) {
      return null;
    }
    var tenant = json.get("tenant") instanceof String text ? text : "";
    var definition =
        startsInstance(timer.kind()) && json.get("definitionId") instanceof String id ? id : "";
    return tenant.isEmpty() && definition.isEmpty() ? null : new TimerOwner(tenant, definition);
  }

  private static TimerOwner unnamed(InstanceId instance) {
    var mark = DerivedIds.markOf(instance);
    return mark == null ? UNKNOWN : new TimerOwner(mark, "");
  }

  private static boolean startsInstance(Timer.Kind kind) {
    return switch (kind) {
      case Child, Trigger, ScheduleStart -> true;
      case Bookmark, Start, Resume, Event, ChildDone, Alter, CancelChildren -> false;
      case Schedule, ScheduleDone, Cancel -> false;
    };
  }

  private String mark(String tenant) {
    if (marks.size() >= TENANTS_MAX) {
      marks.clear();
    }
    return marks.computeIfAbsent(tenant, DerivedIds::mark);
  }
}
