package skein.expressions;

import static skein.expressions.ExpressionException.RUNTIME_ERROR;
import static skein.expressions.ExpressionException.SYNTAX_ERROR;
import static skein.expressions.ExpressionException.UNSUPPORTED_LANGUAGE;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Evaluates expressions. One per node; any thread may use it, an evaluation stays on its caller's.
 */
public final class Expressions {
  private static final String SECRET = "secret";
  private static final Pattern SECRET_NAME = Pattern.compile("[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}");

  private final JavaScript javaScript;
  private final Liquid liquid;
  private final ExpressionLimits.Times times;
  private final Duration wholeBurstMax;
  private final EvaluationClocks clocks;

  /**
   * Without configuration for scripts; processor time is what the JVM counts.
   *
   * @param nanoTime monotonic; only differences are used. While it does not advance, time is not
   *     limited
   */
  public Expressions(ExpressionLimits limits, LongSupplier nanoTime) {
    this(limits, EvaluationClocks.withNanoTime(nanoTime), Map.of());
  }

  /**
   * @param configuration what {@code getConfig('name')} and {@code Configuration.name} answer;
   *     another name is an error
   */
  public Expressions(
      ExpressionLimits limits, EvaluationClocks clocks, Map<String, String> configuration) {
    var allowed = Map.copyOf(configuration);
    this.javaScript = new JavaScript(limits, clocks, allowed);
    this.liquid = new Liquid(limits, clocks, allowed);
    this.times = limits.times();
    this.wholeBurstMax = times.burstCpuMax().multipliedBy(2);
    this.clocks = clocks;
  }

  /** The time of the expressions of a burst. Begins now, for the calling thread. */
  public BurstTime burstTime() {
    return new BurstTime(
        EvaluationTime.ofExpressions(times, clocks), "the expressions of this burst");
  }

  /** The time of a whole burst, {@code max} at most. Begins now, for the calling thread. */
  public BurstTime burstTime(Duration max) {
    return new BurstTime(EvaluationTime.ofBurst(max, times, clocks), "the steps of this burst");
  }

  /** The time of a whole burst: twice that of its expressions. */
  public BurstTime wholeBurstTime() {
    return burstTime(wholeBurstMax);
  }

  /**
   * The value of the expression, converted to the type that is asked for.
   *
   * @param targetTypeName an alias or a CLR name; an unknown one asks nothing
   * @throws ExpressionException and the scope is then unchanged
   * @throws EvaluationStarvedException likewise; the same expression may end well another time
   */
  public @Nullable Object evaluate(Expression expression, String targetTypeName, Scope scope) {
    @Nullable Object value;
    try {
      value = value(expression, scope);
    } catch (ExpressionException e) {
      throw e.in(expression.type());
    } catch (EvaluationStarvedException e) {
      throw e.in(expression.type());
    }
    return convert(value, targetTypeName);
  }

  /** The errors of an expression before it runs, each with its place; empty if there are none. */
  public List<String> problems(Expression expression) {
    try {
      switch (language(expression)) {
        case LITERAL -> {}
        case OBJECT -> object(expression.value());
        case VARIABLE, INPUT -> name(expression);
        case SECRET -> secretName(expression);
        case JAVA_SCRIPT -> javaScript.check(source(expression));
        case LIQUID -> liquid.check(source(expression));
      }
      return List.of();
    } catch (ExpressionException e) {
      return List.of(String.valueOf(e.in(expression.type()).getMessage()));
    }
  }

  /**
   * Whether evaluating it certainly sets no variable. Only JavaScript can; of it, scripts are known
   * not to that compute a value of what they read, without assignments and without methods that may
   * change what they are called on.
   *
   * @throws ExpressionException the language is not known or not supported
   */
  public boolean setsNoVariable(Expression expression) {
    return language(expression) != Language.JAVA_SCRIPT || javaScript.onlyReads(source(expression));
  }

  /** Whether evaluating may take up to the time limit, and so does not belong on an event loop. */
  public boolean mayBlock(Expression expression) {
    var usual = AS_USUAL.get(expression.type());
    if (usual != null) {
      return usual == Language.JAVA_SCRIPT || usual == Language.LIQUID;
    }
    return switch (expression.type().toLowerCase(Locale.ROOT)) {
      case "literal", "object", "json", "variable", "input", SECRET -> false;
      default -> true;
    };
  }

  /**
   * Converts a value as an activity's input is converted. Blank text becomes null for every type
   * but text. Types that JSON lacks have one text form each: a TimeSpan is an ISO-8601 duration,
   * dates and GUIDs are ISO-8601 and lower case, bytes are Base64; an HTTP status is a Long.
   *
   * @throws ExpressionException of kind {@link ExpressionException#CONVERSION_ERROR}
   */
  public static @Nullable Object convert(@Nullable Object value, String typeName) {
    return Conversions.convert(value, typeName);
  }

  /**
   * Reads {@code 00:00:05}, {@code 1.02:03:04.5}, {@code PT5S}, or a number of milliseconds.
   *
   * @throws ExpressionException of kind {@link ExpressionException#CONVERSION_ERROR}
   */
  public static Duration duration(Object value) {
    try {
      return Conversions.duration(value);
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw new ExpressionException(
          ExpressionException.CONVERSION_ERROR, String.valueOf(e.getMessage()), 0, 0, e);
    }
  }

  /**
   * Reads ISO-8601, in UTC where it names no offset, or milliseconds since 1970.
   *
   * @throws ExpressionException of kind {@link ExpressionException#CONVERSION_ERROR}
   */
  public static Instant instant(Object value) {
    var converted =
        convert(value instanceof Instant instant ? instant.toString() : value, "DateTimeOffset");
    if (converted == null) {
      throw new ExpressionException(ExpressionException.CONVERSION_ERROR, "no instant: blank");
    }
    return Conversions.instant(converted);
  }

  private enum Language {
    LITERAL,
    OBJECT,
    VARIABLE,
    INPUT,
    SECRET,
    JAVA_SCRIPT,
    LIQUID
  }

  /** As designers write them: the names of others are brought into lower case each time. */
  private static final Map<String, Language> AS_USUAL =
      Map.of(
          "Literal", Language.LITERAL,
          "Object", Language.OBJECT,
          "Variable", Language.VARIABLE,
          "Input", Language.INPUT,
          "JavaScript", Language.JAVA_SCRIPT,
          "Liquid", Language.LIQUID);

  private static Language language(Expression expression) {
    var usual = AS_USUAL.get(expression.type());
    return usual != null ? usual : languageInAnyCase(expression);
  }

  private static Language languageInAnyCase(Expression expression) {
    return switch (expression.type().toLowerCase(Locale.ROOT)) {
      case "literal" -> Language.LITERAL;
      case "object", "json" -> Language.OBJECT;
      case "variable" -> Language.VARIABLE;
      case "input" -> Language.INPUT;
      case SECRET -> Language.SECRET;
      case "javascript" -> Language.JAVA_SCRIPT;
      case "liquid" -> Language.LIQUID;
      case "csharp", "c#", "python" ->
          throw unsupported("this language is not supported; write the expression in JavaScript");
      default ->
          throw unsupported(
              "this language is not known; write Literal, Object, Variable, Input, Secret, JavaScript"
                  + " or Liquid");
    };
  }

  /** The first character is what is wrong: the whole expression would have to be another one. */
  private static ExpressionException unsupported(String message) {
    return new ExpressionException(UNSUPPORTED_LANGUAGE, message, 1, 1, null);
  }

  private @Nullable Object value(Expression expression, Scope scope) {
    return switch (language(expression)) {
      case LITERAL -> expression.value();
      case OBJECT -> object(expression.value());
      case VARIABLE -> scope.variable(name(expression));
      case INPUT -> scope.inputs().get(name(expression));
      case SECRET -> null; // only the performer of work outside gets it, by its name
      case JAVA_SCRIPT -> javaScript.evaluate(source(expression), scope);
      case LIQUID -> liquid.evaluate(source(expression), scope);
    };
  }

  private static @Nullable Object object(@Nullable Object value) {
    if (!(value instanceof String text)) {
      return value;
    }
    if (text.isBlank()) {
      return null;
    }
    try {
      return JsonText.parse(text);
    } catch (IllegalArgumentException e) {
      throw new ExpressionException(SYNTAX_ERROR, String.valueOf(e.getMessage()), 0, 0, e);
    }
  }

  /** The variable that an expression of the language Variable names; null where it names none. */
  public static @Nullable String variableName(Expression expression) {
    try {
      return name(expression);
    } catch (ExpressionException e) {
      return null; // It is wrong, and is said to be by problems.
    }
  }

  public static boolean isSecret(Expression expression) {
    return expression.type().equalsIgnoreCase(SECRET);
  }

  /**
   * What an expression of the language Secret names.
   *
   * @throws ExpressionException it names no secret that there can be
   */
  public static String secretName(Expression expression) {
    if (expression.value() instanceof String name && SECRET_NAME.matcher(name).matches()) {
      return name;
    }
    throw new ExpressionException(
        RUNTIME_ERROR,
        "a secret has a name of letters, digits, '.', '_' and '-', and does not begin with '.'");
  }

  /** The id of a variable or else its name; the name of an input. */
  private static String name(Expression expression) {
    var value = expression.value();
    if (value instanceof String text) {
      if (!text.stripLeading().startsWith("{")) {
        return text.strip();
      }
      value = object(text);
    }
    if (value instanceof Map<?, ?> reference) {
      for (var member : List.of("id", "Id", "name", "Name")) {
        if (reference.get(member) instanceof String name && !name.isBlank()) {
          return name;
        }
      }
    }
    throw new ExpressionException(
        RUNTIME_ERROR, "the " + expression.type() + " expression names nothing");
  }

  private static String source(Expression expression) {
    var value = expression.value();
    return value == null ? "" : value.toString();
  }
}
