package skein.definitions;

import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.activities.ActivityDescriptor;
import skein.exchange.DefinitionWriter;
import skein.exchange.UsedVersion;
import skein.graph.GraphCompiler;
import skein.graph.Reference;
import skein.graph.References;
import skein.model.WorkflowDefinition;
import skein.storage.DefinitionStore;
import skein.storage.DefinitionStore.Which;
import skein.storage.TenantScope;

/** Definitions as Elsa writes them, with what they say of the definitions they use. Thread-safe. */
public final class DefinitionDocuments {
  private static final int USABLE_MAX = 1_000;

  private final DefinitionStore store;
  private final Compiler compiler;

  DefinitionDocuments(DefinitionStore store, Compiler compiler) {
    this.store = store;
    this.compiler = compiler;
  }

  /** Fails only when the database does. */
  public Future<Map<String, @Nullable Object>> document(WorkflowDefinition definition) {
    var restored =
        new WorkflowDefinition(
            definition.ref(),
            definition.name(),
            definition.description(),
            definition.latest(),
            definition.published(),
            definition.createdAt(),
            DefinitionWriter.restored(definition.json()));
    return uses(restored)
        .map(uses -> DefinitionWriter.write(restored, compiler.activities(), uses));
  }

  private Future<Map<Reference, UsedVersion>> uses(WorkflowDefinition definition) {
    var found = new LinkedHashMap<Reference, UsedVersion>();
    Future<Void> done = Future.succeededFuture();
    var references = References.in(definition, compiler.activities());
    if (references.size() > compiler.referencesMax()) {
      return Future.succeededFuture(found); // It cannot be published, and says nothing of them.
    }
    for (var reference : references) {
      done = done.compose(_ -> add(reference, definition.ref().tenant(), found));
    }
    return done.map(found);
  }

  private Future<Void> add(Reference reference, String tenant, Map<Reference, UsedVersion> found) {
    return compiler
        .find(reference, tenant)
        .compose(definition -> {
          var typeName = definition == null ? null : References.typeName(definition);
          return definition == null || typeName == null
              ? Future.<Void>succeededFuture()
              : store
                  .find(definition.ref().definitionId(), Which.PUBLISHED)
                  .map(published -> {
                    var ref = published == null ? null : published.ref();
                    found.put(reference, new UsedVersion(definition, typeName, ref));
                    return true;
                  })
                  .<Void>mapEmpty();
        });
  }

  /**
   * The versions of definitions that are usable as activities, the first 1,000: published ones by
   * type name, then the others, which are hidden.
   */
  public Future<List<ActivityDescriptor>> usableAsActivities(TenantScope scope) {
    return store
        .usable(USABLE_MAX, scope)
        .map(found -> {
          var descriptors = new ArrayList<ActivityDescriptor>();
          for (var definition : found) {
            var typeName = References.typeName(definition);
            if (typeName != null) {
              var descriptor = GraphCompiler.asActivity(definition, typeName);
              descriptors.add(definition.published() ? descriptor : descriptor.hidden());
            }
          }
          return descriptors;
        });
  }
}
