package skein.expressions;

import org.jspecify.annotations.Nullable;

/**
 * An expression that does not evaluate. The scope is then as it was before the evaluation. The
 * message says the language, what is wrong and where, as far as each is known: {@code JavaScript:
 * ReferenceError: foo is not defined (line 3, column 1)}.
 */
public final class ExpressionException extends RuntimeException {
  /** The source does not parse. */
  public static final String SYNTAX_ERROR = "SyntaxError";

  /** The script threw, or used something that does not exist. */
  public static final String RUNTIME_ERROR = "RuntimeError";

  /** One of the {@link ExpressionLimits} was exceeded. */
  public static final String BUDGET_EXCEEDED = "BudgetExceeded";

  /** The value cannot become the type that was asked for. */
  public static final String CONVERSION_ERROR = "ConversionError";

  /** No expression of that language is run here; the message says what to write instead. */
  public static final String UNSUPPORTED_LANGUAGE = "UnsupportedLanguage";

  /** A template has a tag that reads other templates; the message says what to write instead. */
  public static final String UNSUPPORTED_TAG = "UnsupportedTag";

  private static final int SHOWN_MAX = 80;

  private final String kind;
  private final int line;
  private final int column;
  private final @Nullable String refused;

  ExpressionException(String kind, String message) {
    this(kind, message, 0, 0, null);
  }

  ExpressionException(
      String kind, String message, int line, int column, @Nullable Throwable cause) {
    this(kind, message, line, column, cause, null);
  }

  private ExpressionException(
      String kind,
      String message,
      int line,
      int column,
      @Nullable Throwable cause,
      @Nullable String refused) {
    super(message, cause);
    this.refused = refused;
    this.kind = kind;
    this.line = line;
    this.column = column;
  }

  /** The same with the language and the place in the message. */
  ExpressionException in(String language) {
    return new ExpressionException(
        kind, language + ": " + getMessage() + place(), line, column, getCause(), refused);
  }

  /** The same with the input that it is of: {@code Input Text: JavaScript: …}. */
  public ExpressionException ofInput(String name) {
    return new ExpressionException(
        kind, "Input " + name + ": " + getMessage(), line, column, getCause(), refused);
  }

  /** {@code refused}: a text that cannot become the type, which is not in the message. */
  static ExpressionException conversion(
      String message, @Nullable String refused, RuntimeException cause) {
    return new ExpressionException(CONVERSION_ERROR, message, 0, 0, cause, refused);
  }

  /** The message with the text that was refused: for definitions, which keep no secrets. */
  public String quoting() {
    var message = String.valueOf(getMessage());
    if (refused == null) {
      return message;
    }
    var shown = refused.length() > SHOWN_MAX ? refused.substring(0, SHOWN_MAX) + "…" : refused;
    return message + " ('" + shown + "')";
  }

  private String place() {
    if (line == 0) {
      return "";
    }
    return column == 0 ? " (line " + line + ")" : " (line " + line + ", column " + column + ")";
  }

  /** One of the constants of this class; stable. */
  public String kind() {
    return kind;
  }

  /** Counted from 1; 0 where unknown. */
  public int line() {
    return line;
  }

  /** Counted from 1; 0 where unknown. */
  public int column() {
    return column;
  }
}
