package skein.http;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The page to which a person comes back from a sign-in elsewhere: one of the console or of Studio.
 * Anything else, and so whatever leads to another server, is refused.
 */
final class ReturnPath {
  private static final int CHARS_MAX = 1_000;

  /** No backslash, which browsers take for a slash, and no slash after a slash. */
  private static final Pattern PATH =
      Pattern.compile("(/[A-Za-z0-9._~%!$&'()*+,;=:@-]+)+/?(\\?[\\x21-\\x7e&&[^\\\\#\"<>]]*)?");

  private static final Pattern UPWARDS = Pattern.compile("/\\.{1,2}(/|\\?|$)");

  private ReturnPath() {}

  /** {@code given}: null is the console. */
  static String of(@Nullable String given) {
    var path = given == null ? ConsoleFiles.BASE : given;
    int query = path.indexOf('?');
    var place = query < 0 ? path : path.substring(0, query);
    if (path.length() > CHARS_MAX
        || !PATH.matcher(path).matches()
        || UPWARDS.matcher(path).find()
        || !(ConsoleFiles.isBelow(place) || StudioFiles.isBelow(place))) {
      throw BadRequest.of(
          "returnTo is not the path of a page of the console or of Studio, such as /console");
    }
    return path;
  }
}
