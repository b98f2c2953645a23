package skein.cluster;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import org.jspecify.annotations.Nullable;
import skein.bus.Refusals;
import skein.messages.Reply;
import skein.model.ErrorCode;

/** A refusal as the answer of one node to another. */
final class RefusalJson {
  private static final String CODE = "refused";

  private RefusalJson() {}

  static JsonObject of(Throwable failure) {
    var refused = Refusals.of(failure);
    return new JsonObject()
        .put(CODE, refused.code().name())
        .put("detail", refused.detail())
        .put("errors", new JsonArray(refused.errors()));
  }

  /** Null when the answer is none. */
  static Reply.@Nullable Refused read(JsonObject answer) {
    var code = answer.getString(CODE);
    return code == null
        ? null
        : new Reply.Refused(
            ErrorCode.valueOf(code),
            answer.getString("detail"),
            answer.getJsonArray("errors").stream().map(String::valueOf).toList());
  }
}
