package skein.http;

import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import skein.http.DefinitionRemoval.Removed;
import skein.model.ErrorCode;
import skein.model.Finding;
import skein.model.SkeinException;
import skein.model.WorkflowDefinition;
import skein.openapi.Operation;
import skein.openapi.Parameter;
import skein.openapi.Shape;
import skein.openapi.Tag;
import skein.storage.DefinitionStore;
import skein.storage.DefinitionStore.Which;

/** Publishes, retracts, reverts and deletes definitions, one or many. */
final class PublishRoutes {
  private final EditableDefinitions definitions;
  private final DefinitionStore store;
  private final DefinitionRemoval removal;
  private final DefinitionAnswers answers;

  PublishRoutes(
      EditableDefinitions definitions,
      DefinitionStore store,
      DefinitionRemoval removal,
      DefinitionAnswers answers) {
    this.answers = answers;
    this.definitions = definitions;
    this.store = store;
    this.removal = removal;
  }

  void addTo(Routes routes) {
    routes
        .post(
            "/workflow-definitions/:definitionId/publish",
            Operation.of(Tag.DEFINITIONS, "publishDefinition", "Publishes the latest version")
                .takes(DefinitionCheckRoutes.STRICT)
                .answers(DefinitionShapes.PUBLISHED)
                .fails(
                    ErrorCode.DEFINITION_NOT_FOUND,
                    ErrorCode.DEFINITION_INVALID,
                    ErrorCode.DEFINITION_CONFLICT,
                    ErrorCode.DEFINITION_READ_ONLY),
            this::publish)
        .post(
            "/workflow-definitions/:definitionId/retract",
            Operation.of(
                    Tag.DEFINITIONS,
                    "retractDefinition",
                    "Ends the publication: nothing new starts")
                .answers(DefinitionShapes.DOCUMENT)
                .fails(
                    ErrorCode.DEFINITION_NOT_FOUND,
                    ErrorCode.DEFINITION_NOT_PUBLISHED,
                    ErrorCode.DEFINITION_READ_ONLY,
                    ErrorCode.DEFINITION_CONFLICT),
            this::retract)
        .post(
            "/workflow-definitions/:definitionId/revert/:version",
            Operation.of(Tag.DEFINITIONS, "revertDefinition", "Makes a draft of an earlier version")
                .answers(DefinitionShapes.DOCUMENT)
                .fails(
                    ErrorCode.DEFINITION_NOT_FOUND,
                    ErrorCode.DEFINITION_INVALID,
                    ErrorCode.DEFINITION_CONFLICT,
                    ErrorCode.DEFINITION_READ_ONLY),
            this::revert)
        .delete(
            "/workflow-definitions/:definitionId",
            Operation.of(
                    Tag.DEFINITIONS, "deleteDefinition", "Deletes all versions with all instances")
                .answers(DefinitionShapes.REMOVED)
                .answersNothing(204, "Done; it had no instances")
                .fails(ErrorCode.DEFINITION_NOT_FOUND, ErrorCode.DEFINITION_CONFLICT),
            this::delete)
        .delete(
            "/workflow-definitions/:definitionId/version/:version",
            Operation.of(
                    Tag.DEFINITIONS,
                    "deleteDefinitionVersion",
                    "Deletes a version with its instances")
                .takes(
                    Parameter.query(
                        "force", Shape.FLAG, "Also when instances of it have not ended"))
                .answers(DefinitionShapes.REMOVED)
                .answersNothing(204, "Done; it had no instances")
                .fails(
                    ErrorCode.DEFINITION_NOT_FOUND,
                    ErrorCode.DEFINITION_IN_USE,
                    ErrorCode.DEFINITION_READ_ONLY,
                    ErrorCode.DEFINITION_CONFLICT),
            this::deleteVersion)
        .delete(
            "/workflow-definition-versions/:id",
            Operation.of(
                    Tag.DEFINITIONS,
                    "deleteDefinitionVersionById",
                    "Deletes a version by its own id, with its instances")
                .takes(
                    Parameter.query(
                        "force", Shape.FLAG, "Also when instances of it have not ended"))
                .answers(DefinitionShapes.REMOVED)
                .answersNothing(204, "Done; it had no instances")
                .fails(
                    ErrorCode.DEFINITION_NOT_FOUND,
                    ErrorCode.DEFINITION_IN_USE,
                    ErrorCode.DEFINITION_READ_ONLY,
                    ErrorCode.DEFINITION_CONFLICT),
            this::deleteVersionById)
        .post(
            "/bulk-actions/publish/workflow-definitions/by-definition-ids",
            Operation.of(Tag.DEFINITIONS, "publishDefinitions", "Publishes several")
                .takes(DefinitionCheckRoutes.STRICT)
                .needs(DefinitionShapes.DEFINITION_IDS)
                .answers(DefinitionShapes.sorted("published", "alreadyPublished")),
            this::bulkPublish)
        .post(
            "/bulk-actions/retract/workflow-definitions/by-definition-ids",
            Operation.of(Tag.DEFINITIONS, "retractDefinitions", "Ends several publications")
                .needs(DefinitionShapes.DEFINITION_IDS)
                .answers(
                    DefinitionShapes.sorted("retracted", "alreadyRetracted")
                        .has("notPublished", ListShapes.IDS)),
            this::bulkRetract)
        .post(
            "/bulk-actions/delete/workflow-definitions/by-definition-id",
            Operation.of(Tag.DEFINITIONS, "deleteDefinitions", "Deletes several with all instances")
                .needs(DefinitionShapes.DEFINITION_IDS)
                .answers(DefinitionShapes.BULK_REMOVED),
            this::bulkDelete)
        .post(
            "/bulk-actions/delete/workflow-definitions/by-id",
            Operation.of(
                    Tag.DEFINITIONS,
                    "deleteDefinitionVersions",
                    "Deletes several versions with their instances")
                .needs(Shape.object().has("ids", ListShapes.IDS).may("force", Shape.FLAG))
                .answers(DefinitionShapes.BULK_REMOVED),
            this::bulkDeleteVersions);
  }

  private Future<Answer> publish(Call call) {
    return definitions
        .publish(call.path("definitionId"), DefinitionCheckRoutes.isStrict(call))
        .compose(answers::published);
  }

  private Future<Answer> retract(Call call) {
    return definitions.retract(call.path("definitionId")).compose(answers::of);
  }

  private Future<Answer> revert(Call call) {
    return definitions
        .of(call)
        .revert(call.path("definitionId"), call.version())
        .compose(answers::reverted);
  }

  private Future<Answer> delete(Call call) {
    return removal
        .definition(call::nextStep, call.path("definitionId"))
        .map(PublishRoutes::removed);
  }

  private Future<Answer> deleteVersion(Call call) {
    return removal
        .version(call::nextStep, call.path("definitionId"), call.version(), isForced(call))
        .map(PublishRoutes::removed);
  }

  private Future<Answer> deleteVersionById(Call call) {
    return removal
        .versionById(call::nextStep, call.path("id"), isForced(call))
        .map(PublishRoutes::removed);
  }

  private static boolean isForced(Call call) {
    return call.queryFields().isTrue("force");
  }

  /** As Elsa, unless there is something to say. */
  private static Answer removed(Removed removed) {
    return removed.deleted() == 0
        ? Answer.empty(204)
        : Answer.ok(
            Map.of(
                "deletedInstances", removed.deleted(), "cancelledInstances", removed.cancelled()));
  }

  private Future<Answer> bulkPublish(Call call) {
    var already = new LinkedHashSet<String>();
    var warnings = new TreeMap<String, List<String>>();
    boolean strict = DefinitionCheckRoutes.isStrict(call);
    return Batches.each(
            call::nextStep,
            call.fields().texts("definitionIds"),
            id ->
                definitions
                    .publish(id, strict)
                    .onSuccess(done -> {
                      if (done.alreadyPublished()) {
                        already.add(id);
                      } else if (!done.findings().isEmpty()) {
                        warnings.put(id, done.findings().stream().map(Finding::message).toList());
                      }
                    }))
        .map(results -> {
          var json = sorted("published", already, results, warnings);
          json.put("alreadyPublished", List.copyOf(already));
          return Answer.ok(json);
        });
  }

  private Future<Answer> bulkRetract(Call call) {
    return Batches.each(call::nextStep, call.fields().texts("definitionIds"), this::retractIfThere)
        .map(results -> {
          var already = notPublished(results);
          var json = sorted("retracted", already, results, new TreeMap<>());
          json.put("alreadyRetracted", already);
          json.put("notPublished", already);
          return Answer.ok(json);
        });
  }

  /** An unpublished definition may not exist at all. */
  private Future<WorkflowDefinition> retractIfThere(String definitionId) {
    return definitions
        .retract(definitionId)
        .recover(e ->
            e instanceof SkeinException refusal
                    && refusal.code() == ErrorCode.DEFINITION_NOT_PUBLISHED
                ? store
                    .find(definitionId, Which.LATEST)
                    .compose(found -> VersionOptions.orNotFound(found, definitionId))
                    .compose(_ -> Future.failedFuture(e))
                : Future.failedFuture(e));
  }

  private static List<String> notPublished(List<Batches.Done<String>> results) {
    return results.stream().filter(PublishRoutes::wasNotPublished).map(Batches.Done::item).toList();
  }

  private static boolean wasNotPublished(Batches.Done<String> result) {
    return result.refusal() != null
        && result.refusal().code() == ErrorCode.DEFINITION_NOT_PUBLISHED;
  }

  /**
   * Every id in one of Elsa's lists.
   *
   * @param already those that are in a list of their own
   * @param warnings by id; gets why the others have failed
   */
  private static Map<String, @Nullable Object> sorted(
      String doneName,
      Collection<String> already,
      List<Batches.Done<String>> results,
      Map<String, List<String>> warnings) {
    var done = new ArrayList<String>();
    var notFound = new ArrayList<String>();
    var skipped = new ArrayList<String>();
    var failed = new ArrayList<String>();
    for (var result : results) {
      var id = result.item();
      var refusal = result.refusal();
      if (already.contains(id)) {
        continue;
      }
      if (refusal == null) {
        done.add(id);
      } else if (refusal.code() == ErrorCode.DEFINITION_NOT_FOUND) {
        notFound.add(id);
      } else if (refusal.code() == ErrorCode.DEFINITION_READ_ONLY) {
        skipped.add(id);
      } else {
        failed.add(id);
        warnings.put(id, refusal.errors().isEmpty() ? List.of(refusal.detail()) : refusal.errors());
      }
    }
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put(doneName, done);
    json.put("notFound", notFound);
    json.put("skipped", skipped);
    json.put("updatedConsumers", List.of());
    json.put("failed", failed);
    json.put("warnings", warnings);
    return json;
  }

  private Future<Answer> bulkDelete(Call call) {
    return bulkRemove(call, "definitionIds", id -> removal.definition(call::nextStep, id));
  }

  private Future<Answer> bulkDeleteVersions(Call call) {
    boolean force = call.fields().isTrue("force");
    return bulkRemove(call, "ids", id -> removal.versionById(call::nextStep, id, force));
  }

  private static Future<Answer> bulkRemove(
      Call call, String name, Function<String, Future<Removed>> removal) {
    var total = new AtomicReference<>(Removed.NOTHING);
    return Batches.inTurn(
            call::nextStep,
            call.fields().texts(name),
            id -> removal.apply(id).onSuccess(more -> total.updateAndGet(more::plus)))
        .map(results ->
            Answer.ok(
                Map.of(
                    "deleted",
                    Batches.count(results),
                    "deletedInstances",
                    total.get().deleted(),
                    "cancelledInstances",
                    total.get().cancelled(),
                    "errors",
                    refusals(results))));
  }

  private static List<String> refusals(List<Batches.Done<String>> results) {
    return results.stream()
        .map(Batches.Done::refusal)
        .filter(Objects::nonNull)
        .map(SkeinException::detail)
        .toList();
  }
}
