package skein.http;

import io.vertx.core.Future;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.activities.Json;
import skein.definitions.ActivityTrials;
import skein.model.ErrorCode;
import skein.model.Transition;
import skein.model.WorkflowDefinition;
import skein.openapi.Operation;
import skein.openapi.Shape;
import skein.openapi.Tag;
import skein.storage.DefinitionStore;
import skein.storage.DefinitionStore.Which;

/** Runs one activity by itself, as Elsa's designer offers in its tab "Test". */
final class ActivityTrialRoutes {
  private static final Shape TRIED =
      Shape.object()
          .has("activityState", Shape.MEMBERS.described("Its inputs, as they were evaluated"))
          .has("outputs", Shape.MEMBERS)
          .has("payload", Shape.MEMBERS.described("Outcomes, where it has completed"))
          .has("exception", Shape.ANY.described("With type and message, where it has faulted"))
          .has(
              "status",
              Shape.TEXT.described("Running: it waits, for work outside too, which is not done"))
          .as("TriedActivity");

  private final ActivityTrials trials;
  private final DefinitionStore store;

  ActivityTrialRoutes(ActivityTrials trials, DefinitionStore store) {
    this.trials = trials;
    this.store = store;
  }

  void addTo(Routes routes) {
    routes.post(
        "/tests/activities",
        Operation.of(
                Tag.DESIGNER,
                "testActivity",
                "Runs one activity in memory: nothing is stored, no work outside is done")
            .needs(
                Shape.object()
                    .has(
                        "workflowDefinitionHandle",
                        Shape.object()
                            .may("definitionVersionId", Shape.TEXT.orNull())
                            .may("definitionId", Shape.TEXT.orNull())
                            .open())
                    .has(
                        "activityHandle",
                        Shape.object()
                            .may("activityNodeId", Shape.TEXT.orNull())
                            .may("activityId", Shape.TEXT.orNull())
                            .open()))
            .answers(TRIED)
            .fails(ErrorCode.DEFINITION_NOT_FOUND, ErrorCode.NOT_FOUND),
        this::test);
  }

  private Future<Answer> test(Call call) {
    var fields = call.fields();
    var definition = Fields.of(fields.object("workflowDefinitionHandle"));
    var handle = fields.object("activityHandle");
    var path = Json.text(handle, "activityNodeId");
    var activity = path == null ? Json.text(handle, "activityId") : path;
    if (activity == null) {
      throw BadRequest.of("activityHandle names no activity: say activityNodeId or activityId");
    }
    var versionId = definition.text("definitionVersionId");
    var definitionId = definition.text("definitionId");
    return find(versionId, definitionId)
        .compose(found ->
            call.scope().sees(found.ref().tenant())
                ? Future.succeededFuture(found)
                : VersionOptions.orNotFound(
                    null,
                    versionId == null ? String.valueOf(definitionId) : "version " + versionId))
        .compose(found -> trials.alone(found, activity))
        .compose(alone -> call.onWorker(() -> trials.run(alone)))
        .map(done -> Answer.ok(json(done)));
  }

  private Future<WorkflowDefinition> find(
      @Nullable String versionId, @Nullable String definitionId) {
    if (versionId != null) {
      return store
          .findVersion(versionId)
          .compose(found -> VersionOptions.orNotFound(found, "version " + versionId));
    }
    if (definitionId == null) {
      throw BadRequest.of(
          "workflowDefinitionHandle names no definition: say definitionVersionId or definitionId");
    }
    return store
        .find(definitionId, Which.LATEST)
        .compose(found -> VersionOptions.orNotFound(found, definitionId));
  }

  private static Map<String, @Nullable Object> json(Transition done) {
    var record = ActivityRecords.of(done.next(), done.journal()).getFirst().toJson();
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("activityState", record.get("activityState"));
    json.put("outputs", record.get("outputs"));
    var payload = Json.object(record.get("payload"));
    var outcomes = payload == null ? null : payload.get("outcomes");
    json.put("payload", outcomes == null ? Map.of() : Map.of("Outcomes", outcomes));
    json.put("exception", exception(done));
    json.put("status", record.get("status"));
    return json;
  }

  private static @Nullable Map<String, @Nullable Object> exception(Transition done) {
    if (done.next().incidents().isEmpty()) {
      return null;
    }
    var incident = done.next().incidents().getFirst();
    return Json.members("type", incident.type(), "message", incident.message());
  }
}
