package skein.expressions;

/** The form in which scripts name activities, variables and inputs. */
public final class ScriptName {
  private ScriptName() {}

  /** {@code "my activity-1"} → {@code "MyActivity1"}. */
  public static String of(String name) {
    var pascal = new StringBuilder(name.length());
    var upper = true;
    for (var i = 0; i < name.length(); i++) {
      var c = name.charAt(i);
      if (c == ' ' || c == '-' || c == '_') {
        upper = true;
        continue;
      }
      pascal.append(upper ? Character.toUpperCase(c) : c);
      upper = false;
    }
    return pascal.toString();
  }
}
