package skein.storage;

import io.vertx.core.Future;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import skein.codecs.StorableText;
import skein.model.Bookmark;
import skein.model.ErrorCode;
import skein.model.InstanceId;
import skein.model.JournalEntry;
import skein.model.SkeinException;
import skein.model.Timer;
import skein.model.Timing;
import skein.model.Transition;
import skein.model.WorkflowInstance;
import skein.model.WorkflowStatus;

/**
 * Puts an exported instance back, whole or not at all: one transition that makes the instance at
 * revision 1 with its bookmarks, its timers and its journal so far.
 *
 * <p>Belongs to the event-loop context of its {@link Committer}.
 */
public final class InstanceImport {
  private static final Instant TIME_MIN = Instant.parse("0001-01-01T00:00:00Z");
  private static final Instant TIME_MAX = Instant.parse("9999-12-31T23:59:59Z");

  private final DefinitionStore definitions;
  private final Committer committer;
  private final InstantSource clock;
  private final Supplier<UUID> ids;

  /** {@code ids}: a new one for each commit. */
  public InstanceImport(
      DefinitionStore definitions, Committer committer, InstantSource clock, Supplier<UUID> ids) {
    this.definitions = definitions;
    this.committer = committer;
    this.clock = clock;
    this.ids = ids;
  }

  /**
   * Fails with {@code DEFINITION_NOT_FOUND} when its version of the definition is not here, with
   * {@code INSTANCE_EXISTS}, with {@code INVALID_REQUEST} when its parts do not belong together, or
   * as a commit does. A version that is deleted at the same moment is missed only when the instance
   * goes on.
   *
   * @param exported of any revision; the restored one begins at 1
   */
  public Future<Void> restore(WorkflowInstance exported, List<JournalEntry> journal) {
    check(exported, journal);
    var ref = exported.definition();
    return definitions
        .findVersion(ref.versionId())
        .compose(found -> {
          if (found == null || !found.ref().equals(ref)) {
            return Future.failedFuture(
                SkeinException.definitionNotFound(
                    ref.definitionId()
                        + " version "
                        + ref.version()
                        + " ("
                        + ref.versionId()
                        + "): import it before its instances"));
          }
          return committer.commit(
              Proposal.of(transition(exported, journal), null, ids.get(), null));
        })
        .compose(outcome ->
            outcome == Committer.Outcome.COMMITTED
                ? Future.succeededFuture()
                : Future.failedFuture(SkeinException.instanceExists(exported.id())));
  }

  private Transition transition(WorkflowInstance exported, List<JournalEntry> journal) {
    var next = first(exported);
    return new Transition(
        next,
        ids.get(),
        Transition.Guard.NONE,
        exported.bookmarks(),
        List.of(),
        timers(next),
        List.of(),
        journal,
        List.of(),
        List.of());
  }

  /** The time of the commit is now: the journal is kept in partitions by it. */
  private WorkflowInstance first(WorkflowInstance exported) {
    var timing =
        new Timing(exported.timing().createdAt(), clock.instant(), exported.timing().finishedAt());
    return new WorkflowInstance(
        exported.id(),
        exported.definition(),
        exported.status(),
        1,
        exported.labels(),
        timing,
        exported.counters(),
        exported.pending(),
        exported.input(),
        exported.output(),
        exported.results(),
        exported.executions(),
        exported.bookmarks(),
        exported.shelved(),
        exported.incidents(),
        exported.fingerprint());
  }

  /** What was due while it was away is due at once. */
  private static List<Timer> timers(WorkflowInstance next) {
    var timers = new ArrayList<Timer>();
    for (var bookmark : next.bookmarks()) {
      var dueAt = bookmark.dueAt();
      if (dueAt != null) {
        timers.add(
            new Timer(bookmark.id().toString(), dueAt, next.id(), Timer.Kind.Bookmark, null));
      }
    }
    if (next.status() == WorkflowStatus.Pending) {
      timers.add(
          new Timer(
              "start-" + next.id(), next.timing().updatedAt(), next.id(), Timer.Kind.Start, null));
    }
    return timers;
  }

  /** The bytes come from outside: what the columns and the interpreter rely on is looked at. */
  private static void check(WorkflowInstance exported, List<JournalEntry> journal) {
    var id = exported.id();
    var counters = exported.counters();
    if (exported.status() == WorkflowStatus.Pending && exported.pending() == null) {
      throw unfit(id, "it is pending and does not say how to start");
    }
    for (var execution : exported.executions()) {
      if (execution.number() < 1 || execution.number() > counters.executions()) {
        throw unfit(id, "an execution has a number it has not given out");
      }
    }
    for (var bookmark : exported.bookmarks()) {
      check(exported, bookmark);
    }
    for (var entry : journal) {
      if (entry.sequence() < 1 || entry.sequence() > counters.journal()) {
        throw unfit(id, "its journal is longer than its state says");
      }
    }
    checkTimes(exported);
    checkTexts(exported);
  }

  private static void check(WorkflowInstance exported, Bookmark bookmark) {
    boolean own =
        bookmark.id().instanceId().equals(exported.id())
            && bookmark.id().number() <= exported.counters().bookmarks()
            && exported.executions().stream().anyMatch(e -> e.number() == bookmark.execution());
    if (!own) {
      throw unfit(exported.id(), "bookmark " + bookmark.id() + " is not its own");
    }
  }

  private static void checkTimes(WorkflowInstance exported) {
    var times = new ArrayList<@Nullable Instant>();
    times.add(exported.timing().createdAt());
    times.add(exported.timing().finishedAt());
    for (var bookmark : exported.bookmarks()) {
      times.add(bookmark.createdAt());
      times.add(bookmark.dueAt());
    }
    for (var time : times) {
      if (time != null && (time.isBefore(TIME_MIN) || time.isAfter(TIME_MAX))) {
        throw unfit(exported.id(), "a time is not between the years 1 and 9999");
      }
    }
  }

  private static void checkTexts(WorkflowInstance exported) {
    var texts = new ArrayList<@Nullable String>();
    texts.add(exported.labels().name());
    texts.add(exported.labels().correlationId());
    for (var bookmark : exported.bookmarks()) {
      texts.add(bookmark.name());
      texts.add(bookmark.hash());
    }
    for (var text : texts) {
      if (text != null && !StorableText.isStorable(text)) {
        throw unfit(exported.id(), "a text has a character that cannot be stored");
      }
    }
  }

  private static SkeinException unfit(InstanceId id, String why) {
    return new SkeinException(
        ErrorCode.INVALID_REQUEST,
        "Instance " + id + " was not exported by Skein, or was changed since: " + why);
  }
}
