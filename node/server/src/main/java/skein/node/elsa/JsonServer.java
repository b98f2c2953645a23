package skein.node.elsa;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.codecs.JsonLimits;
import skein.codecs.JsonText;
import skein.model.SkeinException;
import skein.node.dev.CannotStartException;

/** A server with an API of JSON: that of Elsa, or a node of a cluster. */
public interface JsonServer {
  /**
   * Asks, and waits for the answer.
   *
   * @param path below the root of the API, with its query
   * @param body JSON; null: none
   * @throws CannotStartException when there is no answer; the message says what to do
   */
  Answer ask(String method, String path, @Nullable String body);

  /** What was answered; {@code body}: may be empty, or no JSON. */
  record Answer(int status, String body) {
    private static final int NOT_FOUND = 404;
    private static final int REFUSALS = 300;

    boolean isMissing() {
      return status == NOT_FOUND;
    }

    boolean isRefused() {
      return status >= REFUSALS;
    }

    /** The JSON value of an answer that is no refusal. */
    @Nullable Object value(String what) {
      if (isRefused()) {
        throw new CannotStartException(what + " was refused: " + refusal());
      }
      try {
        return JsonText.parse(body, JsonLimits.STORED);
      } catch (SkeinException e) {
        throw new CannotStartException(what + " was not answered with JSON: " + e.detail(), e);
      }
    }

    /** The JSON object of an answer that is no refusal. */
    Map<?, ?> object(String what) {
      if (value(what) instanceof Map<?, ?> map) {
        return map;
      }
      throw new CannotStartException(what + " was not answered with an object");
    }

    /** The code and the sentences of a refusal; the status where it has none. */
    String refusal() {
      try {
        if (JsonText.parse(body, JsonLimits.STORED) instanceof Map<?, ?> problem) {
          var code = Json.text(problem, "code");
          var detail = Json.text(problem, "detail");
          return (code == null ? "HTTP " + status : code)
              + (detail == null ? "" : ": " + detail)
              + errors(problem, detail);
        }
      } catch (SkeinException e) {
        return "HTTP " + status;
      }
      return "HTTP " + status;
    }

    /** The sentences beside the detail, each after a semicolon. */
    private static String errors(Map<?, ?> problem, @Nullable String detail) {
      var errors = Json.get(problem, "errors");
      var told = errors instanceof Map<?, ?> named ? named.get("generalErrors") : errors;
      var text = new StringBuilder();
      if (told instanceof Iterable<?> sentences) {
        for (var sentence : sentences) {
          if (!String.valueOf(sentence).equals(detail)) {
            text.append("; ").append(sentence);
          }
        }
      }
      return text.toString();
    }
  }
}
