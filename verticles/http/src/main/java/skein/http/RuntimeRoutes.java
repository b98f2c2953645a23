package skein.http;

import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.cluster.Quiescence;
import skein.model.ErrorCode;
import skein.openapi.Operation;
import skein.openapi.Shape;
import skein.openapi.Tag;
import skein.quiescence.NodeQuiescence;
import skein.quiescence.RuntimeAdmin;

/**
 * Pauses the runtime of the cluster, in Elsa's words: a source of new work is a node, and a cycle
 * of execution is a command that a lane has taken.
 */
final class RuntimeRoutes {
  private static final String PATH = "/admin/workflow-runtime";

  private static final Shape SOURCE =
      Shape.object()
          .has("name", Shape.TEXT.described("Of the node"))
          .has("state", Shape.oneOf(SourceState.values()))
          .has("lastError", Shape.TEXT.orNull())
          .has("lastTransitionAt", Shape.INSTANT.orNull());

  private static final Shape STATUS =
      Shape.object()
          .has(
              "state",
              Shape.object()
                  .has("reason", Shape.TEXT.described("None, AdministrativePause, Drain, or both"))
                  .has("isAcceptingNewWork", Shape.FLAG)
                  .has("pausedAt", Shape.INSTANT.orNull())
                  .has("drainStartedAt", Shape.INSTANT.orNull())
                  .has("pauseReasonText", Shape.TEXT.orNull())
                  .has("pauseRequestedBy", Shape.TEXT.orNull())
                  .has("generationId", Shape.TEXT.described("Of the node that answers")))
          .has("sources", Shape.listOf(SOURCE))
          .has("activeExecutionCycleCount", Shape.COUNT)
          .as("RuntimeStatus");

  private static final Shape OUTCOME =
      Shape.object()
          .has("overallResult", Shape.oneOf("Forced"))
          .has("startedAt", Shape.INSTANT)
          .has("completedAt", Shape.INSTANT)
          .has("pausePhaseDuration", Shape.TEXT.described("Of .NET, such as 00:00:00.0120000"))
          .has("waitPhaseDuration", Shape.TEXT)
          .has("sources", Shape.listOf(SOURCE))
          .has(
              "executionCyclesForceCancelledCount",
              Shape.COUNT.described("0: what has begun ends, and the rest has not begun"))
          .has("forceCancelledInstanceIds", ListShapes.IDS);

  private static final Shape REASON =
      Shape.object().may("reason", Shape.TEXT.described("For people"));

  private enum SourceState {
    Running,
    Pausing,
    Paused,
    PauseFailed,
    Resuming,
    ResumeFailed
  }

  private final RuntimeAdmin runtime;
  private final String generation;
  private final InstantSource clock;

  /** {@code generation}: of this process. */
  RuntimeRoutes(RuntimeAdmin runtime, String generation, InstantSource clock) {
    this.runtime = runtime;
    this.generation = generation;
    this.clock = clock;
  }

  void addTo(Routes routes) {
    routes
        .get(
            PATH + "/status",
            Operation.of(Tag.CLUSTER, "getRuntimeStatus", "Says whether the runtime is paused")
                .answers(STATUS),
            _ -> runtime.status().map(this::answer))
        .post(
            PATH + "/pause",
            Operation.of(
                    Tag.CLUSTER, "pauseRuntime", "Lets all nodes begin nothing new, until resumed")
                .reads(REASON)
                .answers(200, STATUS)
                .fails(ErrorCode.TOO_LARGE, ErrorCode.UNSTORABLE_TEXT),
            call -> runtime.pause(reason(call), call.actor()).map(this::answer))
        .post(
            PATH + "/resume",
            Operation.of(Tag.CLUSTER, "resumeRuntime", "Ends the pause of the runtime")
                .reads(Shape.object())
                .answers(200, STATUS)
                .fails(ErrorCode.RUNTIME_DRAINING),
            this::resume)
        .post(
            PATH + "/force-drain",
            Operation.of(
                    Tag.CLUSTER,
                    "forceDrainRuntime",
                    "Lets all nodes begin nothing new before their next start")
                .reads(REASON)
                .answers(200, Shape.object().has("outcome", OUTCOME))
                .fails(ErrorCode.TOO_LARGE, ErrorCode.UNSTORABLE_TEXT),
            this::forceDrain);
  }

  private Future<Answer> resume(Call call) {
    call.fields();
    return runtime.resume().map(this::answer);
  }

  private static @Nullable String reason(Call call) {
    var given = call.fields().text("reason");
    if (given == null || given.isBlank()) {
      return null;
    }
    var text = given.strip();
    if (text.chars().anyMatch(Character::isISOControl)) {
      throw BadRequest.of("\"reason\" has control characters, such as line ends: leave them out");
    }
    return text;
  }

  private Answer answer(RuntimeAdmin.Status status) {
    var drains = status.drained().isEmpty() ? null : drainedAt(status);
    var pause = status.pause();
    var state = new LinkedHashMap<String, @Nullable Object>();
    state.put("reason", why(pause != null, drains != null));
    state.put("isAcceptingNewWork", pause == null && drains == null);
    state.put("pausedAt", pause == null ? null : pause.at().toString());
    state.put("drainStartedAt", drains == null ? null : drains.toString());
    state.put("pauseReasonText", pause == null ? null : pause.reason());
    state.put("pauseRequestedBy", pause == null ? null : pause.requestedBy());
    state.put("generationId", generation);
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("state", state);
    json.put("sources", sources(status));
    json.put("activeExecutionCycleCount", (long) status.commands());
    return Answer.ok(json);
  }

  /** As .NET writes flags. */
  private static String why(boolean paused, boolean drains) {
    if (paused && drains) {
      return "AdministrativePause, Drain";
    }
    if (paused) {
      return "AdministrativePause";
    }
    return drains ? "Drain" : "None";
  }

  private static @Nullable Instant drainedAt(RuntimeAdmin.Status status) {
    return status.members().stream()
        .map(member -> member.found() == null ? null : member.found().state().drainedAt())
        .filter(at -> at != null)
        .min(Instant::compareTo)
        .orElse(null);
  }

  private static List<Map<String, @Nullable Object>> sources(RuntimeAdmin.Status status) {
    boolean paused = status.pause() != null || !status.drained().isEmpty();
    return status.members().stream()
        .map(member -> {
          var found = member.found();
          var json = new LinkedHashMap<String, @Nullable Object>();
          json.put("name", member.node().name());
          json.put("state", state(found, paused).name());
          json.put("lastError", member.trouble());
          json.put("lastTransitionAt", found == null ? null : since(found.state()));
          return (Map<String, @Nullable Object>) json;
        })
        .toList();
  }

  private static SourceState state(@Nullable NodeQuiescence found, boolean paused) {
    if (found == null) {
      return paused ? SourceState.PauseFailed : SourceState.ResumeFailed;
    }
    if (found.state().acceptsNewWork()) {
      return SourceState.Running;
    }
    return found.commands() == 0 ? SourceState.Paused : SourceState.Pausing;
  }

  private static @Nullable String since(Quiescence.State state) {
    var drainedAt = state.drainedAt();
    if (drainedAt != null) {
      return drainedAt.toString();
    }
    return state.pause() == null ? null : state.pause().at().toString();
  }

  private Future<Answer> forceDrain(Call call) {
    reason(call); // Checked; the audit log says who it was.
    var startedAt = clock.instant();
    return runtime
        .forceDrain()
        .map(status -> {
          var completedAt = clock.instant();
          var outcome = new LinkedHashMap<String, @Nullable Object>();
          outcome.put("overallResult", "Forced");
          outcome.put("startedAt", startedAt.toString());
          outcome.put("completedAt", completedAt.toString());
          outcome.put("pausePhaseDuration", timeSpan(Duration.ZERO));
          outcome.put("waitPhaseDuration", timeSpan(Duration.between(startedAt, completedAt)));
          outcome.put("sources", sources(status));
          outcome.put("executionCyclesForceCancelledCount", 0L);
          outcome.put("forceCancelledInstanceIds", List.of());
          return Answer.ok(Map.of("outcome", outcome));
        });
  }

  /** As .NET writes it, with seven digits. */
  static String timeSpan(Duration duration) {
    return "%02d:%02d:%02d.%07d"
        .formatted(
            duration.toHours(),
            duration.toMinutesPart(),
            duration.toSecondsPart(),
            duration.toNanosPart() / 100);
  }
}
