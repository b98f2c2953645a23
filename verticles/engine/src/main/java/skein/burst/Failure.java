package skein.burst;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.activities.FaultException;
import skein.activities.Json;
import skein.expressions.ExpressionException;
import skein.model.Bookmark;

/** Why an execution has failed, as it is journaled, kept and shown to a fault handler. */
record Failure(String type, @Nullable String code, String message) {
  private static final int NAME_CHARS_MAX = 255;

  static Failure of(RuntimeException cause) {
    var type =
        switch (cause) {
          case FaultException fault -> fault.type();
          case ExpressionException expression -> expression.kind();
          default -> cause.getClass().getSimpleName();
        };
    var code = cause instanceof FaultException fault ? fault.code() : null;
    return new Failure(type, code, cause.getMessage() == null ? type : cause.getMessage());
  }

  /** With a message of so many characters at most, and how long it was; the names are shorter. */
  Failure within(int messageMax) {
    return new Failure(
        Journal.cut(type, NAME_CHARS_MAX),
        code == null ? null : Journal.cut(code, NAME_CHARS_MAX),
        Journal.cut(message, messageMax));
  }

  /** {@code end}: the bookmark that has fallen due. */
  static Failure timeOut(Execution execution, Bookmark end) {
    if (Bookmark.EXPIRY.equals(end.tag())) {
      var lifetime = end.dueAt() == null ? null : Duration.between(end.createdAt(), end.dueAt());
      return new Failure("BookmarkExpired", null, "It was not resumed within " + lifetime);
    }
    var timeout = execution.node.policy().timeout();
    return new Failure("Timeout", null, "It has taken longer than " + timeout);
  }

  static Failure read(@Nullable Object json) {
    var members = Json.object(json);
    if (members == null) {
      return new Failure("Unknown", null, "");
    }
    return new Failure(
        String.valueOf(members.get("type")),
        Json.text(members, "code"),
        String.valueOf(members.get("message")));
  }

  Map<String, @Nullable Object> toJson() {
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("type", type);
    json.put("code", code);
    json.put("message", message);
    return json;
  }
}
