package skein.node;

import io.vertx.core.json.DecodeException;
import io.vertx.core.json.Json;
import io.vertx.core.json.JsonObject;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import skein.model.ErrorCode;

/** Whether an answer is one that a request may have, whatever the request was. */
final class FuzzOracle {
  private static final Set<String> CODES =
      Arrays.stream(ErrorCode.values()).map(Enum::name).collect(Collectors.toSet());

  private static final Set<Integer> SUCCESSES = Set.of(200, 201, 202, 204, 206, 304);
  private static final Set<Integer> REFUSALS =
      Set.of(400, 403, 404, 405, 408, 409, 410, 412, 413, 414, 415, 416, 417, 421, 422, 431);

  private FuzzOracle() {}

  /** What is wrong with it; null when nothing is. */
  static @Nullable String fault(FuzzRequest request, FuzzAnswer answer) {
    int status = answer.status();
    var type = answer.header("content-type");
    boolean written = isOfWorkflow(request);
    if (SUCCESSES.contains(status)) {
      return type.startsWith("application/json") && !written ? unreadable(answer) : null;
    }
    if (type.startsWith("application/problem+json")) {
      return request.method().equals("HEAD") ? null : problem(answer);
    }
    if (written || request.method().equals("HEAD")) {
      return status >= 200 ? null : "Status " + status;
    }
    if (type.startsWith("text/html") && REFUSALS.contains(status)) {
      return request.target().contains("resume") ? null : "A page for " + status;
    }
    return "Status " + status + " without a problem: " + start(answer);
  }

  /** Its answer is what a workflow writes, whose status and body are its own. */
  private static boolean isOfWorkflow(FuzzRequest request) {
    return request.target().startsWith("/workflows/") || request.target().contains("/execute");
  }

  private static @Nullable String unreadable(FuzzAnswer answer) {
    try {
      if (!answer.text().isEmpty()) {
        Json.decodeValue(answer.text());
      }
      return null;
    } catch (DecodeException e) {
      return "No JSON: " + start(answer);
    }
  }

  private static @Nullable String problem(FuzzAnswer answer) {
    JsonObject json;
    try {
      json = new JsonObject(answer.text());
    } catch (DecodeException | ClassCastException e) {
      return "No JSON: " + start(answer);
    }
    var code = json.getString("code", "");
    if (!CODES.contains(code)) {
      return "No code: " + start(answer);
    }
    if (!Integer.valueOf(answer.status()).equals(json.getInteger("status"))) {
      return "Another status in the body: " + start(answer);
    }
    return switch (answer.status()) {
      case 503 -> answer.header("retry-after").isEmpty() ? "503 without Retry-After" : null;
      case 504 -> null;
      case 500 -> code.equals(ErrorCode.INSTANCE_FAULTED.name()) ? null : "500: " + start(answer);
      case 405 -> answer.headers().containsKey("allow") ? null : "405 without Allow";
      default ->
          REFUSALS.contains(answer.status()) ? null : "Status " + answer.status() + " with a code";
    };
  }

  private static String start(FuzzAnswer answer) {
    var text = answer.text();
    return text.length() > 400 ? text.substring(0, 400) + "…" : text;
  }
}
