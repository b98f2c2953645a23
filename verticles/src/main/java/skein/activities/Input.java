package skein.activities;

import org.jspecify.annotations.Nullable;

/**
 * Something an activity is given.
 *
 * @param name as descriptors and the journal show it, e.g. {@code Text}
 * @param typeName an alias or CLR name; what the value is converted to
 * @param defaultValue a JSON value, used where the definition says nothing
 */
public record Input(String name, String typeName, @Nullable Object defaultValue, Form form) {

  /** How a definition writes it, and when it is evaluated. */
  public enum Form {
    /** An expression, evaluated before the activity executes. */
    EVALUATED,
    /** An expression, evaluated each time the activity asks for it. */
    LAZY,
    /** Plain JSON. */
    RAW
  }

  public static Input of(String name, String typeName) {
    return new Input(name, typeName, null, Form.EVALUATED);
  }

  public static Input of(String name, String typeName, Object defaultValue) {
    return new Input(name, typeName, defaultValue, Form.EVALUATED);
  }

  public static Input lazy(String name, String typeName) {
    return new Input(name, typeName, null, Form.LAZY);
  }

  public static Input raw(String name, String typeName) {
    return new Input(name, typeName, null, Form.RAW);
  }

  /** The member of the activity's JSON that holds it. */
  public String property() {
    return Output.camel(name);
  }
}
