package skein.http;

import io.vertx.core.Future;
import skein.ingress.Ingress;
import skein.messages.Command;
import skein.messages.Reply;
import skein.model.ErrorCode;
import skein.model.InstanceId;
import skein.model.Labels;
import skein.model.StartRequest;
import skein.model.WorkflowInstance;
import skein.openapi.Operation;
import skein.openapi.Shape;
import skein.openapi.Tag;
import skein.storage.InstanceStore;

/** Starts instances with the state that another one had. */
final class ForkRoutes {
  /** Entries of a journal that are replayed at most. */
  private static final int ENTRIES_MAX = 10_000;

  private static final String SEQUENCE = "sequence";

  private final Ingress ingress;
  private final InstanceStore instances;

  ForkRoutes(Ingress ingress, InstanceStore instances) {
    this.ingress = ingress;
    this.instances = instances;
  }

  void addTo(Routes routes) {
    routes.post(
        "/workflow-instances/:id/fork",
        Operation.of(
                Tag.INSTANCES,
                "forkInstance",
                "Starts an instance with the state that this one had after a burst")
            .needs(
                Shape.object()
                    .has(
                        SEQUENCE,
                        Shape.INTEGER.described(
                            "Of the last entry of the burst in the journal, at most 10,000"))
                    .may("variables", Shape.MEMBERS.described("In place of those it had, by name"))
                    .may("instanceId", Shape.ID)
                    .may("name", Shape.TEXT)
                    .may(
                        "correlationId",
                        Shape.ID.described(
                            "None when missing: events for this instance are not for the other")))
            .answers(201, InstanceShapes.STARTED)
            .fails(
                ErrorCode.INSTANCE_NOT_FOUND,
                ErrorCode.DEFINITION_NOT_FOUND,
                ErrorCode.PAST_STATE_UNKNOWN,
                ErrorCode.INSTANCE_EXISTS,
                ErrorCode.ACTIVATION_REFUSED,
                ErrorCode.TOO_MANY_INSTANCES,
                ErrorCode.STATE_TOO_LARGE),
        this::fork);
  }

  private Future<Answer> fork(Call call) {
    var fields = call.fields();
    long sequence = fields.number(SEQUENCE, 1, ENTRIES_MAX, 0);
    if (sequence == 0) {
      throw BadRequest.of(
          "\""
              + SEQUENCE
              + "\" must be the sequence of an entry of the journal, 1 to "
              + ENTRIES_MAX);
    }
    var once = call.once(ingress);
    return once.repeated() instanceof Reply.Done done
        ? Future.succeededFuture(answer(done))
        : instances
            .get(call.instanceId())
            .compose(source -> once.fork(command(call, fields, source, sequence)))
            .map(ForkRoutes::answer);
  }

  private Command.Fork command(Call call, Fields fields, WorkflowInstance source, long sequence) {
    var labels = new Labels(fields.text("name"), fields.text("correlationId"), null);
    return new Command.Fork(
        id(call, fields, source),
        source.definition().versionId(),
        new StartRequest(source.input(), labels, null, null, null),
        source.id(),
        sequence,
        fields.object("variables"),
        call.actor());
  }

  /** A repetition of the request means the same instance. */
  private InstanceId id(Call call, Fields fields, WorkflowInstance source) {
    var given = fields.instanceId("instanceId");
    if (given != null) {
      return given;
    }
    var key = call.idempotencyKey();
    return key == null ? ingress.newInstanceId() : ingress.startedBy("fork of " + source.id(), key);
  }

  private static Answer answer(Reply.Done done) {
    var json = InstanceJson.outcome(done);
    json.put("id", done.instanceId().value());
    json.put("status", ElsaStatus.of(done.status()).status());
    return Answer.json(201, json)
        .with("Location", Routes.API + "/workflow-instances/" + done.instanceId());
  }
}
