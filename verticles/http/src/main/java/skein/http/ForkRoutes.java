package skein.http;

import io.vertx.core.Future;
import org.jspecify.annotations.Nullable;
import skein.burst.ChildInput;
import skein.burst.Past;
import skein.definitions.DefinitionCache;
import skein.ingress.Ingress;
import skein.messages.Command;
import skein.messages.Reply;
import skein.model.DerivedIds;
import skein.model.ErrorCode;
import skein.model.InstanceId;
import skein.model.InstanceRefusals;
import skein.model.JournalEntry;
import skein.model.Labels;
import skein.model.SkeinException;
import skein.model.StartRequest;
import skein.model.WorkflowInstance;
import skein.openapi.Operation;
import skein.openapi.Shape;
import skein.openapi.Tag;
import skein.storage.InstanceStore;
import skein.storage.JournalStore;

/** Starts instances with the state that another one had. */
final class ForkRoutes {
  /** Entries of a journal that are replayed at most. */
  private static final int ENTRIES_MAX = 10_000;

  private static final String SEQUENCE = "sequence";

  private final Ingress ingress;
  private final InstanceStore instances;
  private final JournalStore journal;
  private final DefinitionCache definitions;

  ForkRoutes(
      Ingress ingress, InstanceStore instances, JournalStore journal, DefinitionCache definitions) {
    this.ingress = ingress;
    this.instances = instances;
    this.journal = journal;
    this.definitions = definitions;
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
                ErrorCode.INVALID_ID,
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
            .compose(source ->
                versionId(source)
                    .compose(
                        versionId -> once.fork(command(call, fields, source, versionId, sequence))))
            .map(ForkRoutes::answer);
  }

  /**
   * The version that the instance began with; its journal says so where it has moved since. Nothing
   * tells whether an instance whose journal an earlier build began was migrated.
   */
  private Future<String> versionId(WorkflowInstance source) {
    var now = source.definition().versionId();
    return journal
        .first(source.id(), 1)
        .compose(entries -> {
          var begun = entries.isEmpty() ? null : Past.versionAtStart(entries.getFirst());
          return now.equals(begun)
              ? Future.succeededFuture(now)
              : journal
                  .firstMigration(source.id())
                  .compose(entry ->
                      entry == null && begun == null
                          ? Future.succeededFuture(now)
                          : versionBefore(source, entry));
        });
  }

  /**
   * Journals are imported with instances, and may name versions of other definitions or tenants.
   */
  private Future<String> versionBefore(WorkflowInstance source, @Nullable JournalEntry migration) {
    var versionId = migration == null ? null : Past.versionBefore(migration);
    if (versionId == null) {
      throw unknownVersion();
    }
    return definitions
        .version(versionId)
        .map(graph -> {
          if (graph == null) {
            throw unknownVersion();
          }
          var ref = graph.ref();
          if (!ref.definitionId().equals(source.definition().definitionId())
              || !ref.tenant().equals(source.definition().tenant())) {
            throw unknownVersion();
          }
          return versionId;
        });
  }

  private static SkeinException unknownVersion() {
    return new SkeinException(
        ErrorCode.PAST_STATE_UNKNOWN,
        "The journal does not say which version of its definition the instance executed before");
  }

  private Command.Fork command(
      Call call, Fields fields, WorkflowInstance source, String versionId, long sequence) {
    var labels = new Labels(fields.text("name"), fields.text("correlationId"), null);
    return new Command.Fork(
        id(call, fields, source),
        versionId,
        new StartRequest(ChildInput.of(source), labels, null, null, null),
        source.id(),
        sequence,
        fields.object("variables"),
        call.actor());
  }

  /** A repetition of the request means the same instance. */
  private InstanceId id(Call call, Fields fields, WorkflowInstance source) {
    var tenant = call.scope().owner();
    var given = fields.instanceId("instanceId");
    if (given != null && !DerivedIds.mayChoose(tenant, given)) {
      throw InstanceRefusals.reservedId(given);
    }
    if (given != null) {
      return given;
    }
    var key = call.idempotencyKey();
    var own = ingress.of(tenant);
    return key == null ? own.newInstanceId() : own.startedBy("fork of " + source.id(), key);
  }

  private static Answer answer(Reply.Done done) {
    var json = InstanceJson.outcome(done);
    json.put("id", done.instanceId().value());
    json.put("status", ElsaStatus.of(done.status()).status());
    return Answer.json(201, json)
        .with("Location", Routes.API + "/workflow-instances/" + done.instanceId());
  }
}
