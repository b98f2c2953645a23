package skein.openapi;

import java.util.function.ToIntFunction;
import skein.model.ErrorCode;
import skein.model.FindingCode;

/** The codes of refusals, and of what is wrong with definitions, as Markdown. */
public final class ErrorsPage {
  private static final String HEAD =
      """
      # Error codes

      Every refusal of the API is `application/problem+json` with one of these as `code`, and
      `urn:skein:error:` with the code in lower case and dashes as `type`. Codes are never renamed. *Repeat*
      marks those after which the same request may succeed. `skein.openapi.ErrorsPage` writes this page.

      | code | status | repeat | do |
      |---|---|---|---|
      """;

  private static final String FINDINGS =
      """

      ## What is wrong with a definition

      `POST /elsa/api/workflow-definitions/validate` says it and changes nothing; saving and publishing
      answer it as `validationErrors`, and so does the refusal `DEFINITION_INVALID`. Each has a `message`,
      a `severity`, a `code` of these, the activity as `nodeId`, the place in the document as `path` (a JSON
      Pointer), and the name that was probably meant as `suggestion`. With `strict=true` warnings forbid
      publishing, too.

      | code | do |
      |---|---|
      """;

  private ErrorsPage() {}

  /** {@code statusOf}: the HTTP status of a refusal. */
  public static String of(ToIntFunction<ErrorCode> statusOf) {
    var page = new StringBuilder(HEAD);
    for (var code : ErrorCode.values()) {
      page.append(
          "| `%s` | %d | %s | %s |\n"
              .formatted(
                  code.name(),
                  statusOf.applyAsInt(code),
                  code.isTransient() ? "yes" : "",
                  ErrorHelp.of(code)));
    }
    page.append(FINDINGS);
    for (var code : FindingCode.values()) {
      page.append("| `%s` | %s |\n".formatted(code.name(), FindingHelp.of(code)));
    }
    return page.toString();
  }
}
