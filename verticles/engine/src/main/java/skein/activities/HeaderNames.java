package skein.activities;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Header names as people write them, which is how scripts look them up. */
final class HeaderNames {
  private HeaderNames() {}

  /** {@code User-Agent} for {@code user-agent}. */
  static Map<String, @Nullable Object> shown(@Nullable Map<String, @Nullable Object> headers) {
    var named = new LinkedHashMap<String, @Nullable Object>();
    if (headers != null) {
      headers.forEach((name, value) -> named.put(capitalised(name), value));
    }
    return Collections.unmodifiableMap(named);
  }

  private static String capitalised(String name) {
    var shown = new StringBuilder(name.length());
    var first = true;
    for (var i = 0; i < name.length(); i++) {
      var c = name.charAt(i);
      shown.append(first ? Character.toUpperCase(c) : c);
      first = c == '-';
    }
    return shown.toString();
  }
}
