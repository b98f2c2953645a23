package skein.definitions;

import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import skein.model.SkeinException;
import skein.model.WorkflowDefinition;
import skein.storage.DefinitionStore;
import skein.storage.DefinitionStore.Listed;
import skein.storage.DefinitionStore.OrderBy;
import skein.storage.DefinitionStore.Query;
import skein.storage.DefinitionStore.Which;
import skein.storage.PublicationStore;
import skein.storage.TenantScope;

/**
 * Evaluates the triggers of published definitions again. A page of definitions is read, each gets
 * its triggers in a transaction of its own, and the nodes drop the page before the next is read.
 * Used once.
 */
final class TriggerRefresh {
  private static final int PAGE = 50;

  private final DefinitionStore store;
  private final PublicationStore publications;
  private final Compiler compiler;
  private final DefinitionChecks checks;
  private final Invalidation invalidation;
  private final List<String> refreshed = new ArrayList<>();
  private final Map<String, List<String>> failed = new LinkedHashMap<>();

  TriggerRefresh(
      DefinitionStore store,
      PublicationStore publications,
      Compiler compiler,
      DefinitionChecks checks,
      Invalidation invalidation) {
    this.store = store;
    this.publications = publications;
    this.compiler = compiler;
    this.checks = checks;
    this.invalidation = invalidation;
  }

  Future<RefreshedTriggers> refresh(List<String> definitionIds) {
    return page(definitionIds, 0)
        .map(_ -> {
          var missing = new ArrayList<>(definitionIds);
          missing.removeAll(refreshed);
          missing.removeAll(failed.keySet());
          return new RefreshedTriggers(
              List.copyOf(refreshed), List.copyOf(missing), Map.copyOf(failed));
        });
  }

  private Future<Void> page(List<String> definitionIds, int skip) {
    var query =
        new Query(
            Listed.Published,
            null,
            definitionIds,
            List.of(),
            new DefinitionStore.Window(OrderBy.Created, false, skip, PAGE));
    return store
        .list(query, TenantScope.ALL)
        .compose(page -> {
          var items = page.items();
          return each(items)
              .compose(_ -> invalidation.everywhere(ids(items)))
              .compose(_ ->
                  items.size() < PAGE
                      ? Future.succeededFuture()
                      : page(definitionIds, skip + PAGE));
        });
  }

  private static List<String> ids(List<WorkflowDefinition> page) {
    return page.stream().map(definition -> definition.ref().definitionId()).toList();
  }

  private Future<Void> each(List<WorkflowDefinition> page) {
    Future<Void> done = Future.succeededFuture();
    for (var listed : page) {
      done = done.compose(_ -> published(listed.ref().definitionId()));
    }
    return done;
  }

  /** A list has no activities; and another version may be published by now, or none. */
  private Future<Void> published(String definitionId) {
    return store
        .find(definitionId, Which.PUBLISHED)
        .compose(found -> found == null ? Future.succeededFuture() : one(found));
  }

  /** One that is refused keeps what it had; a failure that passes ends it all. */
  private Future<Void> one(WorkflowDefinition definition) {
    var id = definition.ref().definitionId();
    return compiler
        .compile(definition)
        .compose(graph -> {
          var triggers = checks.triggers(graph);
          return publications.replaceTriggers(
              definition.ref(), triggers.all(), triggers.scheduled());
        })
        .compose(stillPublished -> {
          if (stillPublished) {
            refreshed.add(id);
            return Future.succeededFuture();
          }
          return published(id);
        })
        .recover(e -> {
          if (e instanceof SkeinException refusal && !refusal.code().isTransient()) {
            failed.put(
                id, refusal.errors().isEmpty() ? List.of(refusal.detail()) : refusal.errors());
            return Future.succeededFuture();
          }
          return Future.failedFuture(e);
        });
  }
}
