package skein.activities;

/** Something an activity gives; a definition may bind it to a variable or a workflow output. */
public record Output(String name, String typeName) {
  public static final Output RESULT = new Output("Result", "Object");

  /** The member of the activity's JSON that binds it. */
  public String property() {
    return camel(name);
  }

  /** The name with a small first letter, as in JSON. */
  public static String camel(String name) {
    return name.isEmpty() ? name : Character.toLowerCase(name.charAt(0)) + name.substring(1);
  }
}
