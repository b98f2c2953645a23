package skein.expressions;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Numbers as scripts have them, which is doubles. */
final class Numbers {
  private static final double EXACT_MAX = 9_007_199_254_740_991.0;

  private Numbers() {}

  /** Long where that is exact, else Double; null for NaN and the infinities, as in JSON. */
  static @Nullable Object out(double number) {
    if (number == Math.rint(number) && Math.abs(number) <= EXACT_MAX) {
      return (long) number;
    }
    return Double.isFinite(number) ? (Object) number : null;
  }

  static Number in(Number number) {
    if (number instanceof Integer) {
      return number;
    }
    if (number instanceof Long value && value == value.intValue()) {
      return value.intValue();
    }
    return number.doubleValue();
  }

  /** Equal as far as a script can tell. */
  static boolean sameJson(@Nullable Object one, @Nullable Object other) {
    return switch (one) {
      case null -> other == null;
      case Number number ->
          other instanceof Number that && number.doubleValue() == that.doubleValue();
      case List<?> list -> other instanceof List<?> that && sameItems(list, that);
      case Map<?, ?> map -> other instanceof Map<?, ?> that && sameMembers(map, that);
      default -> one.equals(other);
    };
  }

  private static boolean sameItems(List<?> one, List<?> other) {
    if (one.size() != other.size()) {
      return false;
    }
    for (var i = 0; i < one.size(); i++) {
      if (!sameJson(one.get(i), other.get(i))) {
        return false;
      }
    }
    return true;
  }

  private static boolean sameMembers(Map<?, ?> one, Map<?, ?> other) {
    if (one.size() != other.size()) {
      return false;
    }
    for (var entry : one.entrySet()) {
      if (!other.containsKey(entry.getKey())
          || !sameJson(entry.getValue(), other.get(entry.getKey()))) {
        return false;
      }
    }
    return true;
  }
}
