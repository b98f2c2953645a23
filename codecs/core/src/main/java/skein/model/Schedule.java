package skein.model;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A rule that starts instances by itself, with its present state.
 *
 * @param id 1 to 64 letters, digits, {@code _} or {@code -}; of a trigger the trigger's
 * @param revision how often it was committed; 1 after the first. A commit names the one it read
 */
public record Schedule(
    String id,
    Origin origin,
    Timetable timetable,
    Target target,
    State state,
    long revision,
    Instant createdAt,
    Instant updatedAt) {

  /** Where it comes from. The names are stored: add, never rename. */
  public enum Origin {
    /** A published definition has it and takes it away. */
    Trigger,
    Api
  }

  /**
   * The workflow that each occurrence starts.
   *
   * @param versionId null starts the published version
   * @param activityId where the instance begins; null: at the definition's own start
   * @param tenant of the schedule; a definition of another tenant is not started. Empty: the
   *     default tenant
   */
  public record Target(
      String definitionId,
      @Nullable String versionId,
      @Nullable String activityId,
      Map<String, @Nullable Object> input,
      @Nullable String correlationId,
      String tenant) {
    /** Of the default tenant. */
    public Target(
        String definitionId,
        @Nullable String versionId,
        @Nullable String activityId,
        Map<String, @Nullable Object> input,
        @Nullable String correlationId) {
      this(definitionId, versionId, activityId, input, correlationId, DefinitionRef.DEFAULT_TENANT);
    }

    /** The same of a tenant. */
    public Target of(String owner) {
      return new Target(definitionId, versionId, activityId, input, correlationId, owner);
    }
  }

  /**
   * @param nextAt the occurrence that a timer exists for; null while paused and after the last one
   * @param lastAt the latest occurrence that was started
   * @param running what a new occurrence may overlap with; never kept where all may
   * @param buffered waits for the end of what is running
   */
  public record State(
      boolean paused,
      @Nullable String note,
      @Nullable Instant nextAt,
      @Nullable Instant lastAt,
      @Nullable InstanceId lastInstanceId,
      @Nullable InstanceId running,
      @Nullable Run buffered,
      Counts counts) {
    public static final State NEW =
        new State(false, null, null, null, null, null, null, Counts.NONE);

    public State withPaused(boolean is, @Nullable String why) {
      return new State(
          is, why, is ? null : nextAt, lastAt, lastInstanceId, running, buffered, counts);
    }

    public State withNextAt(@Nullable Instant next) {
      return new State(paused, note, next, lastAt, lastInstanceId, running, buffered, counts);
    }

    public State withRunning(@Nullable InstanceId id) {
      return new State(paused, note, nextAt, lastAt, lastInstanceId, id, buffered, counts);
    }

    public State withBuffered(@Nullable Run run) {
      return new State(paused, note, nextAt, lastAt, lastInstanceId, running, run, counts);
    }

    public State withLast(Run run) {
      return new State(paused, note, nextAt, run.at(), run.instanceId(), running, buffered, counts);
    }

    public State withCounts(Counts next) {
      return new State(paused, note, nextAt, lastAt, lastInstanceId, running, buffered, next);
    }
  }

  /**
   * One occurrence and the instance that it starts. The id of the instance follows from the
   * schedule and the instant, so that an occurrence starts one, however often it is decided.
   *
   * @param input in place of the target's; null: the target's
   */
  public record Run(
      Instant at, InstanceId instanceId, @Nullable Map<String, @Nullable Object> input) {}

  /**
   * Since it was made.
   *
   * @param started instances that were asked for
   * @param skipped occurrences that gave way to what was running
   * @param missed occurrences that the misfire policy left out; counted up to a thousand at a time
   * @param cancelled instances that were cancelled for a later one
   * @param failed starts that were refused, as of a definition that is not published
   */
  public record Counts(long started, long skipped, long missed, long cancelled, long failed) {
    public static final Counts NONE = new Counts(0, 0, 0, 0, 0);

    public Counts plusStarted() {
      return new Counts(started + 1, skipped, missed, cancelled, failed);
    }

    public Counts plusSkipped() {
      return new Counts(started, skipped + 1, missed, cancelled, failed);
    }

    public Counts plusMissed(long more) {
      return new Counts(started, skipped, missed + more, cancelled, failed);
    }

    public Counts plusCancelled() {
      return new Counts(started, skipped, missed, cancelled + 1, failed);
    }

    public Counts plusFailed() {
      return new Counts(started, skipped, missed, cancelled, failed + 1);
    }
  }

  /**
   * The id by which all decisions about a schedule are serialised: it is not the id of an instance.
   */
  public static InstanceId laneOf(String id) {
    return new InstanceId(StimulusHash.id("schedule|" + id));
  }

  /** The next revision in another state. */
  public Schedule with(State next, Instant now) {
    return new Schedule(id, origin, timetable, target, next, revision + 1, createdAt, now);
  }

  /** The same revision under another rule. */
  public Schedule ruledBy(Timetable rule, Target starts) {
    return new Schedule(id, origin, rule, starts, state, revision, createdAt, updatedAt);
  }
}
