package skein.definitions;

import io.vertx.core.Future;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import skein.definitions.Consumers.Consumer;
import skein.graph.References;
import skein.model.DefinitionRef;
import skein.model.ErrorCode;
import skein.model.SkeinException;
import skein.model.WorkflowDefinition;
import skein.storage.DefinitionStore;
import skein.storage.DefinitionStore.Which;
import skein.storage.PublicationStore;

/**
 * Points those who use a definition at its published version.
 *
 * <p>Several nodes may do it at once. A consumer's new version is written and published in one
 * transaction, of which the second one finds its version number taken; and each writer checks again
 * which version of the definition is published, so the last word is always the right one.
 */
final class ReferenceUpdate {
  private static final Logger log = LoggerFactory.getLogger(ReferenceUpdate.class);
  private static final int ATTEMPTS_MAX = 5;

  private final DefinitionStore store;
  private final PublicationStore publications;
  private final Compiler compiler;
  private final Consumers consumers;
  private final DefinitionChecks checks;
  private final Invalidation invalidation;
  private final NewVersions versions;
  private final Set<String> changed = new LinkedHashSet<>();
  private boolean overtaken;

  ReferenceUpdate(
      DefinitionStore store,
      PublicationStore publications,
      Compiler compiler,
      Consumers consumers,
      DefinitionChecks checks,
      Invalidation invalidation,
      NewVersions versions) {
    this.store = store;
    this.publications = publications;
    this.compiler = compiler;
    this.consumers = consumers;
    this.checks = checks;
    this.invalidation = invalidation;
    this.versions = versions;
  }

  /** The ids of the consumers that were changed; nothing to do where nothing is published. */
  Future<List<String>> update(String definitionId) {
    return update(definitionId, Set.of(definitionId), 1).map(_ -> List.copyOf(changed));
  }

  private Future<Void> update(String definitionId, Set<String> chain, int attempt) {
    return store
        .find(definitionId, Which.PUBLISHED)
        .compose(used -> {
          if (used == null) {
            return Future.succeededFuture();
          }
          return consumers
              .direct(definitionId)
              .compose(found -> updateAll(found, used.ref(), chain))
              .compose(_ -> again(used.ref(), chain, attempt));
        });
  }

  /** Another version may have been published since, or a consumer been changed. */
  private Future<Void> again(DefinitionRef written, Set<String> chain, int attempt) {
    return store
        .find(written.definitionId(), Which.PUBLISHED)
        .compose(now -> {
          if (now == null || (now.ref().equals(written) && !overtaken)) {
            return Future.succeededFuture();
          }
          return attempt < ATTEMPTS_MAX
              ? update(written.definitionId(), chain, attempt + 1)
              : Future.failedFuture(busy(written.definitionId()));
        });
  }

  private Future<Void> updateAll(List<Consumer> found, DefinitionRef used, Set<String> chain) {
    Future<Void> done = Future.succeededFuture();
    overtaken = false;
    for (var consumer : found) {
      if (consumer.definition().latest()
          && !chain.contains(consumer.definition().ref().definitionId())) {
        done = done.compose(_ -> updateOne(consumer, used, chain));
      }
    }
    return done;
  }

  private Future<Void> updateOne(Consumer consumer, DefinitionRef used, Set<String> chain) {
    var pointed = consumers.pointed(consumer, used);
    if (pointed == null) {
      return Future.succeededFuture();
    }
    var id = pointed.ref().definitionId();
    var written =
        pointed.published()
            ? publishNext(pointed, chain)
            : publications
                .changeDraft(pointed.ref(), content -> consumers.change(consumer, used, content))
                .compose(did -> did ? wrote(id) : Future.succeededFuture());
    return written.recover(e -> refused(id, used, e));
  }

  private Future<Void> publishNext(WorkflowDefinition pointed, Set<String> chain) {
    var ref = pointed.ref();
    var next =
        new WorkflowDefinition(
            new DefinitionRef(ref.definitionId(), versions.id(), ref.version() + 1, ref.tenant()),
            pointed.name(),
            pointed.description(),
            true,
            true,
            versions.now(),
            pointed.json());
    return compiler
        .compile(next)
        .compose(graph -> {
          var triggers = checks.triggers(graph);
          return publications.publishNew(
              next, consumers.names(next), triggers.all(), triggers.scheduled());
        })
        .compose(_ -> wrote(ref.definitionId()))
        .compose(_ -> {
          if (!References.updatesConsumers(next) || !References.usable(next)) {
            return Future.succeededFuture();
          }
          var longer = new LinkedHashSet<>(chain);
          longer.add(ref.definitionId());
          return update(ref.definitionId(), longer, 1);
        });
  }

  private Future<Void> wrote(String definitionId) {
    changed.add(definitionId);
    return invalidation.everywhere(List.of(definitionId));
  }

  /** One that cannot follow stays as it is and must not keep the others from following. */
  private Future<Void> refused(String consumerId, DefinitionRef used, Throwable e) {
    if (e instanceof SkeinException refused && refused.code() == ErrorCode.DEFINITION_INVALID) {
      log.atWarn()
          .addKeyValue("definitionId", consumerId)
          .addKeyValue("uses", used.definitionId())
          .addKeyValue("cause", String.join("; ", refused.errors()))
          .log("definitions.consumer_not_updated");
      return Future.succeededFuture();
    }
    if (e instanceof SkeinException refused && refused.code() == ErrorCode.DEFINITION_CONFLICT) {
      overtaken = true;
      return Future.succeededFuture();
    }
    return Future.failedFuture(e);
  }

  private static SkeinException busy(String definitionId) {
    return new SkeinException(
        ErrorCode.DEFINITION_CONFLICT,
        "Workflow definition " + definitionId + " is published again and again: try it later");
  }
}
