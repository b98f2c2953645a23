package skein.model;

import java.util.regex.Pattern;

/** The rules for names of tenants. The default tenant has no name: it is the empty text. */
public final class TenantName {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

  private TenantName() {}

  /** Whether it is 1 to 64 letters, digits, dots, dashes, underscores; a letter or digit first. */
  public static boolean isValid(String text) {
    return NAME.matcher(text).matches();
  }

  /** The text itself. Throws {@link IllegalArgumentException} for what is not a valid name. */
  public static String check(String text) {
    if (!isValid(text)) {
      throw new IllegalArgumentException(
          "The name of a tenant has 1 to 64 letters, digits, dots, dashes and underscores");
    }
    return text;
  }
}
