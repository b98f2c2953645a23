package skein.quiescence;

import io.vertx.core.json.JsonObject;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import skein.cluster.Quiescence;
import skein.model.RuntimePause;

/**
 * The progress of one node, as it reports it.
 *
 * @param commands that its lanes have begun, or have in their queues
 */
public record NodeQuiescence(Quiescence.State state, int commands) {
  JsonObject toJson() {
    var json = new JsonObject().put("commands", commands);
    var pause = state.pause();
    if (pause != null) {
      json.put("pausedAt", pause.at().toString())
          .put("reason", pause.reason())
          .put("requestedBy", pause.requestedBy());
    }
    var drainedAt = state.drainedAt();
    return drainedAt == null ? json : json.put("drainedAt", drainedAt.toString());
  }

  static NodeQuiescence read(JsonObject json) {
    var pausedAt = instant(json, "pausedAt");
    var pause =
        pausedAt == null
            ? null
            : new RuntimePause(pausedAt, json.getString("reason"), json.getString("requestedBy"));
    return new NodeQuiescence(
        new Quiescence.State(pause, instant(json, "drainedAt")), json.getInteger("commands"));
  }

  private static @Nullable Instant instant(JsonObject json, String member) {
    var text = json.getString(member);
    return text == null ? null : Instant.parse(text);
  }
}
