package skein.model;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The result of one burst: the next state and all that is committed with it, as a value.
 *
 * <p>Committed whole or not at all, and only if the instance still is in the state that was decided
 * on, of revision {@code next.revision() - 1} (0: the instance must not exist).
 *
 * @param commitId the id of the command, the same in every attempt to carry it out; the journal
 *     keeps it, so that a repeated command detects that it was executed
 * @param guard further conditions on the database at the moment of the commit
 * @param made bookmarks to add; a bookmark that was made and burnt in the same burst is in neither
 *     list
 * @param burnt bookmarks to remove
 * @param timersMade timers to add
 * @param timersDone ids of timers to remove
 * @param effects the actions after the commit
 * @param kept what is kept for a repetition of the request; null when it has no key
 */
public record Transition(
    WorkflowInstance next,
    UUID commitId,
    Guard guard,
    List<Bookmark> made,
    List<BookmarkId> burnt,
    List<Timer> timersMade,
    List<String> timersDone,
    List<JournalEntry> journal,
    List<AuditEntry> audit,
    List<Effect> effects,
    @Nullable Kept kept) {

  public Transition(
      WorkflowInstance next,
      UUID commitId,
      Guard guard,
      List<Bookmark> made,
      List<BookmarkId> burnt,
      List<Timer> timersMade,
      List<String> timersDone,
      List<JournalEntry> journal,
      List<AuditEntry> audit,
      List<Effect> effects) {
    this(next, commitId, guard, made, burnt, timersMade, timersDone, journal, audit, effects, null);
  }

  /**
   * The answer to a request with a key. It is written by the commit, which demands that the key is
   * still claimed by the request: its claim has the id of the commit.
   *
   * @param key as it is stored
   * @param reply encoded; must not be changed or compared
   * @param complete nothing that happens after the commit can change the answer
   */
  @SuppressWarnings("ArrayRecordComponent")
  public record Kept(String key, byte[] reply, boolean complete) {}

  /**
   * Conditions the commit itself checks, by the database's clock.
   *
   * @param notBefore the commit fails before this instant: a timer never fires early
   * @param notAfter the commit fails after this instant: an expired token resumes nothing
   * @param published the version that must still be the published one: no stale start
   * @param consumes the id of a timer that must still exist: its content is counted once
   * @param activation of a new instance that must be the only one of its kind
   */
  public record Guard(
      @Nullable Instant notBefore,
      @Nullable Instant notAfter,
      @Nullable String published,
      @Nullable String consumes,
      @Nullable Activation activation) {
    public static final Guard NONE = new Guard(null, null, null, null, null);

    public static Guard notBefore(Instant instant) {
      return NONE.andNotBefore(instant);
    }

    public static Guard notAfter(@Nullable Instant instant) {
      return new Guard(null, instant, null, null, null);
    }

    public static Guard published(@Nullable String versionId) {
      return new Guard(null, null, versionId, null, null);
    }

    public static Guard consumes(String timerId) {
      return new Guard(null, null, null, timerId, null);
    }

    public Guard andNotBefore(Instant instant) {
      return new Guard(instant, notAfter, published, consumes, activation);
    }

    public Guard andActivation(@Nullable Activation only) {
      return new Guard(notBefore, notAfter, published, consumes, only);
    }
  }

  /**
   * Which instances exclude each other while they have not ended.
   *
   * @param key at most one instance of a key has not ended
   * @param correlationId when set, no instance at all with it may be unfinished
   */
  public record Activation(String key, @Nullable String correlationId) {}

  public long expectedRevision() {
    return next.revision() - 1;
  }

  public Transition withGuard(Guard next) {
    return new Transition(
        this.next,
        commitId,
        next,
        made,
        burnt,
        timersMade,
        timersDone,
        journal,
        audit,
        effects,
        kept);
  }

  /** With these entries besides those of the burst itself. */
  public Transition withAudit(List<AuditEntry> entries) {
    return new Transition(
        next,
        commitId,
        guard,
        made,
        burnt,
        timersMade,
        timersDone,
        journal,
        audit.isEmpty() ? entries : Stream.concat(audit.stream(), entries.stream()).toList(),
        effects,
        kept);
  }

  public Transition withKept(Kept answer) {
    return new Transition(
        next,
        commitId,
        guard,
        made,
        burnt,
        timersMade,
        timersDone,
        journal,
        audit,
        effects,
        answer);
  }

  /** Removes these timers too: the ones whose firing caused the burst. */
  public Transition withTimersDone(List<String> ids) {
    return new Transition(
        next, commitId, guard, made, burnt, timersMade, ids, journal, audit, effects, kept);
  }

  public Transition withTimersMade(List<Timer> timers) {
    return new Transition(
        next, commitId, guard, made, burnt, timers, timersDone, journal, audit, effects, kept);
  }
}
