package skein.activities;

import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Something an activity is given.
 *
 * @param name as descriptors and the journal show it, e.g. {@code Text}
 * @param typeName an alias or CLR name; what the value is converted to
 * @param defaultValue a JSON value, used where the definition does not set it
 * @param editor how designers show it; follows from the type unless the declaration says more
 * @param secrecy what the journal shows of it
 */
public record Input(
    String name,
    String typeName,
    @Nullable Object defaultValue,
    Form form,
    Editor editor,
    Secrecy secrecy) {

  /** The form of the value for others than the activity itself: in journals, records and files. */
  public enum Secrecy {
    NONE,
    /** Nothing. */
    ALL,
    /** All but a connection string: names of data sources are shown. */
    CONNECTION,
    /** Headers by name, without the values of those that hold credentials. */
    HEADERS,
    /** A URL without the values of parameters that hold credentials. */
    URL
  }

  private static final Pattern SOURCE_NAME = Pattern.compile("\\s*[A-Za-z0-9_-]{1,100}\\s*");

  /** How a definition writes it, and when it is evaluated. */
  public enum Form {
    /** An expression, evaluated before the activity executes. */
    EVALUATED,
    /** An expression, evaluated each time the activity asks for it. */
    LAZY,
    /** An expression that the activity reads itself: it may be in a language of its own. */
    OWN,
    /** Plain JSON. */
    RAW
  }

  /** As a definition declares one of its own. */
  public static Input declared(String name, String typeName, @Nullable Object defaultValue) {
    return of(name, typeName, defaultValue, Form.EVALUATED);
  }

  private static Input of(String name, String typeName, @Nullable Object defaultValue, Form form) {
    return new Input(name, typeName, defaultValue, form, Editor.of(typeName), Secrecy.NONE);
  }

  public static Input of(String name, String typeName) {
    return of(name, typeName, null, Form.EVALUATED);
  }

  public static Input of(String name, String typeName, Object defaultValue) {
    return of(name, typeName, defaultValue, Form.EVALUATED);
  }

  public static Input lazy(String name, String typeName) {
    return of(name, typeName, null, Form.LAZY);
  }

  static Input own(String name, String typeName) {
    return of(name, typeName, null, Form.OWN);
  }

  public static Input raw(String name, String typeName) {
    return of(name, typeName, null, Form.RAW);
  }

  private Input with(Editor next) {
    return new Input(name, typeName, defaultValue, form, next, secrecy);
  }

  /** The part of its value that is shown. */
  public Input secret(Secrecy next) {
    return new Input(name, typeName, defaultValue, form, editor, next);
  }

  /** Whether designers should hide what is typed. */
  public boolean isSensitive() {
    return secrecy == Secrecy.ALL || secrecy == Secrecy.CONNECTION;
  }

  /** Whether it may be the name of a secret, which the performer of the work looks up. */
  public boolean takesSecret() {
    return secrecy == Secrecy.ALL || secrecy == Secrecy.CONNECTION;
  }

  /** The value as the journal may show it. */
  public @Nullable Object shown(@Nullable Object value, SecretNames names) {
    return switch (secrecy) {
      case NONE -> value;
      case ALL -> value == null ? null : SecretNames.HIDDEN;
      case CONNECTION ->
          value == null || (value instanceof String text && SOURCE_NAME.matcher(text).matches())
              ? value
              : SecretNames.HIDDEN;
      case HEADERS -> names.hideHeaders(value);
      case URL -> value instanceof String text ? names.hideInUrl(text) : value;
    };
  }

  /** Shown with another field than its type suggests: one of the constants of {@link Editor}. */
  public Input edited(String hint) {
    return with(editor.withHint(hint));
  }

  public Input titled(String title) {
    return with(editor.withTitle(title));
  }

  public Input described(String description) {
    return with(editor.withDescription(description));
  }

  public Input grouped(String category) {
    return with(editor.withCategory(category));
  }

  /** One of these values is chosen from a list. */
  public Input oneOf(String... values) {
    return oneOf(List.of(values));
  }

  Input oneOf(List<String> values) {
    return with(editor.withOptions(Editor.DROPDOWN, values));
  }

  /** Any of these values are ticked in a list. */
  public Input anyOf(String... values) {
    return with(editor.withOptions(Editor.CHECK_LIST, List.of(values)));
  }

  /** Each text is an outcome of the activity, which has these besides. */
  Input outcomes(String... besides) {
    return with(editor.withOptions(Editor.DYNAMIC_OUTCOMES, List.of(besides)));
  }

  /** A new value is written in this language. */
  Input written(String syntax) {
    var start = editor.start();
    return with(editor.withStart(new Editor.Start(syntax, start.value(), start.order())));
  }

  /** Designers show this value where a definition has none; the activity does not take it. */
  Input showing(Object value) {
    var start = editor.start();
    return with(editor.withStart(new Editor.Start(start.syntax(), value, start.order())));
  }

  /** Shown after inputs of a lower order; 0 is that of all others. */
  Input ordered(double order) {
    var start = editor.start();
    return with(editor.withStart(new Editor.Start(start.syntax(), start.value(), order)));
  }

  /** Properties of Elsa's classes that are not inputs there. */
  private static final Set<String> PLAIN =
      Set.of(
          "ExposeRequestTooLargeOutcome",
          "ExposeFileTooLargeOutcome",
          "ExposeInvalidFileExtensionOutcome",
          "ExposeInvalidFileMimeTypeOutcome");

  /** Whether nothing is made of it when a definition is compiled: the activity reads its JSON. */
  public boolean isUnbound() {
    return form == Form.RAW || form == Form.OWN;
  }

  /** Whether Elsa writes it as plain JSON; it may be an expression here all the same. */
  public boolean isPlain() {
    return form == Form.RAW || PLAIN.contains(name);
  }

  /** The member of the activity's JSON that holds it. */
  public String property() {
    return Output.camel(name);
  }
}
