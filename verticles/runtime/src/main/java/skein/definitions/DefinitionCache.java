package skein.definitions;

import io.vertx.core.Future;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import skein.graph.Graph;
import skein.model.ErrorCode;
import skein.model.SkeinException;
import skein.model.WorkflowDefinition;
import skein.storage.DefinitionStore;
import skein.storage.DefinitionStore.Which;

/** Compiled definitions of this node, bounded, the least recently used go first. Thread-safe. */
public final class DefinitionCache implements Graphs {
  private final DefinitionStore store;
  private final Compiler compiler;
  private final Map<String, Graph> byVersionId;
  private final Map<String, Graph> published;
  private @Nullable Future<EndpointTable> endpoints;

  /** Grows with every invalidation: what was read before one is not kept after it. */
  private long generation;

  public DefinitionCache(DefinitionStore store, Compiler compiler, int max) {
    this.store = store;
    this.compiler = compiler;
    this.byVersionId = bounded(max);
    this.published = bounded(max);
  }

  private static Map<String, Graph> bounded(int max) {
    return new LinkedHashMap<>(16, 0.75f, true) {
      @Override
      protected boolean removeEldestEntry(Map.Entry<String, Graph> eldest) {
        return size() > max;
      }
    };
  }

  /** Fails with {@code DEFINITION_NOT_FOUND} or {@code DEFINITION_NOT_PUBLISHED}. */
  @Override
  public Future<Graph> published(String definitionId) {
    return lookUp(
        published,
        definitionId,
        () ->
            store
                .find(definitionId, Which.PUBLISHED)
                .compose(found ->
                    found == null ? whyNotPublished(definitionId) : Future.succeededFuture(found)));
  }

  private Future<WorkflowDefinition> whyNotPublished(String definitionId) {
    return store
        .find(definitionId, Which.LATEST)
        .compose(latest ->
            Future.failedFuture(
                latest == null
                    ? SkeinException.definitionNotFound(definitionId)
                    : SkeinException.definitionNotPublished(definitionId)));
  }

  /** A version, published or not; null when it was deleted. Versions in use never change. */
  @Override
  public Future<@Nullable Graph> version(String versionId) {
    return lookUp(
            byVersionId,
            versionId,
            () ->
                store
                    .findVersion(versionId)
                    .compose(found ->
                        found == null
                            ? Future.failedFuture(SkeinException.definitionNotFound(versionId))
                            : Future.succeededFuture(found)))
        .<@Nullable Graph>map(graph -> graph)
        .recover(e ->
            e instanceof SkeinException refused && refused.code() == ErrorCode.DEFINITION_NOT_FOUND
                ? Future.succeededFuture(null)
                : Future.failedFuture(e));
  }

  /** A version by its number; null when there is none. */
  @Override
  public Future<@Nullable Graph> version(String definitionId, int number) {
    return store
        .find(definitionId, number)
        .compose(found ->
            found == null ? Future.succeededFuture(null) : version(found.ref().versionId()));
  }

  private Future<Graph> lookUp(
      Map<String, Graph> cache, String key, Supplier<Future<WorkflowDefinition>> read) {
    long readIn;
    synchronized (this) {
      var cached = cache.get(key);
      if (cached != null) {
        return Future.succeededFuture(cached);
      }
      readIn = generation;
    }
    return read.get().compose(compiler::compile).map(graph -> keep(cache, key, graph, readIn));
  }

  private Graph keep(Map<String, Graph> cache, String key, Graph graph, long readIn) {
    synchronized (this) {
      if (generation == readIn) {
        cache.put(key, graph);
      }
    }
    return graph;
  }

  /** The routes of all published HTTP endpoints. */
  public Future<EndpointTable> endpoints() {
    synchronized (this) {
      if (endpoints != null && !endpoints.failed()) {
        return endpoints;
      }
      var read = store.endpoints().map(EndpointTable::new);
      endpoints = read;
      return read;
    }
  }

  /**
   * Drops what is known of these definitions and of those that use them; of all when the list is
   * empty.
   */
  @Override
  public synchronized void invalidate(List<String> definitionIds) {
    generation++;
    endpoints = null;
    if (definitionIds.isEmpty()) {
      published.clear();
      byVersionId.clear();
      return;
    }
    published.values().removeIf(graph -> depends(graph, definitionIds));
    byVersionId.values().removeIf(graph -> depends(graph, definitionIds));
  }

  /** A graph that floats may be looking for what is there now, under whatever id. */
  private static boolean depends(Graph graph, List<String> definitionIds) {
    return graph.floats()
        || definitionIds.contains(graph.ref().definitionId())
        || !Collections.disjoint(graph.uses(), definitionIds);
  }
}
