package skein.identity;

import java.util.LinkedHashMap;
import java.util.Map;

/** Maps that forget what was used least recently. */
final class LruMaps {
  private static final int FEW = 16;
  private static final float LOAD = 0.75f;

  private LruMaps() {}

  /** A map of {@code max} entries at most; not thread-safe. */
  static <V> Map<String, V> map(int max) {
    return new LinkedHashMap<>(FEW, LOAD, true) {
      @Override
      protected boolean removeEldestEntry(Map.Entry<String, V> eldest) {
        return size() > max;
      }
    };
  }
}
