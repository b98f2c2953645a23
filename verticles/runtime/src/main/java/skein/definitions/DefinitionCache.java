package skein.definitions;

import io.vertx.core.AsyncResult;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import skein.graph.Graph;
import skein.model.ErrorCode;
import skein.model.SkeinException;
import skein.model.WorkflowDefinition;
import skein.storage.DefinitionStore;
import skein.storage.DefinitionStore.Endpoint;
import skein.storage.DefinitionStore.Which;

/**
 * Compiled definitions of this node, bounded, the least recently used go first. A version is there
 * once, and compiled once however many ask for it at one time. Thread-safe.
 */
public final class DefinitionCache implements Graphs {
  /** Part of the largest heap that graphs may take. */
  private static final int SHARE_OF_HEAP = 8;

  private final DefinitionStore store;
  private final Compiler compiler;
  private final KeptGraphs graphs;

  /** The ids of published versions by those of their definitions. */
  private final Map<String, String> published;

  /** Definitions that are being read and compiled, by their key. */
  private final Map<Asked, Future<Graph>> underWay = new HashMap<>();

  private @Nullable Future<Map<String, EndpointTable>> endpoints;

  /** Grows with every invalidation: what was read before one is not kept after it. */
  private long generation;

  public DefinitionCache(DefinitionStore store, Compiler compiler, int max) {
    this.store = store;
    this.compiler = compiler;
    this.graphs = new KeptGraphs(max, Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP);
    this.published =
        new LinkedHashMap<>(16, 0.75f, true) {
          @Override
          protected boolean removeEldestEntry(Map.Entry<String, String> eldest) {
            return size() > max;
          }
        };
  }

  /** {@code id}: of a definition, whose published version is meant, or of a version. */
  private record Asked(boolean published, String id) {}

  /** Fails with {@code DEFINITION_NOT_FOUND} or {@code DEFINITION_NOT_PUBLISHED}. */
  @Override
  public Future<Graph> published(String definitionId) {
    return lookUp(
        new Asked(true, definitionId),
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
    var cached = cached(versionId);
    if (cached != null) {
      return Future.<@Nullable Graph>succeededFuture(cached);
    }
    return lookUp(
            new Asked(false, versionId),
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

  private synchronized @Nullable Graph cached(String versionId) {
    return graphs.get(versionId);
  }

  /** A version by its number; null when there is none. */
  @Override
  public Future<@Nullable Graph> version(String definitionId, int number) {
    return store
        .find(definitionId, number)
        .compose(found ->
            found == null ? Future.succeededFuture(null) : version(found.ref().versionId()));
  }

  private Future<Graph> lookUp(Asked asked, Supplier<Future<WorkflowDefinition>> read) {
    Promise<Graph> promise;
    long readIn;
    synchronized (this) {
      var versionId = asked.published() ? published.get(asked.id()) : asked.id();
      var cached = versionId == null ? null : graphs.get(versionId);
      if (cached != null) {
        return Future.succeededFuture(cached);
      }
      var already = underWay.get(asked);
      if (already != null) {
        return onCallersContext(already);
      }
      promise = Promise.promise();
      underWay.put(asked, promise.future());
      readIn = generation;
    }
    Future.succeededFuture()
        .compose(_ -> read.get())
        .compose(definition -> compiled(definition, readIn))
        .onComplete(result -> {
          ended(asked, promise.future(), readIn, result.result());
          settle(promise, result);
        });
    return promise.future();
  }

  private static Future<Graph> onCallersContext(Future<Graph> shared) {
    @Nullable Context context = Vertx.currentContext();
    if (context == null) {
      return shared;
    }
    Promise<Graph> promise = Promise.promise();
    shared.onComplete(result -> context.runOnContext(_ -> settle(promise, result)));
    return promise.future();
  }

  private static void settle(Promise<Graph> promise, AsyncResult<Graph> result) {
    if (result.succeeded()) {
      promise.complete(result.result());
    } else {
      promise.fail(result.cause());
    }
  }

  private Future<Graph> compiled(WorkflowDefinition definition, long readIn) {
    return compiler
        .measured(definition)
        .map(compiled -> {
          synchronized (this) {
            if (generation == readIn) {
              graphs.put(compiled);
            }
          }
          return compiled.graph();
        });
  }

  private synchronized void ended(
      Asked asked, Future<Graph> ended, long readIn, @Nullable Graph found) {
    underWay.remove(asked, ended);
    if (generation == readIn && asked.published() && found != null) {
      published.put(asked.id(), found.ref().versionId());
    }
  }

  private static final EndpointTable NO_ENDPOINTS = new EndpointTable(List.of());

  /**
   * The routes of the published HTTP endpoints of a tenant.
   *
   * @param tenant empty: the default tenant
   */
  public Future<EndpointTable> endpoints(String tenant) {
    return allEndpoints().map(all -> all.getOrDefault(tenant, NO_ENDPOINTS));
  }

  private Future<Map<String, EndpointTable>> allEndpoints() {
    synchronized (this) {
      if (endpoints != null && !endpoints.failed()) {
        return endpoints;
      }
      var read = store.endpoints().map(DefinitionCache::byTenant);
      endpoints = read;
      return read;
    }
  }

  private static Map<String, EndpointTable> byTenant(List<Endpoint> endpoints) {
    var tables = new HashMap<String, EndpointTable>();
    endpoints.stream()
        .collect(Collectors.groupingBy(endpoint -> endpoint.definition().tenant()))
        .forEach((tenant, own) -> tables.put(tenant, new EndpointTable(own)));
    return tables;
  }

  /**
   * Drops what is known of these definitions and of those that use them; of all when the list is
   * empty.
   */
  @Override
  public synchronized void invalidate(List<String> definitionIds) {
    generation++;
    endpoints = null;
    underWay.clear(); // Who asks from here on is not answered with what was read before.
    if (definitionIds.isEmpty()) {
      published.clear();
      graphs.clear();
      return;
    }
    published.keySet().removeAll(definitionIds);
    graphs.removeIf(graph -> depends(graph, definitionIds));
  }

  /** A graph that floats may be looking for what is there now, under whatever id. */
  private static boolean depends(Graph graph, List<String> definitionIds) {
    return graph.floats()
        || definitionIds.contains(graph.ref().definitionId())
        || !Collections.disjoint(graph.uses(), definitionIds);
  }
}
