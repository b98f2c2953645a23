package skein.definitions;

import io.vertx.core.Future;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.exchange.DefinitionWriter;
import skein.exchange.UsedVersion;
import skein.graph.Reference;
import skein.graph.References;
import skein.model.WorkflowDefinition;
import skein.storage.DefinitionStore;
import skein.storage.DefinitionStore.Which;

/** Definitions as Elsa writes them, with what they say of the definitions they use. Thread-safe. */
public final class DefinitionDocuments {
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
      done = done.compose(_ -> add(reference, found));
    }
    return done.map(found);
  }

  private Future<Void> add(Reference reference, Map<Reference, UsedVersion> found) {
    return compiler
        .find(reference)
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
}
