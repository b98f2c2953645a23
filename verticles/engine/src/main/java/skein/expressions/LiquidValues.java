package skein.expressions;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import liqp.nodes.AtomNode;
import liqp.parser.LiquidSupport;
import org.jspecify.annotations.Nullable;

/**
 * The semantics of values in templates. They are JSON values, decimal numbers, Liqp's loop counters
 * and the two words {@code empty} and {@code blank}.
 */
final class LiquidValues {
  private static final int COMPARED_PER_INSTRUCTION = 100;

  private LiquidValues() {}

  /** Lists are joined without a separator; objects are JSON. */
  static String text(Budget budget, @Nullable Object value) {
    budget.spend(1);
    var text =
        switch (value) {
          case null -> "";
          case String given -> given;
          case Boolean bool -> bool.toString();
          case LiquidScope.Outputs outputs -> text(budget, outputs.result());
          case Collection<?> list -> joined(budget, list, "");
          case Object[] list -> joined(budget, Arrays.asList(list), "");
          case LiquidSupport counters -> JsonText.print(counters.toLiquid());
          default -> Conversions.text(value);
        };
    budget.string(text.length());
    return text;
  }

  static String joined(Budget budget, Collection<?> items, String separator) {
    var text = new StringBuilder();
    for (var item : items) {
      if (!text.isEmpty()) {
        text.append(separator);
      }
      text.append(text(budget, item));
      budget.string(text.length());
    }
    return text.toString();
  }

  /** Characters or parts, without what is nested in them. */
  static long size(@Nullable Object value) {
    return switch (value) {
      case CharSequence text -> text.length();
      case Collection<?> list -> list.size();
      case Object[] list -> list.length;
      case LiquidScope.Outputs _ -> 0;
      case Map<?, ?> map -> map.size();
      case null, default -> 0;
    };
  }

  /** A member, an item, or {@code size}, {@code first} or {@code last}; else null. */
  static @Nullable Object member(@Nullable Object value, @Nullable Object key) {
    return switch (value) {
      case LiquidSupport counters -> counters.toLiquid().get(String.valueOf(key));
      case Map<?, ?> map -> ofMap(map, String.valueOf(key));
      case List<?> list -> ofList(list, key);
      case Object[] list -> ofList(Arrays.asList(list), key);
      case CharSequence text when "size".equals(key) -> (long) text.length();
      case null, default -> null;
    };
  }

  private static @Nullable Object ofMap(Map<?, ?> map, String key) {
    var found = map.get(key);
    if (found != null || map.containsKey(key)) {
      return found;
    }
    return key.equals("size") ? (Object) size(map) : ElsaMembers.get(map, key);
  }

  private static @Nullable Object ofList(List<?> list, @Nullable Object key) {
    if (key instanceof Number number) {
      var index = number.intValue() < 0 ? number.intValue() + list.size() : number.intValue();
      return index >= 0 && index < list.size() ? list.get(index) : null;
    }
    return switch (String.valueOf(key)) {
      case "size" -> (long) list.size();
      case "first" -> list.isEmpty() ? null : list.getFirst();
      case "last" -> list.isEmpty() ? null : list.getLast();
      default -> null;
    };
  }

  /** Null and false are not; everything else is, empty text too. */
  static boolean isTruthy(@Nullable Object value) {
    return value != null && !Boolean.FALSE.equals(value);
  }

  static boolean isEmpty(@Nullable Object value) {
    return switch (value) {
      case CharSequence text -> text.isEmpty();
      case Collection<?> list -> list.isEmpty();
      case Object[] list -> list.length == 0;
      case Map<?, ?> map -> map.isEmpty();
      case null, default -> false;
    };
  }

  /** Text that says a number equals that number. */
  static boolean equal(Budget budget, @Nullable Object one, @Nullable Object other) {
    if (isEmptyWord(one) || isEmptyWord(other)) {
      return isBlankOrEmpty(one, other) && isBlankOrEmpty(other, one);
    }
    if (one instanceof Number || other instanceof Number) {
      var left = number(one);
      var right = number(other);
      return left != null && right != null && left.compareTo(right) == 0;
    }
    budget.spend(parts(budget, one) / COMPARED_PER_INSTRUCTION);
    return one == null ? other == null : one.equals(other);
  }

  private static boolean isEmptyWord(@Nullable Object value) {
    return AtomNode.isEmpty(value) || AtomNode.isBlank(value);
  }

  /** Whether a value is what the word, if the other is one, asks for. */
  private static boolean isBlankOrEmpty(@Nullable Object value, @Nullable Object word) {
    if (isEmptyWord(value)) {
      return true;
    }
    return AtomNode.isBlank(word)
        ? value == null
            || Boolean.FALSE.equals(value)
            || isEmpty(value)
            || (value instanceof String text && text.isBlank())
        : isEmpty(value);
  }

  /** Counts every part of a nested value. */
  private static long parts(Budget budget, @Nullable Object value) {
    budget.spend(1);
    var parts = size(value);
    var nested =
        value instanceof Map<?, ?> map
            ? map.values()
            : value instanceof Collection<?> list ? list : List.of();
    for (var item : nested) {
      parts += parts(budget, item);
    }
    return parts;
  }

  /** As {@code compareTo} says it; null where the two have no order. */
  static @Nullable Integer order(Budget budget, @Nullable Object one, @Nullable Object other) {
    if (one instanceof String left && other instanceof String right) {
      budget.spend(left.length() / COMPARED_PER_INSTRUCTION);
      return left.compareTo(right);
    }
    var left = number(one);
    var right = number(other);
    return left == null || right == null ? null : (Integer) left.compareTo(right);
  }

  static boolean contains(Budget budget, @Nullable Object whole, @Nullable Object part) {
    return switch (whole) {
      case String text -> {
        var sought = text(budget, part);
        budget.spend((long) text.length() * sought.length() / COMPARED_PER_INSTRUCTION);
        yield part != null && text.contains(sought);
      }
      case Collection<?> list -> list.stream().anyMatch(item -> equal(budget, item, part));
      case Object[] list -> Arrays.stream(list).anyMatch(item -> equal(budget, item, part));
      case Map<?, ?> map -> map.containsKey(text(budget, part));
      case null, default -> false;
    };
  }

  /** Null where the value says no number. */
  static @Nullable BigDecimal number(@Nullable Object value) {
    if (!(value instanceof Number || value instanceof String)) {
      return null;
    }
    try {
      return Conversions.decimal(value);
    } catch (IllegalArgumentException | ArithmeticException _) {
      return null;
    }
  }
}
