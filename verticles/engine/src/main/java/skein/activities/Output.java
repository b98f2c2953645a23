package skein.activities;

import org.jspecify.annotations.Nullable;

/**
 * Something an activity gives; a definition may bind it to a variable or a workflow output.
 *
 * @param title above the field; null is the name in words
 * @param description what designers show of it
 */
public record Output(
    String name, String typeName, @Nullable String title, @Nullable String description) {
  public static final Output RESULT = new Output("Result", "Object");

  public Output(String name, String typeName) {
    this(name, typeName, null, null);
  }

  Output described(String next) {
    return new Output(name, typeName, title, next);
  }

  Output titled(String next) {
    return new Output(name, typeName, next, description);
  }

  /** The member of the activity's JSON that binds it. */
  public String property() {
    return camel(name);
  }

  /** The name with a small first letter, as in JSON. */
  public static String camel(String name) {
    return name.isEmpty() ? name : Character.toLowerCase(name.charAt(0)) + name.substring(1);
  }
}
