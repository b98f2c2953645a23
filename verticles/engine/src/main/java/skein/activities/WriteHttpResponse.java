package skein.activities;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.expressions.Expressions;
import skein.model.Effect;

/** Answers the HTTP request that caused the burst. */
final class WriteHttpResponse implements Activity {
  private static final Input STATUS_CODE =
      Input.of("StatusCode", "HttpStatusCode", 200L)
          .showing("OK")
          .described("That of the answer, as a name or a number.");
  private static final Input CONTENT =
      Input.of("Content", "Object").described("The body of the answer; JSON unless it is text.");
  private static final Input CONTENT_TYPE =
      Input.of("ContentType", "String")
          .oneOf(HttpCall.CONTENT_TYPES)
          .described("The media type of the body.");
  private static final Input HEADERS =
      Input.of("ResponseHeaders", "HttpHeaders")
          .edited(Editor.JSON)
          .described("Headers of the answer, by name.")
          .grouped("Advanced");
  private static final ActivityDescriptor DESCRIPTOR =
      ActivityDescriptor.of("Elsa.WriteHttpResponse", "HTTP", "Answers the HTTP request.")
          .with(STATUS_CODE, CONTENT, CONTENT_TYPE, HEADERS)
          .titled("HTTP Response");

  @Override
  public ActivityDescriptor descriptor() {
    return DESCRIPTOR;
  }

  @Override
  public void execute(ActivityContext context) {
    requireRequest(context);
    var status = context.get(STATUS_CODE) instanceof Number code ? code.intValue() : 200;
    var type = context.text(CONTENT_TYPE);
    context.effect(
        new Effect.HttpAnswer(
            status,
            headers(context.get(HEADERS)),
            type == null || type.isBlank() ? null : type,
            context.get(CONTENT)));
    context.complete();
  }

  static void requireRequest(ActivityContext context) {
    if (!context.hasHttpRequest()) {
      throw new FaultException(
          "NoHttpContext",
          "NoHttpContext",
          "No HTTP request waits for an answer: the workflow was started or resumed by other means");
    }
  }

  private static Map<String, String> headers(@Nullable Object value) {
    var headers = new LinkedHashMap<String, String>();
    var given = Json.object(value);
    if (given != null) {
      given.forEach((name, item) -> {
        var text = item instanceof List<?> list ? joined(list) : text(item);
        if (text != null) {
          headers.put(name, text);
        }
      });
    }
    return Map.copyOf(headers);
  }

  private static String joined(List<?> values) {
    return String.join(
        ", ", values.stream().map(WriteHttpResponse::text).filter(t -> t != null).toList());
  }

  private static @Nullable String text(@Nullable Object value) {
    return (String) Expressions.convert(value, "String");
  }
}
