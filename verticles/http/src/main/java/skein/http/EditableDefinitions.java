package skein.http;

import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import skein.definitions.Definitions;
import skein.definitions.Definitions.Published;
import skein.model.ErrorCode;
import skein.model.Finding;
import skein.model.SkeinException;
import skein.model.WorkflowDefinition;
import skein.storage.DefinitionStore;
import skein.storage.DefinitionStore.Which;
import skein.storage.TenantScope;

/**
 * Changes definitions for callers of the API. A definition whose latest version says {@code
 * isReadonly} belongs to its provider, a folder of files for example: all changes but its removal
 * fail with {@code DEFINITION_READ_ONLY}. Thread-safe.
 */
final class EditableDefinitions {
  private final Definitions definitions;
  private final DefinitionStore store;
  private final TenantScope scope;

  EditableDefinitions(Definitions definitions, DefinitionStore store) {
    this(definitions, store, TenantScope.ALL);
  }

  private EditableDefinitions(Definitions definitions, DefinitionStore store, TenantScope scope) {
    this.definitions = definitions;
    this.store = store;
    this.scope = scope;
  }

  /** Those that the caller's tenant has, and saves. */
  EditableDefinitions of(Call call) {
    var caller = call.scope();
    return new EditableDefinitions(definitions.of(caller.owner()), store, caller);
  }

  Future<WorkflowDefinition> save(
      Map<String, @Nullable Object> json, @Nullable String definitionId) {
    return unlessReadOnly(idOf(json, definitionId), () -> definitions.save(json, definitionId));
  }

  /** {@code strict}: warnings forbid publishing, too. */
  Future<Published> saveAndPublish(
      Map<String, @Nullable Object> json, @Nullable String definitionId, boolean strict) {
    return unlessReadOnly(
        idOf(json, definitionId), () -> definitions.saveAndPublish(json, definitionId, strict));
  }

  /** {@code strict}: warnings forbid it, too. */
  Future<Published> publish(String definitionId, boolean strict) {
    return unlessReadOnly(definitionId, () -> definitions.publish(definitionId, strict));
  }

  /** The errors and warnings that publishing a version would give. */
  Future<List<Finding>> findings(WorkflowDefinition definition) {
    return definitions.checks().findings(definition);
  }

  Future<WorkflowDefinition> retract(String definitionId) {
    return unlessReadOnly(definitionId, () -> definitions.retract(definitionId));
  }

  Future<WorkflowDefinition> revert(String definitionId, int version) {
    return unlessReadOnly(definitionId, () -> definitions.revert(definitionId, version));
  }

  /** A version that exists and that callers may delete. */
  Future<WorkflowDefinition> deletableVersion(String definitionId, int version) {
    return unlessReadOnly(definitionId, () -> store.find(definitionId, version))
        .compose(found -> VersionOptions.orNotFound(found, definitionId + " version " + version));
  }

  Future<Void> deleteVersion(String definitionId, int version) {
    return definitions.deleteVersion(definitionId, version);
  }

  /** Read-only or not; the same as a definition that starts nothing. */
  Future<Void> stopStarts(String definitionId) {
    return definitions
        .retract(definitionId)
        .<Void>mapEmpty()
        .recover(e ->
            e instanceof SkeinException refusal
                    && refusal.code() == ErrorCode.DEFINITION_NOT_PUBLISHED
                ? Future.succeededFuture()
                : Future.failedFuture(e));
  }

  Future<Void> delete(String definitionId) {
    return definitions.delete(definitionId);
  }

  private static @Nullable String idOf(
      Map<String, @Nullable Object> json, @Nullable String definitionId) {
    return definitionId == null && json.get("definitionId") instanceof String id
        ? id
        : definitionId;
  }

  /** {@code definitionId}: null for one that is new. */
  private <T> Future<T> unlessReadOnly(@Nullable String definitionId, Supplier<Future<T>> change) {
    return definitionId == null
        ? change.get()
        : store
            .find(definitionId, Which.LATEST)
            .compose(found ->
                found != null && scope.sees(found.ref().tenant()) && isReadOnly(found)
                    ? Future.failedFuture(readOnly(definitionId))
                    : change.get());
  }

  static boolean isReadOnly(WorkflowDefinition definition) {
    return Boolean.TRUE.equals(definition.json().get("isReadonly"));
  }

  private static SkeinException readOnly(String definitionId) {
    return new SkeinException(
        ErrorCode.DEFINITION_READ_ONLY,
        "Definition "
            + definitionId
            + " is read-only: change it where it comes from, or delete it");
  }
}
