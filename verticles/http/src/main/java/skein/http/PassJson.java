package skein.http;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.openapi.Shape;
import skein.storage.PassStore.Progress;

/** The progress of a pass through the database. */
final class PassJson {
  static final Shape SHAPE =
      Shape.object()
          .has("requestedAt", Shape.INSTANT.orNull())
          .has("startedAt", Shape.INSTANT.orNull())
          .has("finishedAt", Shape.INSTANT.orNull())
          .has("pending", Shape.FLAG)
          .has("node", Shape.TEXT.orNull())
          .has("result", Shape.ANY)
          .as("Pass");

  private PassJson() {}

  static Map<String, @Nullable Object> of(Progress progress) {
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("requestedAt", text(progress.requestedAt()));
    json.put("startedAt", text(progress.startedAt()));
    json.put("finishedAt", text(progress.finishedAt()));
    json.put("pending", progress.isPending());
    json.put("node", progress.node());
    json.put("result", progress.result());
    return json;
  }

  static @Nullable String text(@Nullable Instant instant) {
    return instant == null ? null : instant.toString();
  }
}
