package skein.activities;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Something an activity is given.
 *
 * @param name as descriptors and the journal show it, e.g. {@code Text}
 * @param typeName an alias or CLR name; what the value is converted to
 * @param defaultValue a JSON value, used where the definition says nothing
 * @param editor how designers show it; follows from the type unless the declaration says more
 */
public record Input(
    String name, String typeName, @Nullable Object defaultValue, Form form, Editor editor) {

  /** How a definition writes it, and when it is evaluated. */
  public enum Form {
    /** An expression, evaluated before the activity executes. */
    EVALUATED,
    /** An expression, evaluated each time the activity asks for it. */
    LAZY,
    /** Plain JSON. */
    RAW
  }

  /** As a definition declares one of its own. */
  public static Input declared(String name, String typeName, @Nullable Object defaultValue) {
    return of(name, typeName, defaultValue, Form.EVALUATED);
  }

  private static Input of(String name, String typeName, @Nullable Object defaultValue, Form form) {
    return new Input(name, typeName, defaultValue, form, Editor.of(typeName));
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

  public static Input raw(String name, String typeName) {
    return of(name, typeName, null, Form.RAW);
  }

  private Input with(Editor next) {
    return new Input(name, typeName, defaultValue, form, next);
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
    return with(editor.withOptions(Editor.DROPDOWN, List.of(values)));
  }

  /** Any of these values are ticked in a list. */
  public Input anyOf(String... values) {
    return with(editor.withOptions(Editor.CHECK_LIST, List.of(values)));
  }

  /** The member of the activity's JSON that holds it. */
  public String property() {
    return Output.camel(name);
  }
}
