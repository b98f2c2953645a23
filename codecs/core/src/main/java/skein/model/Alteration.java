package skein.model;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A change of an instance by an operator; several are one transition. */
public sealed interface Alteration {

  /** Sets a variable, by id or name; of several, the nearest to the root. */
  record ModifyVariable(String variableId, @Nullable Object value) implements Alteration {}

  /** Executes an activity, as a child of the execution that would execute it. */
  record ScheduleActivity(Target target) implements Alteration {}

  /** Cancels the running executions of an activity. */
  record CancelActivity(Target target) implements Alteration {}

  /**
   * Migrates the instance to another version of its definition.
   *
   * @param activities old to new activity ids, for those whose id has changed
   */
  record Migrate(int targetVersion, Map<String, String> activities) implements Alteration {
    public Migrate {
      activities = Map.copyOf(activities);
    }
  }

  /**
   * Executes faulted activities again.
   *
   * @param activityIds which; empty means all
   */
  record Retry(List<String> activityIds) implements Alteration {
    public Retry {
      activityIds = List.copyOf(activityIds);
    }
  }

  record Cancel() implements Alteration {}

  /** An activity, or one execution of it: the other one is null or 0. */
  record Target(@Nullable String activityId, int execution) {
    public static Target activity(String activityId) {
      return new Target(activityId, 0);
    }

    public static Target execution(int number) {
      return new Target(null, number);
    }
  }
}
