package skein.definitions;

import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import skein.activities.Activities;
import skein.graph.CompilerOptions;
import skein.graph.Graph;
import skein.graph.GraphCompiler;
import skein.graph.Reference;
import skein.graph.References;
import skein.graph.UsedWorkflows;
import skein.model.WorkflowDefinition;
import skein.storage.DefinitionStore;
import skein.storage.DefinitionStore.Which;
import skein.storage.TenantScope;

/** Compiles definitions with all that they use as activities. Thread-safe. */
public final class Compiler {
  /** References that one definition is asked about at one time. */
  private static final int AT_A_TIME = 4;

  private final DefinitionStore store;
  private final Activities activities;
  private final CompilerOptions options;
  private final CompilerThreads threads;

  public Compiler(
      DefinitionStore store,
      Activities activities,
      CompilerOptions options,
      CompilerThreads threads) {
    this.threads = threads;
    this.store = store;
    this.activities = activities;
    this.options = options;
  }

  Activities activities() {
    return activities;
  }

  /** Fails only when the database does; what is wrong with the definition is in the graph. */
  Future<Graph> compile(WorkflowDefinition definition) {
    return measured(definition).map(KeptGraphs.Sized::graph);
  }

  /** As {@link #compile}, for a check only: definitions that are to be run come first. */
  Future<Graph> tried(WorkflowDefinition definition) {
    return used(definition)
        .compose(found ->
            threads.check(() -> GraphCompiler.compile(definition, found, activities, options)));
  }

  /** As {@link #compile}, with what the graph takes in memory. */
  Future<KeptGraphs.Sized> measured(WorkflowDefinition definition) {
    return used(definition)
        .compose(found ->
            threads.compile(() -> {
              var graph = GraphCompiler.compile(definition, found, activities, options);
              var used = new LinkedHashSet<>(found.found().values());
              return new KeptGraphs.Sized(graph, GraphSize.of(graph, definition, used));
            }));
  }

  /**
   * As {@link #compile}, with all that is wrong or can hardly be meant; fails with {@code
   * OVERLOADED} when too many are checked.
   */
  Future<GraphCompiler.Checked> check(WorkflowDefinition definition) {
    return used(definition)
        .compose(found ->
            threads.check(() -> GraphCompiler.check(definition, found, activities, options)));
  }

  private Future<UsedWorkflows> used(WorkflowDefinition definition) {
    var references = References.in(definition, activities);
    return references.isEmpty()
        ? Future.succeededFuture(UsedWorkflows.NONE)
        : follow(
            references,
            new Search(definition.ref().tenant(), new HashMap<>()),
            new LinkedHashSet<>());
  }

  /**
   * @param tenant whose definitions are looked at
   * @param found so far
   */
  private record Search(String tenant, Map<Reference, WorkflowDefinition> found) {}

  /** One level after the other; ends because no reference is followed twice. */
  private Future<UsedWorkflows> follow(Set<Reference> level, Search search, Set<Reference> seen) {
    var next = new LinkedHashSet<>(level);
    next.removeAll(seen);
    if (next.isEmpty()) {
      return Future.succeededFuture(new UsedWorkflows(search.found(), true));
    }
    if (seen.size() + next.size() > options.referencesMax()) {
      return Future.succeededFuture(new UsedWorkflows(search.found(), false));
    }
    seen.addAll(next);
    return fewAtATime(List.copyOf(next), reference -> ask(reference, search))
        .compose(answers -> {
          var below = new LinkedHashSet<Reference>();
          answers.forEach(below::addAll);
          return follow(below, search, seen);
        });
  }

  /** Results in the order of the items; a few at a time, since others need connections, too. */
  static <T, R> Future<List<R>> fewAtATime(List<T> items, Function<T, Future<R>> work) {
    Future<List<R>> done = Future.succeededFuture(new ArrayList<>());
    for (int from = 0; from < items.size(); from += AT_A_TIME) {
      var few = items.subList(from, Math.min(items.size(), from + AT_A_TIME));
      done =
          done.compose(results -> {
            var asked = few.stream().map(work).toList();
            return Future.all(List.copyOf(asked))
                .map(_ -> {
                  asked.forEach(answer -> results.add(answer.result()));
                  return results;
                });
          });
    }
    return done;
  }

  int referencesMax() {
    return options.referencesMax();
  }

  private Future<Set<Reference>> ask(Reference reference, Search search) {
    var found = search.found();
    return find(reference, search.tenant())
        .map(definition -> {
          if (definition == null) {
            return Set.of();
          }
          synchronized (found) {
            found.put(reference, definition);
          }
          return References.in(definition, activities);
        });
  }

  /**
   * By version id, else by definition id, else by type name; only what is usable, and of the
   * tenant.
   */
  Future<@Nullable WorkflowDefinition> find(Reference reference, String tenant) {
    var versionId = reference.versionId();
    return (versionId == null ? none() : store.findVersion(versionId))
        .compose(found ->
            usable(found, tenant) ? Future.succeededFuture(found) : byId(reference, tenant))
        .compose(found ->
            usable(found, tenant)
                ? Future.succeededFuture(found)
                : store.findByType(reference.type(), reference.version(), TenantScope.of(tenant)));
  }

  private Future<@Nullable WorkflowDefinition> byId(Reference reference, String tenant) {
    var id = reference.definitionId();
    if (id == null) {
      return none();
    }
    return store
        .find(id, reference.version())
        .compose(found ->
            usable(found, tenant)
                ? Future.succeededFuture(found)
                : store.find(id, Which.PUBLISHED));
  }

  private static Future<@Nullable WorkflowDefinition> none() {
    return Future.succeededFuture(null);
  }

  private static boolean usable(@Nullable WorkflowDefinition found, String tenant) {
    return found != null && found.ref().tenant().equals(tenant) && References.usable(found);
  }
}
