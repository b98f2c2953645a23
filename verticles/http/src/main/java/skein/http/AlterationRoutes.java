package skein.http;

import io.vertx.core.Future;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import skein.codecs.AlterationJson;
import skein.ingress.Ingress;
import skein.model.Alteration;
import skein.model.ErrorCode;
import skein.model.InstanceId;
import skein.model.SkeinException;
import skein.openapi.Operation;
import skein.openapi.Parameter;
import skein.openapi.Shape;
import skein.openapi.Tag;
import skein.storage.AlterationStore;
import skein.storage.AlterationStore.Job;
import skein.storage.AlterationStore.Plan;
import skein.storage.TenantScope;

/** Changes instances from outside: at once, or many of them by a plan. */
final class AlterationRoutes {
  /** Instances of one plan; more are several plans. */
  private static final int INSTANCES_MAX = 100_000;

  /** Instances altered while the caller waits. */
  private static final int AT_ONCE_MAX = 1_000;

  /** Jobs of a plan, unless the request says how many. */
  private static final int JOBS_SHOWN = 1_000;

  private final Ingress ingress;
  private final AlterationStore plans;
  private final InstantSource clock;

  AlterationRoutes(Ingress ingress, AlterationStore plans, InstantSource clock) {
    this.ingress = ingress;
    this.plans = plans;
    this.clock = clock;
  }

  void addTo(Routes routes) {
    routes
        .post(
            "/alterations/run",
            Operation.of(
                    Tag.ALTERATIONS,
                    "runAlterations",
                    "Alters up to 1,000 instances while the caller waits")
                .needs(
                    Shape.object()
                        .has("alterations", AlterationShapes.ALTERATIONS)
                        .has("workflowInstanceIds", ListShapes.IDS))
                .answers(AlterationShapes.RESULTS),
            this::run)
        .post(
            "/alterations/submit",
            Operation.of(Tag.ALTERATIONS, "submitAlterations", "Alters many instances by a plan")
                .needs(
                    Shape.object()
                        .may("id", Shape.ID)
                        .has("alterations", AlterationShapes.ALTERATIONS)
                        .may("filter", AlterationShapes.FILTER))
                .answers(Shape.object().has("planId", Shape.ID))
                .fails(ErrorCode.DEFINITION_CONFLICT),
            this::submit)
        .post(
            "/alterations/dry-run",
            Operation.of(
                    Tag.ALTERATIONS,
                    "previewAlterations",
                    "Lists the instances that a filter selects")
                .needs(
                    Shape.anyOf(
                        Shape.object().has("filter", AlterationShapes.FILTER),
                        AlterationShapes.FILTER))
                .answers(Shape.object().has("workflowInstanceIds", ListShapes.IDS)),
            this::dryRun)
        .get(
            "/alterations/:id",
            Operation.of(
                    Tag.ALTERATIONS,
                    "getAlterationPlan",
                    "Reads a plan and what became of its instances")
                .takesPage()
                .answers(AlterationShapes.PLAN)
                .fails(ErrorCode.NOT_FOUND),
            this::find)
        .getThatActs(
            "/alterations/workflows/retry",
            Operation.of(
                    Tag.ALTERATIONS,
                    "retryInstancesByQuery",
                    "Retries faulted activities of several instances")
                .takes(
                    Parameter.several("workflowInstanceIds", "1 to 1,000"),
                    Parameter.several("activityIds", "All that are faulted when missing"))
                .answers(AlterationShapes.RESULTS),
            this::retry)
        .post(
            "/alterations/workflows/retry",
            Operation.of(
                    Tag.ALTERATIONS,
                    "retryInstances",
                    "Retries faulted activities of several instances")
                .needs(
                    Shape.object()
                        .has("workflowInstanceIds", ListShapes.IDS)
                        .may("activityIds", ListShapes.IDS))
                .answers(AlterationShapes.RESULTS),
            this::retry)
        .post(
            "/workflow-instances/:id/retry",
            Operation.of(
                    Tag.INSTANCES, "retryInstance", "Retries faulted activities of an instance")
                .reads(Shape.object().may("activityIds", ListShapes.IDS))
                .answers(InstanceShapes.RESUMED)
                .fails(
                    ErrorCode.INSTANCE_NOT_FOUND,
                    ErrorCode.INSTANCE_FINISHED,
                    ErrorCode.ALTERATION_REFUSED,
                    ErrorCode.STATE_TOO_LARGE,
                    ErrorCode.TOO_MANY_INSTANCES),
            this::retryOne);
  }

  private Future<Answer> run(Call call) {
    var fields = call.fields();
    var alterations = AlterationJson.read(fields.value("alterations"));
    return runAll(call, ids(fields), alterations);
  }

  private Future<Answer> retry(Call call) {
    var fields = call.method().equals("GET") ? call.queryFields() : call.fields();
    return runAll(call, ids(fields), List.of(new Alteration.Retry(fields.texts("activityIds"))));
  }

  private static List<InstanceId> ids(Fields fields) {
    var ids = fields.texts("workflowInstanceIds");
    if (ids.isEmpty() || ids.size() > AT_ONCE_MAX) {
      throw BadRequest.of(
          "\"workflowInstanceIds\" must name 1 to "
              + AT_ONCE_MAX
              + " instances; submit a plan for more");
    }
    return ids.stream().map(InstanceId::new).toList();
  }

  private Future<Answer> runAll(Call call, List<InstanceId> ids, List<Alteration> alterations) {
    var by = ids.size() == 1 ? call.once(ingress) : ingress;
    return results(
            call::nextStep,
            ids,
            id ->
                by.alter(id, alterations, call.actor())
                    .map(done -> result(id, null, clock.instant(), !done.status().finished())),
            clock)
        .map(results -> Answer.ok(Map.of("results", results)));
  }

  /**
   * Results in the order of the ids: each command carries the alterations, so not all are sent at
   * once.
   */
  static Future<List<Map<String, @Nullable Object>>> results(
      Supplier<Future<Void>> nextStep,
      List<InstanceId> ids,
      Function<InstanceId, Future<Map<String, @Nullable Object>>> alter,
      InstantSource clock) {
    var results = new ConcurrentHashMap<InstanceId, Map<String, @Nullable Object>>();
    return Batches.each(
            nextStep,
            ids,
            id ->
                alter
                    .apply(id)
                    .otherwise(e -> result(id, e, clock.instant(), false))
                    .onSuccess(result -> results.put(id, result)))
        .map(_ -> ids.stream().map(results::get).toList());
  }

  private static Map<String, @Nullable Object> result(
      InstanceId id, @Nullable Throwable failure, Instant at, boolean hasWork) {
    var entries = new ArrayList<Object>();
    if (failure != null) {
      var reason = failure instanceof SkeinException refused ? refused.detail() : "It failed";
      var code = failure instanceof SkeinException refused ? refused.code() : ErrorCode.INTERNAL;
      var entry = new LinkedHashMap<String, @Nullable Object>();
      entry.put("message", reason);
      entry.put("logLevel", "Error");
      entry.put("timestamp", at.toString());
      entry.put("eventName", code.name());
      if (failure instanceof SkeinException refused && !refused.errors().isEmpty()) {
        entry.put("errors", refused.errors());
      }
      entries.add(entry);
    }
    var result = new LinkedHashMap<String, @Nullable Object>();
    result.put("workflowInstanceId", id.value());
    result.put("log", Map.of("logEntries", entries));
    result.put("workflowHasScheduledWork", hasWork);
    result.put("isSuccessful", failure == null);
    return result;
  }

  private Future<Answer> retryOne(Call call) {
    var activities = call.fields().texts("activityIds");
    return call.once(ingress)
        .alter(call.instanceId(), List.of(new Alteration.Retry(activities)), call.actor())
        .map(done -> Answer.ok(ResumeRoutes.resumed(done)));
  }

  private Future<Answer> submit(Call call) {
    var fields = call.fields();
    var given = fields.value("alterations");
    AlterationJson.read(given);
    var wanted = fields.text("id");
    var planId = wanted == null ? UUID.randomUUID().toString() : wanted;
    call.about(planId);
    return selected(fields.object("filter"), call.scope())
        .compose(ids ->
            plans.submit(planId, Objects.requireNonNull(given), ids, call.scope(), call.actor()))
        .map(made -> {
          if (!made) {
            throw new SkeinException(
                ErrorCode.DEFINITION_CONFLICT, "There is a plan \"" + planId + "\" already");
          }
          return Answer.json(200, Map.of("planId", planId));
        });
  }

  private Future<Answer> dryRun(Call call) {
    var body = call.fields();
    var filter = body.has("filter") ? body.object("filter") : call.body();
    return selected(filter, call.scope())
        .map(ids ->
            Answer.ok(Map.of("workflowInstanceIds", ids.stream().map(InstanceId::value).toList())));
  }

  private Future<List<InstanceId>> selected(Map<String, @Nullable Object> json, TenantScope scope) {
    var filter = AlterationFilters.read(json);
    return filter == null
        ? Future.succeededFuture(List.of())
        : plans.select(filter, INSTANCES_MAX, scope);
  }

  private Future<Answer> find(Call call) {
    var id = call.path("id");
    var window = call.queryFields().window(JOBS_SHOWN);
    return plans
        .find(id, window.skip(), window.take())
        .map(plan -> {
          if (plan == null) {
            throw new SkeinException(ErrorCode.NOT_FOUND, "There is no plan \"" + id + "\"");
          }
          return Answer.ok(
              Map.of(
                  "plan",
                  json(plan),
                  "jobs",
                  plan.jobs().stream().map(job -> json(plan, job)).toList(),
                  "totalCount",
                  plan.progress().jobs()));
        });
  }

  private static Map<String, @Nullable Object> json(Plan plan) {
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("id", plan.id());
    json.put("alterations", plan.alterations());
    json.put("status", status(plan));
    json.put("createdAt", plan.createdAt().toString());
    return json;
  }

  private static String status(Plan plan) {
    if (plan.progress().pending()) {
      return "Running";
    }
    return plan.progress().failed() ? "Failed" : "Completed";
  }

  private static Map<String, @Nullable Object> json(Plan plan, Job job) {
    var failure = job.failure();
    var failedAt = job.failedAt();
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("id", plan.id() + ":" + job.instanceId());
    json.put("planId", plan.id());
    json.put("workflowInstanceId", job.instanceId().value());
    json.put("status", failure != null ? "Failed" : job.pending() ? "Pending" : "Completed");
    json.put(
        "log",
        failure == null
            ? List.of()
            : List.of(
                Map.of(
                    "message",
                    failure,
                    "logLevel",
                    "Error",
                    "timestamp",
                    (failedAt == null ? plan.createdAt() : failedAt).toString())));
    json.put("createdAt", plan.createdAt().toString());
    json.put("startedAt", null);
    json.put("completedAt", InstanceJson.text(failedAt));
    return json;
  }
}
