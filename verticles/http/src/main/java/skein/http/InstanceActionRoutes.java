package skein.http;

import io.vertx.core.Future;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import skein.codecs.ResumeLinks;
import skein.codecs.ResumeToken;
import skein.ingress.Ingress;
import skein.messages.Request;
import skein.model.ErrorCode;
import skein.model.InstanceId;
import skein.model.SkeinException;
import skein.model.WorkflowDefinition;
import skein.model.WorkflowStatus;
import skein.openapi.Operation;
import skein.openapi.Shape;
import skein.openapi.Tag;
import skein.storage.DefinitionStore;
import skein.storage.DefinitionStore.Listed;
import skein.storage.InstanceQuery;
import skein.storage.InstanceQuery.Order;
import skein.storage.InstanceStore;
import skein.storage.InstanceStore.Summary;
import skein.storage.TenantScope;

/** Resumes, cancels and deletes instances, and makes and revokes resume tokens. */
final class InstanceActionRoutes {
  private static final int PAGE = 1_000;
  private static final List<WorkflowStatus> UNFINISHED =
      List.of(WorkflowStatus.Pending, WorkflowStatus.Running, WorkflowStatus.Suspended);

  private static final Shape DELETED =
      Shape.object()
          .may("ids", ListShapes.IDS)
          .may("workflowDefinitionId", Shape.ID)
          .may("workflowDefinitionIds", ListShapes.IDS);

  private final Ingress ingress;
  private final InstanceStore instances;
  private final DefinitionStore definitions;
  private final ResumeLinks links;
  private final int bulkMax;

  /** {@code bulkMax}: instances that one request cancels or deletes. */
  InstanceActionRoutes(
      Ingress ingress,
      InstanceStore instances,
      DefinitionStore definitions,
      ResumeLinks links,
      int bulkMax) {
    this.ingress = ingress;
    this.instances = instances;
    this.definitions = definitions;
    this.links = links;
    this.bulkMax = bulkMax;
  }

  void addTo(Routes routes) {
    routes
        .post(
            "/workflow-instances/:id/resume",
            Operation.of(
                    Tag.INSTANCES,
                    "resumeInstance",
                    "Resumes a bookmark of an instance, its only one unless named")
                .reads(
                    Shape.object().may("bookmarkId", Shape.ID).may("input", InstanceShapes.INPUT))
                .answers(InstanceShapes.RESUMED)
                .fails(
                    ErrorCode.TASK_INVALID,
                    ErrorCode.INSTANCE_NOT_FOUND,
                    ErrorCode.INSTANCE_FINISHED,
                    ErrorCode.BOOKMARK_NOT_FOUND,
                    ErrorCode.SEVERAL_BOOKMARKS,
                    ErrorCode.BOOKMARK_EXPIRED,
                    ErrorCode.ALREADY_RESUMED,
                    ErrorCode.STATE_TOO_LARGE),
            this::resume)
        .postForSecret(
            "/workflow-instances/:id/bookmarks/:bookmarkId/tokens",
            Operation.of(
                    Tag.BOOKMARKS,
                    "createResumeToken",
                    "Makes a resume token, in place of one before")
                .reads(
                    Shape.object()
                        .may(
                            "expiresIn",
                            Shape.anyOf(Shape.INTEGER, Shape.TEXT)
                                .described("Seconds, or a duration such as PT15M")))
                .answers(
                    201,
                    Shape.object()
                        .has("token", Shape.TEXT)
                        .has("url", Shape.TEXT)
                        .has("expiresAt", Shape.INSTANT.orNull()))
                .fails(
                    ErrorCode.INSTANCE_NOT_FOUND,
                    ErrorCode.INSTANCE_FINISHED,
                    ErrorCode.BOOKMARK_NOT_FOUND,
                    ErrorCode.BOOKMARK_EXPIRED,
                    ErrorCode.ALREADY_RESUMED),
            this::mintToken)
        .delete(
            "/workflow-instances/:id/bookmarks/:bookmarkId/tokens",
            Operation.of(
                    Tag.BOOKMARKS,
                    "revokeResumeToken",
                    "Makes the resume token of a bookmark worthless")
                .answersNothing(204, "Done")
                .fails(
                    ErrorCode.INSTANCE_NOT_FOUND,
                    ErrorCode.INSTANCE_FINISHED,
                    ErrorCode.BOOKMARK_NOT_FOUND,
                    ErrorCode.ALREADY_RESUMED),
            this::revokeToken)
        .post(
            "/workflow-instances/:id/cancel",
            Operation.of(Tag.INSTANCES, "cancelInstance", "Cancels an instance")
                .answers(InstanceShapes.OUTCOME)
                .fails(ErrorCode.INSTANCE_NOT_FOUND, ErrorCode.INSTANCE_FINISHED),
            this::cancel)
        .post(
            "/cancel/workflow-instances/:id",
            Operation.of(Tag.INSTANCES, "cancelInstanceAsElsa", "Cancels an instance")
                .answers(InstanceShapes.OUTCOME)
                .fails(ErrorCode.INSTANCE_NOT_FOUND, ErrorCode.INSTANCE_FINISHED),
            this::cancel)
        .delete(
            "/workflow-instances/:id",
            Operation.of(Tag.INSTANCES, "deleteInstance", "Deletes an instance with its history")
                .answersNothing(204, "Done")
                .fails(ErrorCode.INSTANCE_NOT_FOUND),
            this::delete)
        .post(
            "/bulk-actions/cancel/workflow-instances",
            Operation.of(Tag.INSTANCES, "cancelInstances", "Cancels several instances")
                .needs(InstanceShapes.CHOSEN)
                .answers(InstanceShapes.done("cancelled"))
                .fails(ErrorCode.DEFINITION_NOT_FOUND),
            this::bulkCancel)
        .post(
            "/bulk-actions/cancel/workflow-instances/",
            Operation.of(Tag.INSTANCES, "cancelInstancesAsElsa", "Cancels several instances")
                .needs(InstanceShapes.CHOSEN)
                .answers(InstanceShapes.done("cancelled"))
                .fails(ErrorCode.DEFINITION_NOT_FOUND),
            this::bulkCancel)
        .post(
            "/bulk-actions/delete/workflow-instances",
            Operation.of(Tag.INSTANCES, "deleteInstances", "Deletes several instances")
                .needs(DELETED)
                .answers(InstanceShapes.done("deleted")),
            this::bulkDelete)
        .post(
            "/bulk-actions/delete/workflow-instances/by-id",
            Operation.of(Tag.INSTANCES, "deleteInstancesById", "Deletes several instances")
                .needs(DELETED)
                .answers(InstanceShapes.done("deleted")),
            this::bulkDelete);
  }

  private Future<Answer> resume(Call call) {
    var id = call.instanceId();
    var fields = call.fields();
    var bookmark = fields.text("bookmarkId");
    var request =
        new Request.Resume(
            id,
            bookmark == null ? null : BookmarkRoutes.bookmark(id, bookmark),
            fields.object("input"));
    return call.once(ingress).resume(request).map(done -> Answer.ok(ResumeRoutes.resumed(done)));
  }

  private Future<Answer> mintToken(Call call) {
    var bookmark = BookmarkRoutes.bookmark(call.instanceId(), call.path("bookmarkId"));
    var lifetime = lifetime(call.fields().value("expiresIn"));
    return ingress
        .mintToken(bookmark, lifetime, call.actor())
        .map(minted -> {
          var json = new LinkedHashMap<String, @Nullable Object>();
          json.put("token", minted.token());
          json.put("url", links.resume(minted.token()));
          json.put("expiresAt", InstanceJson.text(minted.expiresAt()));
          return Answer.json(201, json).with("Cache-Control", "no-store");
        });
  }

  /** Seconds, or a duration as in ISO 8601; null when it does not say. */
  static @Nullable Duration lifetime(@Nullable Object expiresIn) {
    var lifetime =
        switch (expiresIn) {
          case null -> null;
          case Long seconds when seconds <= ResumeToken.LIFETIME_MAX.toSeconds() ->
              Duration.ofSeconds(seconds);
          case String text when text.length() <= 64 -> parsed(text);
          default -> Duration.ZERO;
        };
    if (lifetime != null
        && (!lifetime.isPositive() || lifetime.compareTo(ResumeToken.LIFETIME_MAX) > 0)) {
      throw BadRequest.of(
          "expiresIn is not a number of seconds nor a duration such as PT15M or P7D, at most "
              + ResumeToken.LIFETIME_MAX.toDays()
              + " days");
    }
    return lifetime;
  }

  private static Duration parsed(String text) {
    try {
      return Duration.parse(text);
    } catch (DateTimeParseException | ArithmeticException e) {
      return Duration.ZERO;
    }
  }

  private Future<Answer> revokeToken(Call call) {
    var bookmark = BookmarkRoutes.bookmark(call.instanceId(), call.path("bookmarkId"));
    return call.once(ingress).revokeToken(bookmark, call.actor()).map(_ -> Answer.empty(204));
  }

  private Future<Answer> cancel(Call call) {
    return call.once(ingress)
        .cancel(call.instanceId())
        .map(done -> Answer.ok(InstanceJson.outcome(done)));
  }

  private Future<Answer> delete(Call call) {
    return ingress.delete(call.instanceId()).map(_ -> Answer.empty(204));
  }

  private Future<Answer> bulkCancel(Call call) {
    var fields = call.fields();
    return chosen(fields)
        .compose(chosen -> each(call::nextStep, chosen, ingress::cancel, "cancelled"));
  }

  /**
   * The instances that a request is about, at most {@link #bulkMax}.
   *
   * @param beyond how many there are besides; at least, where there are more than 10,000
   */
  record Chosen(List<InstanceId> ids, long beyond) {}

  /** Those whose refusal may pass remain, too: the same request may succeed later. */
  static Future<Answer> each(
      Supplier<Future<Void>> nextStep,
      Chosen chosen,
      Function<InstanceId, Future<?>> work,
      String done) {
    return Batches.each(nextStep, chosen.ids(), work)
        .map(results ->
            Answer.ok(
                Map.of(
                    done,
                    Batches.count(results),
                    "remaining",
                    chosen.beyond() + Batches.passing(results))));
  }

  private Chosen named(List<String> ids) {
    if (ids.size() > bulkMax) {
      throw new SkeinException(
          ErrorCode.TOO_LARGE,
          "More than http.bulk-instances-max (" + bulkMax + ") ids: send fewer at a time");
    }
    return new Chosen(ids.stream().map(InstanceId::new).toList(), 0);
  }

  private Future<Chosen> chosen(Fields fields) {
    if (fields.has("ids")) {
      return Future.succeededFuture(named(fields.texts("ids")));
    }
    var versionId = fields.text("definitionVersionId");
    return versionId == null
        ? ofDefinition(fields)
        : definitions
            .findVersion(versionId)
            .compose(found -> VersionOptions.orNotFound(found, "version " + versionId))
            .map(WorkflowDefinition::ref)
            .compose(ref -> unfinished(ref.definitionId(), ref.version()));
  }

  private Future<Chosen> ofDefinition(Fields fields) {
    var definitionId = fields.text("definitionId");
    if (definitionId == null) {
      throw BadRequest.of("Say which: ids, definitionVersionId or definitionId");
    }
    var said = fields.text("versionOptions");
    if (said == null) {
      throw BadRequest.of(
          "versionOptions is missing: say of which versions of "
              + definitionId
              + " the instances are cancelled, AllVersions for all");
    }
    var options = VersionOptions.parse(said, Listed.AllVersions);
    return options.equals(new VersionOptions.Word(Listed.AllVersions))
        ? unfinished(definitionId, null)
        : VersionOptions.find(definitions, definitionId, options)
            .compose(found -> unfinished(definitionId, found.ref().version()));
  }

  private Future<Chosen> unfinished(String definitionId, @Nullable Integer version) {
    return oldest(List.of(definitionId), UNFINISHED, version, List.of(), null);
  }

  /** Page by page. */
  private Future<Chosen> oldest(
      List<String> definitionIds,
      List<WorkflowStatus> statuses,
      @Nullable Integer version,
      List<InstanceId> before,
      @Nullable Long total) {
    if (total != null && before.size() >= Math.min(total, bulkMax)) {
      return Future.succeededFuture(new Chosen(before, Math.max(0, total - before.size())));
    }
    var query =
        new InstanceQuery(
            new InstanceQuery.Named(definitionIds, List.of(), version, null, null, null),
            statuses,
            null,
            null,
            List.of(),
            new InstanceQuery.Window(
                Order.Created, false, before.size(), Math.min(PAGE, bulkMax - before.size())));
    return instances
        .list(query, TenantScope.ALL) // of definitions that the tenant has
        .compose(page -> {
          if (page.items().isEmpty()) {
            return Future.succeededFuture(new Chosen(before, 0));
          }
          var found = new ArrayList<>(before);
          page.items().stream().map(Summary::id).forEach(found::add);
          return oldest(definitionIds, statuses, version, found, page.total());
        });
  }

  private Future<Answer> bulkDelete(Call call) {
    var fields = call.fields();
    var ids = fields.texts("ids");
    var definitionIds = fields.texts("workflowDefinitionId", "workflowDefinitionIds");
    if (ids.isEmpty() && definitionIds.isEmpty()) {
      throw BadRequest.of(
          "Say which to delete: ids, workflowDefinitionId or workflowDefinitionIds");
    }
    var chosen =
        ids.isEmpty()
            ? oldest(definitionIds, List.of(), null, List.of(), null)
            : Future.succeededFuture(named(ids));
    return chosen.compose(found -> each(call::nextStep, found, ingress::delete, "deleted"));
  }
}
