package skein.node.cli;

import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import skein.node.dev.CannotStartException;

/**
 * The answer of a node.
 *
 * @param json of a refusal, the problem
 */
record RemoteAnswer(int status, JsonObject json) {
  private static final int BAD_REQUEST = 400;
  private static final int UNAUTHORIZED = 401;

  boolean isRefused() {
    return status >= 300;
  }

  /** The JSON of what was not refused. */
  JsonObject orThrow() {
    if (isRefused()) {
      throw refusal();
    }
    return json;
  }

  /** An error of the caller, or one of the node. */
  RuntimeException refusal() {
    return status == BAD_REQUEST
        ? new RefusedArgumentException(text())
        : new CannotStartException(text());
  }

  private String text() {
    var lines = new ArrayList<String>();
    var detail = json.getString("detail", json.getString("title"));
    lines.add(json.getString("code", "HTTP " + status) + ": " + plain(detail));
    for (var sentence : sentences()) {
      if (!sentence.equals(detail)) {
        lines.add("  " + plain(sentence));
      }
    }
    if (status == UNAUTHORIZED) {
      lines.add("  Give a token or key: SKEIN_TOKEN, SKEIN_API_KEY, --token-file, --api-key-file");
    }
    return String.join(System.lineSeparator(), lines);
  }

  private static String plain(@Nullable Object text) {
    return Terminal.plain(String.valueOf(text));
  }

  /** Nodes of older versions send a list alone. */
  private Iterable<?> sentences() {
    var errors = json.getValue("errors");
    var told = errors instanceof JsonObject named ? named.getValue("generalErrors") : errors;
    return told instanceof Iterable<?> sentences ? sentences : List.of();
  }
}
