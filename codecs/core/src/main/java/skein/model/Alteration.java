package skein.model;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A change of an instance by an operator; several are one transition. */
public sealed interface Alteration {
  /** Whether the instance goes on by it, so that one that is faulted does not stay so. */
  default boolean executes() {
    return true;
  }

  /** Sets a variable, by id or name; of several, the nearest to the root. */
  record ModifyVariable(String variableId, @Nullable Object value) implements Alteration {
    @Override
    public boolean executes() {
      return false;
    }
  }

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

    @Override
    public boolean executes() {
      return false;
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

  /**
   * Ends the executions of an activity that wait or are faulted as if they had completed, and runs
   * the instance on. Everything below them is cancelled, and their incidents are resolved.
   *
   * @param output values by the names of the activity's outputs; those it lacks stay unset
   * @param outcomes the ways on; empty means Done
   * @param reason for the journal
   */
  record Skip(
      Target target,
      Map<String, @Nullable Object> output,
      List<String> outcomes,
      @Nullable String reason)
      implements Alteration {
    public Skip(
        Target target,
        Map<String, @Nullable Object> output,
        List<String> outcomes,
        @Nullable String reason) {
      this.target = target;
      this.output = Collections.unmodifiableMap(new LinkedHashMap<>(output));
      this.outcomes = List.copyOf(outcomes);
      this.reason = reason;
    }
  }

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
