package skein.model;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Work that the cluster has to do at an instant. The commit of the burst that it causes consumes
 * it.
 *
 * @param id deterministic: a bookmark's id, {@code start-{instanceId}}, {@code child-{instanceId}},
 *     {@code done-{instanceId}}, {@code run-{instanceId}}, {@code cancel-{instanceId}}, or {@code
 *     {scheduleId}@{epoch millis}}
 * @param instanceId the instance it is for, or will start; for a schedule its {@link
 *     Schedule#laneOf lane}
 * @param payload a JSON value whose shape goes with the kind
 */
public record Timer(
    String id, Instant dueAt, InstanceId instanceId, Kind kind, @Nullable Object payload) {

  /** The names are stored: add, never rename. */
  public enum Kind {
    /**
     * Resumes the bookmark named by {@code payload}; {@code payload} null: the id is the
     * bookmark's.
     */
    Bookmark,
    /** Runs an instance that was accepted as {@link WorkflowStatus#Pending}. */
    Start,
    /** Resumes a bookmark with an input: {@code {bookmarkId, input}}; an event on its way. */
    Resume,
    /** Delivers an event to all who wait: {@code {eventName, correlationId, payload, causes}}. */
    Event,
    /**
     * Starts an instance from an event: {@code {definitionId, versionId, triggerId, causes,
     * tenant}}.
     */
    Trigger,
    /**
     * Starts an instance that another one asked for: {@code {definitionId, versionId, input,
     * correlationId, name, parentId, execution, notice, waitingParents, causes, tenant}}.
     */
    Child,
    /** Tells an instance about its child: {@code {execution, child, tenant}}. */
    ChildDone,
    /** Alters an instance as a plan wants: {@code {planId, alterations}}. */
    Alter,
    /** Cancels what an instance that was cancelled has started; repeated until nothing is left. */
    CancelChildren,
    /** An occurrence of a schedule: {@code {scheduleId, at}}. */
    Schedule,
    /**
     * Starts an instance that a schedule has decided on: {@code {scheduleId, at, definitionId,
     * versionId, activityId, input, correlationId, notice, tenant}}.
     */
    ScheduleStart,
    /**
     * Tells a schedule that an instance has ended or never began: {@code {instanceId, failed}}; of
     * one whose definition is another tenant's now also {@code {refused, scheduleId, definitionId,
     * tenant}}.
     */
    ScheduleDone,
    /** Cancels an instance, on behalf of a schedule. */
    Cancel
  }
}
