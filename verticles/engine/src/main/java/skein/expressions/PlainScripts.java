package skein.expressions;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Sources that were read before. Any thread may ask. */
final class PlainScripts {
  /** All are forgotten when they are more. */
  private static final int SOURCES_MAX = 2_000;

  private final Map<String, Optional<PlainScript>> known = new ConcurrentHashMap<>();

  /** Null where the source is not plain. */
  @Nullable PlainScript of(String source) {
    if (source.length() > PlainParser.SOURCE_CHARS_MAX) {
      return null;
    }
    var script = known.get(source);
    if (script == null) {
      script = Optional.ofNullable(PlainParser.parse(source));
      if (known.size() >= SOURCES_MAX) {
        known.clear();
      }
      known.put(source, script);
    }
    return script.orElse(null);
  }
}
