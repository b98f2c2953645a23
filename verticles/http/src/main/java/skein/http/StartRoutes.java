package skein.http;

import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.codecs.JsonText;
import skein.ingress.Ingress;
import skein.ingress.Ingress.StartOptions;
import skein.messages.Reply;
import skein.messages.Request;
import skein.model.ErrorCode;
import skein.model.SkeinException;
import skein.model.StimulusHash;
import skein.model.WorkflowInstance;
import skein.model.WorkflowStatus;
import skein.openapi.Operation;
import skein.openapi.Parameter;
import skein.openapi.Shape;
import skein.openapi.Tag;
import skein.storage.DefinitionStore;
import skein.storage.DefinitionStore.Listed;

/** Starts instances. With an {@code Idempotency-Key} a repeated start is the first one again. */
final class StartRoutes {
  static final String INSTANCE_HEADER = "x-elsa-workflow-instance-id";

  /** {@code True} when the activation strategy let nothing start, else {@code False}. */
  private static final String CANNOT_START_HEADER = "x-elsa-workflow-cannot-start";

  /** Says that the body is the server's, not one that the workflow has written. */
  private static final String RESPONSE_HEADER = "x-elsa-response";

  private static final int BULK_MAX = 1_000;

  static final Shape START =
      Shape.object()
          .may("input", InstanceShapes.INPUT)
          .may("correlationId", Shape.ID)
          .may("name", Shape.ID)
          .may("instanceId", Shape.ID.described("A new one when missing"))
          .may("triggerActivityId", Shape.ID.described("Where it begins"))
          .may(
              "versionOptions",
              Shape.TEXT.byDefault("Published").described("A number, or Latest, Published, …"));

  private static final Shape EXECUTE =
      START.may("variables", Shape.MEMBERS.described("By the names of the workflow's variables"));

  /** Null when it was deleted since. */
  private static final Shape EXECUTED =
      Shape.object().has("workflowState", InstanceShapes.STATE.orNull());

  private final Ingress ingress;
  private final DefinitionStore definitions;
  private final TenantGate tenants;

  StartRoutes(Ingress ingress, DefinitionStore definitions, TenantGate tenants) {
    this.tenants = tenants;
    this.ingress = ingress;
    this.definitions = definitions;
  }

  void addTo(Routes routes) {
    routes
        .post(
            "/workflow-definitions/:definitionId/execute",
            Operation.of(
                    Tag.STARTS,
                    "executeDefinition",
                    "Starts an instance and waits until it is idle; a workflow may write the answer")
                .reads(EXECUTE)
                .answers(EXECUTED)
                .answers(500, EXECUTED)
                .answersAnything()
                .fails(
                    ErrorCode.DEFINITION_NOT_FOUND,
                    ErrorCode.DEFINITION_NOT_PUBLISHED,
                    ErrorCode.INSTANCE_EXISTS,
                    ErrorCode.ACTIVATION_REFUSED,
                    ErrorCode.TOO_MANY_INSTANCES,
                    ErrorCode.STATE_TOO_LARGE,
                    ErrorCode.INSTANCE_FAULTED),
            this::execute)
        .getThatActs(
            "/workflow-definitions/:definitionId/execute",
            Operation.of(
                    Tag.STARTS,
                    "executeDefinitionByQuery",
                    "Starts an instance and waits until it is idle")
                .takes(
                    Parameter.query("input", Shape.TEXT, "An object of JSON"),
                    Parameter.query("variables", Shape.TEXT, "An object of JSON"),
                    Parameter.query("correlationId", Shape.ID, "What the instance is found by"),
                    Parameter.query("name", Shape.ID, "Of the instance"),
                    Parameter.query("instanceId", Shape.ID, "Its id; a new one when missing"),
                    Parameter.query("triggerActivityId", Shape.ID, "Where it begins"),
                    Parameter.query(
                        "versionOptions", Shape.TEXT.byDefault("Published"), "Which version"))
                .answers(EXECUTED)
                .answers(500, EXECUTED)
                .answersAnything()
                .fails(
                    ErrorCode.DEFINITION_NOT_FOUND,
                    ErrorCode.DEFINITION_NOT_PUBLISHED,
                    ErrorCode.INSTANCE_EXISTS,
                    ErrorCode.ACTIVATION_REFUSED,
                    ErrorCode.TOO_MANY_INSTANCES,
                    ErrorCode.STATE_TOO_LARGE,
                    ErrorCode.INSTANCE_FAULTED),
            this::executeByQuery)
        .post(
            "/workflow-definitions/:definitionId/dispatch",
            Operation.of(
                    Tag.STARTS,
                    "dispatchDefinition",
                    "Starts an instance; answers once it is durable")
                .reads(START)
                .answers(Shape.object().has("workflowInstanceId", Shape.ID))
                .fails(
                    ErrorCode.DEFINITION_NOT_FOUND,
                    ErrorCode.DEFINITION_NOT_PUBLISHED,
                    ErrorCode.INSTANCE_EXISTS,
                    ErrorCode.ACTIVATION_REFUSED,
                    ErrorCode.TOO_MANY_INSTANCES,
                    ErrorCode.STATE_TOO_LARGE,
                    ErrorCode.INSTANCE_FAULTED),
            this::dispatch)
        .post(
            "/workflow-definitions/:definitionId/bulk-dispatch",
            Operation.of(Tag.STARTS, "bulkDispatchDefinition", "Starts up to 1,000 instances")
                .reads(START.may("count", Shape.INTEGER.within(1, BULK_MAX).byDefault(1L)))
                .answers(Shape.object().has("workflowInstanceIds", ListShapes.IDS))
                .fails(
                    ErrorCode.DEFINITION_NOT_FOUND,
                    ErrorCode.DEFINITION_NOT_PUBLISHED,
                    ErrorCode.INSTANCE_EXISTS,
                    ErrorCode.ACTIVATION_REFUSED,
                    ErrorCode.TOO_MANY_INSTANCES,
                    ErrorCode.STATE_TOO_LARGE,
                    ErrorCode.INSTANCE_FAULTED),
            this::bulkDispatch);
  }

  /** The parameters of a start, in the body or elsewhere. */
  private record Start(
      Request.Start request,
      @Nullable String trigger,
      @Nullable String version,
      Map<String, @Nullable Object> variables) {
    Start with(Map<String, @Nullable Object> given) {
      return new Start(request, trigger, version, given);
    }
  }

  private static Start read(
      Call call,
      String definitionId,
      Fields fields,
      Map<String, @Nullable Object> input,
      boolean dispatch) {
    var request =
        new Request.Start(
            definitionId,
            input,
            fields.text("correlationId"),
            fields.text("name"),
            fields.instanceId("instanceId"),
            call.idempotencyKey(),
            dispatch);
    return new Start(
        request, fields.text("triggerActivityId"), fields.text("versionOptions"), Map.of());
  }

  /** The guide's start: 201 and where to look. */
  Future<Answer> start(Call call, Fields fields) {
    var definitionId = fields.required("definitionId");
    var start = read(call, definitionId, fields, fields.object("input"), false);
    return tenants
        .require(call, TenantRule.Thing.DEFINITION, List.of(definitionId))
        .compose(_ -> start(call, start, false))
        .map(done -> {
          var id = done.instanceId().value();
          var status = ElsaStatus.of(done.status());
          var json = InstanceJson.outcome(done);
          json.put("id", id);
          json.put("status", status.status());
          return Answer.json(201, json)
              .with("Location", Routes.API + "/workflow-instances/" + id)
              .with(INSTANCE_HEADER, id);
        });
  }

  private Future<Answer> execute(Call call) {
    var fields = call.fields();
    var start = read(call, call.path("definitionId"), fields, fields.object("input"), false);
    return execute(call, start.with(fields.object("variables")));
  }

  private Future<Answer> executeByQuery(Call call) {
    var fields = call.queryFields();
    var start = read(call, call.path("definitionId"), fields, parsed(call, fields, "input"), false);
    return execute(call, start.with(parsed(call, fields, "variables")));
  }

  private static Map<String, @Nullable Object> parsed(Call call, Fields fields, String name) {
    return fields.value(name) instanceof String text && !text.isEmpty()
        ? JsonText.parseObject(text, call.limits())
        : Map.of();
  }

  private Future<Answer> execute(Call call, Start start) {
    return start(call, start, true).compose(this::executed).recover(StartRoutes::cannotStart);
  }

  /** As Elsa, which takes it for a success that nothing was started. */
  private static Future<Answer> cannotStart(Throwable e) {
    return e instanceof SkeinException refusal && refusal.code() == ErrorCode.ACTIVATION_REFUSED
        ? Future.succeededFuture(
            Answer.empty(200).with(CANNOT_START_HEADER, "True").refusing(refusal.code()))
        : Future.failedFuture(e);
  }

  private Future<Answer> executed(Reply.Done done) {
    var written = done.httpAnswer();
    var answer =
        written == null
            ? state(done).map(StartRoutes::answer)
            : Future.succeededFuture(EndpointAnswers.of(written));
    return answer.map(found ->
        found.with(INSTANCE_HEADER, done.instanceId().value()).with(CANNOT_START_HEADER, "False"));
  }

  /** The present state: commits that were awaited after the start's own have changed it. */
  private Future<@Nullable WorkflowInstance> state(Reply.Done done) {
    return done.state() != null
        ? Future.succeededFuture(done.state())
        : ingress
            .query(done.instanceId())
            .<@Nullable WorkflowInstance>map(found -> found)
            .recover(e ->
                e instanceof SkeinException gone && gone.code() == ErrorCode.INSTANCE_NOT_FOUND
                    ? Future.succeededFuture(null)
                    : Future.failedFuture(e));
  }

  /** {@code state}: null when it was deleted since. */
  private static Answer answer(@Nullable WorkflowInstance state) {
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("workflowState", state == null ? null : InstanceJson.state(state));
    return state != null && state.status() == WorkflowStatus.Faulted
        ? Answer.json(500, json)
        : Answer.json(200, json).with(RESPONSE_HEADER, "true");
  }

  private Future<Answer> dispatch(Call call) {
    var fields = call.fields();
    var start = read(call, call.path("definitionId"), fields, fields.object("input"), true);
    return start(call, start, false)
        .map(done -> {
          var id = done.instanceId().value();
          return Answer.ok(Map.of("workflowInstanceId", id)).with(INSTANCE_HEADER, id);
        });
  }

  private Future<Answer> bulkDispatch(Call call) {
    var fields = call.fields();
    int count = fields.number("count", 1, BULK_MAX, 1);
    if (fields.has("instanceId")) {
      throw BadRequest.of(
          "instanceId names one instance, and this route starts several: leave it out, or use dispatch");
    }
    var definitionId = call.path("definitionId");
    var own = ingress.of(call.scope().owner());
    var starts = new ArrayList<Start>();
    for (int i = 0; i < count; i++) {
      var key = keyOf(call, i);
      var request =
          new Request.Start(
              definitionId,
              fields.object("input"),
              fields.text("correlationId"),
              fields.text("name"),
              key == null ? own.newInstanceId() : own.startedBy(definitionId, key),
              key,
              true);
      starts.add(
          new Start(
              request, fields.text("triggerActivityId"), fields.text("versionOptions"), Map.of()));
    }
    return Batches.each(call::nextStep, starts, start -> start(own, start, false))
        .map(StartRoutes::dispatched);
  }

  /** A repetition of the call finds those that were started before the node died. */
  private static @Nullable String keyOf(Call call, int number) {
    var key = call.idempotencyKey();
    return key == null ? null : StimulusHash.sha256(key) + "/" + number;
  }

  private static Answer dispatched(List<Batches.Done<Start>> results) {
    var ids = new ArrayList<@Nullable String>();
    SkeinException refusal = null;
    for (var result : results) {
      if (result.refusal() == null) {
        ids.add(InstanceJson.text(result.item().request().instanceId()));
      } else {
        refusal = result.refusal();
      }
    }
    if (ids.isEmpty() && refusal != null) {
      throw refusal;
    }
    return Answer.ok(Map.of("workflowInstanceIds", ids));
  }

  private Future<Reply.Done> start(Call call, Start start, boolean wantState) {
    var once = call.once(ingress);
    return once.repeated() instanceof Reply.Done done
        ? Future.succeededFuture(done)
        : start(once, start, wantState);
  }

  private Future<Reply.Done> start(Ingress by, Start start, boolean wantState) {
    return versionId(start)
        .map(versionId ->
            new StartOptions(versionId, start.trigger(), null, wantState, start.variables()))
        .compose(options -> by.start(start.request(), options));
  }

  /** Null lets the owner take the published version, and the commit check it. */
  private Future<@Nullable String> versionId(Start start) {
    var options = VersionOptions.parse(start.version(), Listed.Published);
    return options.equals(new VersionOptions.Word(Listed.Published))
        ? Future.succeededFuture((@Nullable String) null)
        : VersionOptions.find(definitions, start.request().definitionId(), options)
            .map(definition -> definition.ref().versionId());
  }
}
