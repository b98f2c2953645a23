package skein.activities;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import skein.expressions.Expressions;

/** The common part of activities that send HTTP requests: inputs, order, answer. */
final class HttpCall {
  /** Failures of the worker after which a definition can continue; others fault the activity. */
  static final String FAILED_TO_CONNECT = "FailedToConnect";

  static final String TIMEOUT = "Timeout";

  static final Input URL =
      Input.of("Url", "System.Uri, System.Private.Uri")
          .secret(Input.Secrecy.URL)
          .described("The address.");
  static final Input METHOD =
      Input.of("Method", "String", "GET")
          .oneOf("GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "HEAD")
          .described("The method of the request.")
          .ordered(1);
  static final Input CONTENT =
      Input.of("Content", "Object").described("The body of the request.").ordered(2);

  /** Media types that designers offer, in Elsa's order. */
  static final List<String> CONTENT_TYPES =
      List.of(
          "",
          "application/json",
          "application/octet-stream",
          "application/soap+xml",
          "application/x-www-form-urlencoded",
          "application/xml",
          "text/html",
          "text/json",
          "text/plain",
          "text/richtext",
          "text/xml");

  static final Input CONTENT_TYPE =
      Input.of("ContentType", "String")
          .oneOf(CONTENT_TYPES)
          .described("The media type of the body.")
          .ordered(3);
  static final Input REQUEST_CONTENT =
      Input.of("RequestContent", "Object").described("The body of the request.");
  static final Input REQUEST_CONTENT_TYPE =
      Input.of("RequestContentType", "String")
          .oneOf(CONTENT_TYPES)
          .titled("Content Type")
          .described("The media type of the body.");
  static final Input AUTHORIZATION =
      Input.of("Authorization", "String")
          .secret(Input.Secrecy.ALL)
          .described("The header Authorization.")
          .grouped("Security")
          .ordered(4);
  static final Input UNCHECKED_AUTHORIZATION =
      Input.of("DisableAuthorizationHeaderValidation", "Boolean", false)
          .described("Ignored by Skein; kept for Elsa.")
          .grouped("Security")
          .ordered(5);
  static final Input HEADERS =
      Input.of("RequestHeaders", "HttpHeaders")
          .edited(Editor.JSON)
          .secret(Input.Secrecy.HEADERS)
          .described("Headers of the request, by name.")
          .grouped("Advanced")
          .ordered(6);

  /** Not an input of Elsa's. */
  static final Input SECRET_HEADERS =
      Input.raw("SecretHeaders", "Object")
          .edited(Editor.JSON)
          .described(
              "Headers with secrets of the nodes, which are looked up when the request is sent:"
                  + " {\"X-Api-Key\": \"${payment-key}\"}.")
          .grouped("Security")
          .ordered(7);

  static final Input RESILIENCY =
      Input.of("EnableResiliency", "Boolean", false).described("Ignored by Skein; kept for Elsa.");
  static final Input EXPECTED =
      Input.of("ExpectedStatusCodes", "Int32[]")
          .edited(Editor.MULTI_TEXT)
          .showing(List.of(200L))
          .described("Status codes that are outcomes; any other is unmatched.")
          .ordered(5.1);

  static final Output STATUS_CODE =
      new Output("StatusCode", "Int32").described("That of the answer.");
  static final Output PARSED_CONTENT =
      new Output("ParsedContent", "Object").described("The body of the answer, by its media type.");
  static final Output RESPONSE_HEADERS =
      new Output("ResponseHeaders", "HttpHeaders").described("Headers of the answer, by name.");
  static final Output RESULT = new Output("Result", "HttpResponseMessage");

  private static final String UNMATCHED = "Unmatched status code";
  private static final String NO_CONNECTION = "Failed to connect";
  private static final String NO_ANSWER = "Timeout";

  /** The named answers in a flowchart; besides them each expected status code is one. */
  static final String[] OUTCOMES = {UNMATCHED, ActivityDescriptor.DONE, NO_CONNECTION, NO_ANSWER};

  private HttpCall() {}

  /** The outcomes of an activity in a definition: the named ones and the expected status codes. */
  static @Nullable Collection<String> outcomes(ActivityNode node) {
    var expected = node.literalTexts(EXPECTED);
    return expected == null ? null : Stream.concat(Stream.of(OUTCOMES), expected.stream()).toList();
  }

  /** Those of {@link #outcomes} that lead on after a failure. */
  static List<String> failures(ActivityNode node) {
    return node.input(EXPECTED) == null
        ? List.of(NO_CONNECTION, NO_ANSWER)
        : List.of(UNMATCHED, NO_CONNECTION, NO_ANSWER);
  }

  /** Reads {@code content} and {@code contentType} from the inputs that have these names here. */
  static WorkOrder order(ActivityContext context, Input content, Input contentType, boolean file) {
    var method = context.text(METHOD);
    return new WorkOrder(
        WorkOrder.HTTP,
        Json.members(
            "url",
            context.required(URL),
            "method",
            method == null || method.isBlank() ? "GET" : method.strip().toUpperCase(Locale.ROOT),
            "headers",
            context.get(HEADERS),
            "authorization",
            context.text(AUTHORIZATION),
            "content",
            context.get(content),
            "contentType",
            context.text(contentType),
            "file",
            file,
            "secrets",
            secrets(context.node())));
  }

  /**
   * Headers by name, with {@code ${name}} for each secret. They stand in the definition itself: the
   * input of an instance cannot name any.
   */
  private static Map<String, @Nullable Object> secrets(ActivityNode node) {
    var headers = new LinkedHashMap<String, @Nullable Object>();
    if (node.raw(SECRET_HEADERS.property()) instanceof Map<?, ?> written) {
      written.forEach((name, value) -> headers.put(String.valueOf(name), String.valueOf(value)));
    }
    var authorization = node.input(AUTHORIZATION);
    if (authorization != null && Expressions.isSecret(authorization.expression())) {
      headers.put("Authorization", "${" + Expressions.secretName(authorization.expression()) + "}");
    }
    return headers;
  }

  /**
   * What came of a request.
   *
   * @param failure null when there is an answer; else {@link #FAILED_TO_CONNECT} or {@link
   *     #TIMEOUT}
   * @param value {@code {statusCode, url, headers, contentType, content}} of an answer, {@code
   *     {failure, message}} otherwise
   */
  record Answer(@Nullable String failure, Map<String, @Nullable Object> value) {
    int status() {
      return value.get("statusCode") instanceof Number code ? code.intValue() : 0;
    }
  }

  /** Faults where a definition cannot mean to continue, such as after a wrong address. */
  static Answer answer(ActivityContext context, Resumption resumption) {
    var result = WorkResult.read(resumption.input());
    if (result instanceof WorkResult.Failed(var type, var message, _)
        && (type.equals(FAILED_TO_CONNECT) || type.equals(TIMEOUT))) {
      return new Answer(type, Json.members("failure", type, "message", message));
    }
    if (result == null) {
      throw new FaultException("WorkFailed", "The request ended without a result");
    }
    return new Answer(null, KeptSecrets.of(context).in(result.orFault()));
  }

  /** Sets the outputs that all have. */
  static void outputs(ActivityContext context, Answer answer) {
    if (answer.failure() == null) {
      context.output(STATUS_CODE, answer.value().get("statusCode"));
      context.output(
          RESPONSE_HEADERS, HeaderNames.shown(Json.object(answer.value().get("headers"))));
    }
  }

  /** Completes with the outcomes that a flowchart follows. */
  static void complete(ActivityContext context, Answer answer) {
    if (answer.failure() != null) {
      context.complete(answer.failure().equals(TIMEOUT) ? NO_ANSWER : NO_CONNECTION);
      return;
    }
    var expected = context.get(EXPECTED) instanceof List<?> codes ? codes : List.of();
    if (expected.isEmpty()) {
      context.complete(ActivityDescriptor.DONE);
      return;
    }
    var matched = expected.contains((long) answer.status());
    context.complete(
        matched ? String.valueOf(answer.status()) : UNMATCHED, ActivityDescriptor.DONE);
  }
}
