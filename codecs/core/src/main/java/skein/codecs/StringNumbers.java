package skein.codecs;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Numbers different strings from 0 on, in the order in which they come. The few strings of most
 * values are in arrays, without an object for each; more are in a map, in which strings with equal
 * hashes do not slow each other down. Not thread-safe.
 */
final class StringNumbers {
  /** The number of a string that comes for the first time, until it is given one. */
  static final int NEW = -1;

  /** Strings that are kept in the arrays. */
  static final int FEW = 48;

  /** A power of two, with room between the strings. */
  private static final int SLOTS = 64;

  private final @Nullable String[] few = new @Nullable String[SLOTS];
  private final byte[] numbers = new byte[SLOTS];
  private int size;
  private @Nullable Map<String, Integer> many;

  /** The number of the string; {@link #NEW} when it has none, and then it is given the next. */
  int add(String value) {
    var map = many;
    if (map != null) {
      var known = map.putIfAbsent(value, map.size());
      return known == null ? NEW : known;
    }
    int hash = value.hashCode();
    int slot = (hash ^ (hash >>> 16)) & (SLOTS - 1);
    for (var at = few[slot]; at != null; at = few[slot]) {
      if (at.equals(value)) {
        return numbers[slot];
      }
      slot = (slot + 1) & (SLOTS - 1);
    }
    if (size == FEW) {
      var all = all();
      all.put(value, size);
      many = all;
    } else {
      few[slot] = value;
      numbers[slot] = (byte) size;
      size++;
    }
    return NEW;
  }

  private Map<String, Integer> all() {
    var all = new HashMap<String, Integer>(4 * FEW);
    for (int slot = 0; slot < SLOTS; slot++) {
      var value = few[slot];
      if (value != null) {
        all.put(value, (int) numbers[slot]);
      }
    }
    return all;
  }
}
