package skein.activities;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How designers show an input, in the words of Elsa's UI hints.
 *
 * @param hint the kind of field: {@code singleline}, {@code dropdown}, …
 * @param title null: the input's name in words
 * @param category the tab or group it is shown in; null is the first
 * @param options what can be chosen, for the hints {@code dropdown}, {@code checklist} and {@code
 *     radiolist}; for {@code dynamic-outcomes} the outcomes there are besides; empty for the others
 * @param start how the field looks before its first change
 */
public record Editor(
    String hint,
    @Nullable String title,
    @Nullable String description,
    @Nullable String category,
    List<String> options,
    Start start) {

  /**
   * @param syntax the language of the field; null: the one of its hint
   * @param value what the field shows where a definition has nothing; null: the default of the
   *     input. No activity takes it
   * @param order fields are shown by it, those with the same one as they are declared
   */
  public record Start(@Nullable String syntax, @Nullable Object value, double order) {
    static final Start PLAIN = new Start(null, null, 0);
  }

  public static final String CASES = "switch-editor";
  public static final String CHECKBOX = "checkbox";
  public static final String CHECK_LIST = "checklist";
  public static final String CODE = "code-editor";
  public static final String DEFINITION_PICKER = "workflow-definition-picker";
  public static final String DROPDOWN = "dropdown";
  public static final String DYNAMIC_OUTCOMES = "dynamic-outcomes";

  /** A single line with the address before it that paths of HTTP endpoints follow. */
  public static final String ENDPOINT_PATH = "endpoint-path";

  public static final String FLOW_CASES = "flow-switch-editor";
  public static final String JSON = "json-editor";
  public static final String MULTI_LINE = "multiline";
  public static final String MULTI_TEXT = "multitext";
  public static final String OUTCOME_PICKER = "outcome-picker";
  public static final String OUTPUT_PICKER = "output-picker";
  public static final String SINGLE_LINE = "singleline";
  public static final String STATUS_CODES = "http-status-codes";
  public static final String VARIABLE_PICKER = "variable-picker";

  private static final String STATUS_CODE = "HttpStatusCode";

  /** Those that .NET has, one for each code that can be an answer. */
  private static final List<String> STATUS_NAMES =
      List.of(
          "OK",
          "Created",
          "Accepted",
          "NonAuthoritativeInformation",
          "NoContent",
          "ResetContent",
          "PartialContent",
          "MultiStatus",
          "AlreadyReported",
          "IMUsed",
          "MultipleChoices",
          "MovedPermanently",
          "Found",
          "SeeOther",
          "NotModified",
          "UseProxy",
          "Unused",
          "TemporaryRedirect",
          "PermanentRedirect",
          "BadRequest",
          "Unauthorized",
          "PaymentRequired",
          "Forbidden",
          "NotFound",
          "MethodNotAllowed",
          "NotAcceptable",
          "ProxyAuthenticationRequired",
          "RequestTimeout",
          "Conflict",
          "Gone",
          "LengthRequired",
          "PreconditionFailed",
          "RequestEntityTooLarge",
          "RequestUriTooLong",
          "UnsupportedMediaType",
          "RequestedRangeNotSatisfiable",
          "ExpectationFailed",
          "MisdirectedRequest",
          "UnprocessableEntity",
          "Locked",
          "FailedDependency",
          "UpgradeRequired",
          "PreconditionRequired",
          "TooManyRequests",
          "RequestHeaderFieldsTooLarge",
          "UnavailableForLegalReasons",
          "InternalServerError",
          "NotImplemented",
          "BadGateway",
          "ServiceUnavailable",
          "GatewayTimeout",
          "HttpVersionNotSupported",
          "VariantAlsoNegotiates",
          "InsufficientStorage",
          "LoopDetected",
          "NotExtended",
          "NetworkAuthenticationRequired");

  public Editor {
    options = List.copyOf(options);
  }

  /** The editor for values of a type. */
  static Editor of(String typeName) {
    var hint =
        switch (typeName) {
          case "Boolean" -> CHECKBOX;
          case "Variable" -> VARIABLE_PICKER;
          case "String[]" -> MULTI_TEXT;
          case STATUS_CODE -> DROPDOWN;
          default -> SINGLE_LINE;
        };
    var options = typeName.equals(STATUS_CODE) ? STATUS_NAMES : List.<String>of();
    return new Editor(hint, null, null, null, options, Start.PLAIN);
  }

  /** The choices; empty where values are not chosen. */
  public List<String> choices() {
    return hint.equals(DYNAMIC_OUTCOMES) ? List.of() : options;
  }

  Editor withHint(String next) {
    return new Editor(next, title, description, category, options, start);
  }

  Editor withTitle(String next) {
    return new Editor(hint, next, description, category, options, start);
  }

  Editor withDescription(String next) {
    return new Editor(hint, title, next, category, options, start);
  }

  Editor withCategory(String next) {
    return new Editor(hint, title, description, next, options, start);
  }

  Editor withOptions(String nextHint, List<String> next) {
    return new Editor(nextHint, title, description, category, next, start);
  }

  Editor withStart(Start next) {
    return new Editor(hint, title, description, category, options, next);
  }
}
