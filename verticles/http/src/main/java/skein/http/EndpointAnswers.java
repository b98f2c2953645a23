package skein.http;

import io.vertx.core.buffer.Buffer;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import skein.codecs.JsonText;
import skein.messages.Reply;
import skein.model.Effect;
import skein.model.ErrorCode;
import skein.model.WorkflowStatus;

/** The answer of a workflow to the HTTP request that started or resumed it. */
final class EndpointAnswers {
  private static final int HEADERS_MAX = 100;
  private static final int HEADER_CHARS_MAX = 8_192;

  /** Belong to the connection or follow from the body: not the workflow's business. */
  private static final Set<String> NOT_FROM_WORKFLOWS =
      Set.of(
          "connection",
          "content-length",
          "keep-alive",
          "proxy-authenticate",
          "proxy-authorization",
          "proxy-connection",
          "te",
          "trailer",
          "transfer-encoding",
          "upgrade");

  private EndpointAnswers() {}

  /** A fault before any answer was written is a 500; no answer and no fault is an empty 200. */
  static Answer of(Reply.Done done) {
    var written = done.httpAnswer();
    Answer answer;
    if (written != null) {
      answer = of(written);
    } else if (done.status() == WorkflowStatus.Faulted) {
      answer = faulted(done);
    } else {
      answer = Answer.empty(200);
    }
    return answer.with(StartRoutes.INSTANCE_HEADER, done.instanceId().value());
  }

  private static Answer faulted(Reply.Done done) {
    var refusal =
        new Reply.Refused(
            ErrorCode.INSTANCE_FAULTED, "The workflow faulted; its incidents say why", List.of());
    return Problems.of(
        refusal,
        Problems.status(refusal.code()),
        Map.of("workflowInstanceId", done.instanceId().value()));
  }

  /** Headers that cannot be sent safely are left out; an impossible status is a 500. */
  static Answer of(Effect.HttpAnswer written) {
    if (written.status() < 200 || written.status() > 599) {
      return Problems.of(
          new Reply.Refused(
              ErrorCode.INSTANCE_FAULTED,
              "The workflow answered with the status " + written.status(),
              List.of()),
          500,
          Map.of());
    }
    var headers = new LinkedHashMap<String, String>();
    var contentType = clean(written.contentType());
    for (var header : written.headers().entrySet()) {
      var name = header.getKey();
      var value = header.getValue();
      if (name.equalsIgnoreCase("content-type")) {
        contentType = contentType == null ? clean(value) : contentType;
      } else if (headers.size() < HEADERS_MAX && isSafe(name, value)) {
        headers.put(name, value);
      }
    }
    var content = written.content();
    return new Answer(
        written.status(), headers, typed(contentType, content), body(content, written.base64()));
  }

  private static @Nullable String clean(@Nullable String contentType) {
    return contentType == null || contentType.isBlank() || !isValue(contentType)
        ? null
        : contentType;
  }

  private static boolean isSafe(String name, String value) {
    return isToken(name)
        && isValue(value)
        && !NOT_FROM_WORKFLOWS.contains(name.toLowerCase(Locale.ROOT));
  }

  /** RFC 9110, 5.6.2. */
  private static boolean isToken(String name) {
    return !name.isEmpty()
        && name.length() <= 256
        && name.chars()
            .allMatch(c ->
                c > 32
                    && c < 127
                    && (Character.isLetterOrDigit(c) || "!#$%&'*+-.^_`|~".indexOf(c) >= 0));
  }

  /** No line break gets through: it could inject a header or a body. */
  private static boolean isValue(String value) {
    return value.length() <= HEADER_CHARS_MAX
        && value.chars().allMatch(c -> c == '\t' || (c >= 32 && c < 127));
  }

  /**
   * The media type of the workflow; else text for text, JSON for the rest, none without content.
   */
  private static @Nullable String typed(@Nullable String contentType, @Nullable Object content) {
    if (contentType == null) {
      return content == null
          ? null
          : content instanceof String ? "text/plain; charset=utf-8" : Answer.JSON;
    }
    var lower = contentType.toLowerCase(Locale.ROOT);
    return lower.startsWith("text/") && !lower.contains("charset")
        ? contentType + "; charset=utf-8"
        : contentType;
  }

  private static Buffer body(@Nullable Object content, boolean base64) {
    return switch (content) {
      case String bytes when base64 -> Buffer.buffer(Base64.getDecoder().decode(bytes));
      case null -> Buffer.buffer();
      case String text -> Buffer.buffer(text);
      case Object value -> Buffer.buffer(JsonText.printBytes(value));
    };
  }
}
