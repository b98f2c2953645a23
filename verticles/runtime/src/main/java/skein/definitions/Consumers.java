package skein.definitions;

import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import skein.codecs.JsonLimits;
import skein.codecs.JsonText;
import skein.graph.Reference;
import skein.graph.References;
import skein.model.DefinitionRef;
import skein.model.WorkflowDefinition;
import skein.storage.DefinitionStore;
import skein.storage.PublicationStore.Changed;
import skein.storage.PublicationStore.Names;

/** Finds those who use a definition as an activity, and points them at another version of it. */
final class Consumers {
  private final DefinitionStore store;
  private final Compiler compiler;

  Consumers(DefinitionStore store, Compiler compiler) {
    this.store = store;
    this.compiler = compiler;
  }

  /**
   * A latest or published version that uses a definition.
   *
   * @param uses the references that mean it
   */
  record Consumer(WorkflowDefinition definition, Set<Reference> uses) {}

  Names names(WorkflowDefinition definition) {
    var keys = new LinkedHashSet<String>();
    References.in(definition, compiler.activities())
        .forEach(reference -> keys.addAll(reference.keys()));
    return new Names(References.typeName(definition), List.copyOf(keys));
  }

  /** Those who use it directly, one after another, so that few documents are held at a time. */
  Future<List<Consumer>> direct(String definitionId) {
    return store
        .users(definitionId)
        .compose(ids -> {
          var found = new ArrayList<Consumer>();
          Future<Void> done = Future.succeededFuture();
          for (var id : ids) {
            done = done.compose(_ -> add(id, definitionId, found));
          }
          return done.map(found);
        });
  }

  private Future<Void> add(String versionId, String definitionId, List<Consumer> found) {
    return store
        .findVersion(versionId)
        .compose(user -> {
          if (user == null) {
            return Future.succeededFuture();
          }
          var uses = new HashSet<Reference>();
          Future<Void> done = Future.succeededFuture();
          for (var reference : References.in(user, compiler.activities())) {
            done =
                done.compose(_ -> compiler.find(reference, user.ref().tenant()))
                    .map(meant -> {
                      if (meant != null && meant.ref().definitionId().equals(definitionId)) {
                        uses.add(reference);
                      }
                      return null;
                    });
          }
          return done.onSuccess(_ -> {
            if (!uses.isEmpty()) {
              found.add(new Consumer(user, uses));
            }
          });
        });
  }

  /** The ids of those who use it, directly or through others; in the order of being found. */
  Future<List<String>> all(String definitionId) {
    return collect(List.of(definitionId), new LinkedHashSet<>())
        .map(found -> {
          found.remove(definitionId);
          return List.copyOf(found);
        });
  }

  private Future<Set<String>> collect(List<String> level, Set<String> found) {
    Future<Void> done = Future.succeededFuture();
    var next = new ArrayList<String>();
    for (var id : level) {
      done =
          done.compose(_ -> direct(id))
              .map(consumers -> {
                for (var consumer : consumers) {
                  var user = consumer.definition().ref().definitionId();
                  if (found.add(user)) {
                    next.add(user);
                  }
                }
                return null;
              });
    }
    return done.compose(
        _ -> next.isEmpty() ? Future.succeededFuture(found) : collect(List.copyOf(next), found));
  }

  /** The consumer with its uses pointed at this version; null when they mean it already. */
  @Nullable WorkflowDefinition pointed(Consumer consumer, DefinitionRef version) {
    return pointed(consumer.definition(), consumer.uses(), version);
  }

  /** As {@link #pointed}, for a draft as it is stored by now. */
  @Nullable Changed change(Consumer consumer, DefinitionRef version, String content) {
    var draft = consumer.definition();
    var stored = JsonText.parseObject(content, JsonLimits.STORED);
    var now =
        new WorkflowDefinition(
            draft.ref(),
            stored.get("name") instanceof String name ? name : null,
            stored.get("description") instanceof String description ? description : null,
            true,
            false,
            draft.createdAt(),
            stored);
    var changed = pointed(now, consumer.uses(), version);
    return changed == null ? null : new Changed(changed, names(changed));
  }

  private @Nullable WorkflowDefinition pointed(
      WorkflowDefinition user, Set<Reference> uses, DefinitionRef version) {
    var json =
        References.point(
            user.json(),
            compiler.activities(),
            reference -> uses.contains(reference) ? version : null);
    return json.equals(user.json())
        ? null
        : new WorkflowDefinition(
            user.ref(),
            user.name(),
            user.description(),
            user.latest(),
            user.published(),
            user.createdAt(),
            json);
  }
}
