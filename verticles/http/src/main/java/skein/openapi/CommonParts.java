package skein.openapi;

import static skein.openapi.Members.ordered;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.model.ErrorCode;

/** The parts of the document that all operations share. */
final class CommonParts {
  static final String KEY = "IdempotencyKey";
  static final String PROBLEM_TYPE = "application/problem+json";

  /** RFC 9457, with the members in which Elsa's clients look. Some refusals have more members. */
  static final Shape PROBLEM =
      Shape.object()
          .has("type", Shape.TEXT.described("urn:skein:error: and the code"))
          .has("title", Shape.TEXT.described("The code in words"))
          .has("status", Shape.INTEGER.within(400, 599))
          .has("detail", Shape.TEXT.described("What is wrong, in a sentence"))
          .has("code", Shape.oneOf(ErrorCode.values()).described("Stable; what programs look at"))
          .may("statusCode", Shape.INTEGER.described("As status"))
          .may("message", Shape.TEXT)
          .may(
              "errors", Shape.mapOf(Shape.listOf(Shape.TEXT)).described("Everything that is wrong"))
          .may("validationErrors", Shape.listOf(FindingShape.FINDING))
          .open()
          .as("Problem");

  private static final String DESCRIPTION =
      """
      Elsa Workflows 3's REST API, and what Skein adds. Every GET also answers HEAD. Answers are \
      JSON unless an operation says otherwise; a member that has no value is null, and clients \
      must not mind members that they do not know. A refusal is `application/problem+json` with a \
      stable `code`. A header `x-skein-ignored-parameters` names query parameters that had no \
      effect. Names of query parameters and of members of requests are read in any case.\
      """;

  private CommonParts() {}

  static Map<String, @Nullable Object> info() {
    return ordered(
        "title",
        "Skein",
        "version",
        "1",
        "description",
        DESCRIPTION,
        "license",
        ordered("name", "Apache-2.0", "identifier", "Apache-2.0"));
  }

  /** A problem with one of these codes. */
  static Shape problem(List<String> codes) {
    var code = Shape.object().may("code", Shape.oneOf(codes.toArray(String[]::new)));
    return new Shape(Map.of("allOf", List.of(PROBLEM.schema(), code.schema())), PROBLEM.named());
  }

  static String refused(boolean changing) {
    return changing ? "RefusedChange" : "Refused";
  }

  static Map<String, @Nullable Object> responses() {
    return ordered(refused(false), response(false), refused(true), response(true));
  }

  private static Map<String, @Nullable Object> response(boolean changing) {
    var codes = CommonErrors.of(changing).stream().map(Enum::name).sorted().toList();
    return ordered(
        "description",
        changing
            ? "Refused for a reason that any request with a body may meet"
            : "Refused for a reason that any request may meet",
        "content",
        ordered(PROBLEM_TYPE, Map.of("schema", problem(codes).schema())));
  }

  /** Without authentication none is needed. */
  static List<Object> security() {
    return List.of(Map.of(), Map.of("bearer", List.of()), Map.of("apiKey", List.of()));
  }

  static Map<String, @Nullable Object> securitySchemes() {
    return ordered(
        "bearer",
        ordered("type", "http", "scheme", "bearer", "bearerFormat", "JWT"),
        "apiKey",
        ordered(
            "type",
            "apiKey",
            "in",
            "header",
            "name",
            "Authorization",
            "description",
            "The word ApiKey, a space, and the key"));
  }

  static Map<String, @Nullable Object> parameters() {
    return ordered(
        KEY,
        ordered(
            "name",
            "Idempotency-Key",
            "in",
            "header",
            "description",
            "1 to 255 characters. A repeated request with the same key and content is answered as"
                + " the first one was, and does nothing again",
            "schema",
            Shape.ID.schema()));
  }
}
