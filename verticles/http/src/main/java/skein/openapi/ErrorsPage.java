package skein.openapi;

import java.util.function.ToIntFunction;
import skein.model.ErrorCode;

/** The codes of refusals as Markdown. */
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
    return page.toString();
  }
}
