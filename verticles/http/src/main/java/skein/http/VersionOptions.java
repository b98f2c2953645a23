package skein.http;

import io.vertx.core.Future;
import org.jspecify.annotations.Nullable;
import skein.model.SkeinException;
import skein.model.WorkflowDefinition;
import skein.storage.DefinitionStore;
import skein.storage.DefinitionStore.Listed;
import skein.storage.DefinitionStore.Which;

/** Elsa's way to say which version of a definition: a word or a number. */
sealed interface VersionOptions {
  record Word(Listed word) implements VersionOptions {}

  record Numbered(int version) implements VersionOptions {}

  /** Null is the fallback. */
  static VersionOptions parse(@Nullable String text, Listed fallback) {
    if (text == null) {
      return new Word(fallback);
    }
    if (text.matches("[1-9][0-9]{0,8}")) {
      return new Numbered(Integer.parseInt(text));
    }
    for (var word : Listed.values()) {
      if (word.name().equalsIgnoreCase(text)) {
        return new Word(word);
      }
    }
    throw BadRequest.of(
        "versionOptions is \"" + text + "\", not a version nor a word such as Latest");
  }

  /** The version meant; fails with {@code DEFINITION_NOT_FOUND} when there is none. */
  static Future<WorkflowDefinition> find(
      DefinitionStore store, String definitionId, VersionOptions options) {
    return switch (options) {
      case Numbered(var version) ->
          store
              .find(definitionId, version)
              .compose(found -> orNotFound(found, definitionId + " version " + version));
      case Word(var word) -> find(store, definitionId, word);
    };
  }

  private static Future<WorkflowDefinition> find(
      DefinitionStore store, String definitionId, Listed word) {
    return switch (word) {
      case Published ->
          store
              .find(definitionId, Which.PUBLISHED)
              .compose(found -> orNotFound(found, definitionId + " that is published"));
      case Latest, LatestOrPublished, AllVersions ->
          store.find(definitionId, Which.LATEST).compose(found -> orNotFound(found, definitionId));
      case LatestAndPublished -> latest(store, definitionId, true);
      case Draft -> latest(store, definitionId, false);
    };
  }

  private static Future<WorkflowDefinition> latest(
      DefinitionStore store, String definitionId, boolean published) {
    return store
        .find(definitionId, Which.LATEST)
        .compose(found ->
            orNotFound(
                found != null && found.published() == published ? found : null,
                definitionId
                    + (published ? " whose latest version is published" : " with a draft")));
  }

  static Future<WorkflowDefinition> orNotFound(@Nullable WorkflowDefinition found, String what) {
    return found == null
        ? Future.failedFuture(SkeinException.definitionNotFound(what))
        : Future.succeededFuture(found);
  }
}
