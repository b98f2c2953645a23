package skein.http;

import io.vertx.core.Future;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import skein.ingress.Ingress;
import skein.model.ErrorCode;
import skein.model.SkeinException;
import skein.storage.DefinitionStore;
import skein.storage.InstanceStore;
import skein.storage.InstanceStore.Member;

/**
 * Removes definitions with their instances, as Elsa does. Nothing new is started first, instances
 * that have not ended are cancelled, so that their parents and children are notified, then all are
 * deleted. A removal that fails on the way has done a part, and can be asked for again.
 */
final class DefinitionRemoval {
  private static final int PAGE = 1_000;

  private final EditableDefinitions definitions;
  private final DefinitionStore store;
  private final InstanceStore instances;
  private final Ingress ingress;

  DefinitionRemoval(
      EditableDefinitions definitions,
      DefinitionStore store,
      InstanceStore instances,
      Ingress ingress) {
    this.definitions = definitions;
    this.store = store;
    this.instances = instances;
    this.ingress = ingress;
  }

  /**
   * The instances that went with it.
   *
   * @param cancelled those of the deleted that had not ended
   */
  record Removed(long deleted, long cancelled) {
    static final Removed NOTHING = new Removed(0, 0);

    Removed plus(Removed other) {
      return new Removed(deleted + other.deleted, cancelled + other.cancelled);
    }
  }

  /**
   * All versions with all instances; fails with {@code DEFINITION_NOT_FOUND}.
   *
   * @param nextStep asked before each few instances: a failure ends it
   */
  Future<Removed> definition(Supplier<Future<Void>> nextStep, String definitionId) {
    var instancesOfIt = new Instances(nextStep, definitionId, null);
    return definitions
        .stopStarts(definitionId)
        .compose(_ -> instancesOfIt.remove())
        .compose(removed ->
            definitions
                .delete(definitionId)
                // What was being started has been refused or committed by now.
                .compose(_ -> instancesOfIt.remove())
                .map(removed::plus));
  }

  /**
   * One version with its instances. Fails with {@code DEFINITION_IN_USE} when some of them have not
   * ended, unless it is forced.
   */
  Future<Removed> version(
      Supplier<Future<Void>> nextStep, String definitionId, int version, boolean force) {
    var instancesOfIt = new Instances(nextStep, definitionId, version);
    return definitions
        .deletableVersion(definitionId, version)
        .compose(
            found -> force && found.published() ? definitions.stopStarts(definitionId) : nothing())
        .compose(_ -> force ? instancesOfIt.remove() : Future.succeededFuture(Removed.NOTHING))
        .compose(removed ->
            definitions
                .deleteVersion(definitionId, version)
                .compose(_ -> instancesOfIt.remove())
                .map(removed::plus));
  }

  /** The version with this id, as {@link #version}. */
  Future<Removed> versionById(Supplier<Future<Void>> nextStep, String id, boolean force) {
    return store
        .findVersion(id)
        .compose(found -> VersionOptions.orNotFound(found, "version " + id))
        .compose(
            found -> version(nextStep, found.ref().definitionId(), found.ref().version(), force));
  }

  private static Future<Void> nothing() {
    return Future.succeededFuture();
  }

  /** The instances of a definition, or of one of its versions. */
  private final class Instances {
    private final Supplier<Future<Void>> nextStep;
    private final String definitionId;
    private final @Nullable Integer version;

    Instances(Supplier<Future<Void>> nextStep, String definitionId, @Nullable Integer version) {
      this.nextStep = nextStep;
      this.definitionId = definitionId;
      this.version = version;
    }

    Future<Removed> remove() {
      return from(null, Removed.NOTHING);
    }

    private Future<Removed> from(@Nullable Member after, Removed before) {
      return instances
          .ofDefinition(definitionId, version, after, PAGE)
          .compose(page ->
              page.isEmpty()
                  ? Future.succeededFuture(before)
                  : removeAll(page).compose(removed -> from(page.getLast(), before.plus(removed))));
    }

    private Future<Removed> removeAll(List<Member> page) {
      return Batches.each(nextStep, page, this::removeOne)
          .compose(results -> {
            for (var result : results) {
              if (result.refusal() != null) {
                return Future.failedFuture(result.refusal());
              }
            }
            long open = page.stream().filter(Member::isOpen).count();
            return Future.succeededFuture(new Removed(page.size(), open));
          });
    }

    private Future<?> removeOne(Member member) {
      var id = member.id();
      return (member.isOpen() ? ended(ingress.cancel(id)) : nothing())
          .compose(_ -> ended(ingress.delete(id)));
    }
  }

  /** It may also have ended or been deleted by now. */
  private static Future<Void> ended(Future<?> done) {
    return done.<Void>mapEmpty()
        .recover(e ->
            e instanceof SkeinException refusal
                    && (refusal.code() == ErrorCode.INSTANCE_FINISHED
                        || refusal.code() == ErrorCode.INSTANCE_NOT_FOUND)
                ? nothing()
                : Future.failedFuture(e));
  }
}
