package skein.codecs;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * How many letters must change to make one word of another, two that changed places counted once
 * (Damerau 1964).
 */
public final class EditDistance {
  private static final int CHARS_MAX = 100;
  private static final int DISTANCE_MAX = 3;

  private EditDistance() {}

  public static int between(String a, String b) {
    var earlier = new int[b.length() + 1];
    var previous = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      previous[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      var current = new int[b.length() + 1];
      current[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int changed = previous[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        current[j] = Math.min(changed, Math.min(previous[j], current[j - 1]) + 1);
        boolean swapped =
            i > 1
                && j > 1
                && a.charAt(i - 1) == b.charAt(j - 2)
                && a.charAt(i - 2) == b.charAt(j - 1);
        if (swapped) {
          current[j] = Math.min(current[j], earlier[j - 2] + 1);
        }
      }
      earlier = previous;
      previous = current;
    }
    return previous[b.length()];
  }

  /**
   * The candidate that was probably meant by a word: a third of its letters may be wrong, at most
   * three, none of one or two, and case does not count. Null where none is so near, and for words
   * of more than 100 letters.
   */
  public static @Nullable String nearest(String word, Iterable<String> candidates) {
    if (word.isEmpty() || word.length() > CHARS_MAX) {
      return null;
    }
    var folded = word.toLowerCase(Locale.ROOT);
    int allowed = word.length() < 3 ? 0 : Math.min(DISTANCE_MAX, (word.length() + 2) / 3);
    String best = null;
    for (var candidate : candidates) {
      if (Math.abs(candidate.length() - word.length()) <= allowed) {
        int distance = between(folded, candidate.toLowerCase(Locale.ROOT));
        if (distance <= allowed) {
          best = candidate;
          allowed = distance - 1;
        }
      }
    }
    return best;
  }
}
