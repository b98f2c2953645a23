package skein.storage;

import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import skein.model.DefinitionRef;
import skein.model.DerivedIds;
import skein.model.InstanceLimits;
import skein.model.InstanceRefusals;
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
  private final Versions versions;
  private final Owners owners;
  private final Committer committer;
  private final InstantSource clock;
  private final Supplier<UUID> ids;
  private final InstanceLimits limits;
  private final ImportBounds bounds;

  /** Finds versions of definitions by their ids. */
  @FunctionalInterface
  public interface Versions {
    /** Null: there is none. */
    Future<@Nullable DefinitionRef> find(String versionId);
  }

  /** As {@link TenantStore#isAnothers}. */
  @FunctionalInterface
  public interface Owners {
    /** Whether another tenant than this has it; false when it does not exist. */
    Future<Boolean> isAnothers(TenantStore.Kind kind, String id, String tenant);
  }

  /**
   * @param ids a new one for each commit
   * @param limits of the size of each instance
   * @param bounds how many there may be
   */
  public InstanceImport(
      DefinitionStore definitions,
      TenantStore tenants,
      Committer committer,
      InstantSource clock,
      Supplier<UUID> ids,
      InstanceLimits limits,
      ImportBounds bounds) {
    this(versions(definitions), tenants::isAnothers, committer, clock, ids, limits, bounds);
  }

  /** As the other, with versions and owners that need not be in PostgreSQL. */
  public InstanceImport(
      Versions versions,
      Owners owners,
      Committer committer,
      InstantSource clock,
      Supplier<UUID> ids,
      InstanceLimits limits,
      ImportBounds bounds) {
    this.versions = versions;
    this.owners = owners;
    this.committer = committer;
    this.clock = clock;
    this.ids = ids;
    this.limits = limits;
    this.bounds = bounds;
  }

  private static Versions versions(DefinitionStore definitions) {
    return id ->
        definitions
            .findVersion(id)
            .<@Nullable DefinitionRef>map(found -> found == null ? null : found.ref());
  }

  /**
   * Fails with {@code DEFINITION_NOT_FOUND} when its version of the definition is not here, or not
   * the caller's, with {@code INVALID_ID} when its id is made for others, with {@code
   * INSTANCE_NOT_FOUND} when its parent is another tenant's, with {@code INSTANCE_EXISTS}, with
   * {@code INVALID_REQUEST} when its parts do not belong together, with {@code TOO_LARGE} when they
   * are more than the limits allow, with {@code TOO_MANY_INSTANCES} or {@code TOO_MANY_REQUESTS}
   * when its definition or tenant may not have or start another one now, or as a commit does. A
   * version that is deleted at the same moment is missed only when the instance goes on.
   *
   * @param exported of any revision and tenant; the restored one begins at 1, and is of the tenant
   *     of its definition
   * @param scope of the caller
   */
  public Future<Void> restore(
      WorkflowInstance exported, List<JournalEntry> journal, TenantScope scope) {
    InstanceCheck.check(exported, journal, limits);
    var tenant = scope.tenant();
    if (tenant != null && !DerivedIds.mayRestore(tenant, exported.id())) {
      return Future.failedFuture(InstanceRefusals.reservedId(exported.id()));
    }
    var ref = exported.definition();
    return versions
        .find(ref.versionId())
        .compose(found -> {
          if (found == null
              || !scope.sees(found.tenant())
              || !found.equals(ref.of(found.tenant()))) {
            return Future.failedFuture(
                SkeinException.definitionNotFound(
                    ref.definitionId()
                        + " version "
                        + ref.version()
                        + " ("
                        + ref.versionId()
                        + "): import it before its instances"));
          }
          var restored = exported.of(found.tenant());
          return requireParent(restored, scope).compose(_ -> add(restored, journal));
        });
  }

  private Future<Void> add(WorkflowInstance restored, List<JournalEntry> journal) {
    var reservation = bounds.reserve(restored);
    return committer
        .commit(Proposal.of(transition(restored, journal), null, ids.get(), null))
        .<Void>compose(outcome ->
            outcome == Proposal.Outcome.COMMITTED
                ? Future.succeededFuture()
                : Future.failedFuture(InstanceRefusals.instanceExists(restored.id())))
        .onSuccess(_ -> reservation.added())
        .onFailure(_ -> reservation.release());
  }

  /** What it tells its parent must not reach another tenant's instance or schedule. */
  private Future<Void> requireParent(WorkflowInstance restored, TenantScope scope) {
    var parent = restored.labels().parent();
    if (parent == null || scope.tenant() == null) {
      return Future.succeededFuture();
    }
    var kind = parent.isSchedule() ? TenantStore.Kind.SCHEDULE_LANE : TenantStore.Kind.INSTANCE;
    return owners
        .isAnothers(kind, parent.id().value(), restored.definition().tenant())
        .compose(others ->
            others
                ? Future.failedFuture(InstanceRefusals.instanceNotFound(parent.id()))
                : Future.succeededFuture());
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

  /** Timers that fell due while it was absent are due at once. */
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
}
