package skein.expressions;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Filters that take or make lists. */
final class LiquidListFilters {
  /** The cost of sorting one item. */
  private static final int SORT_INSTRUCTIONS = 20;

  private LiquidListFilters() {}

  static void addTo(Map<String, LiquidFilter> filters) {
    filters.put("join", call -> LiquidValues.joined(call.budget(), call.list(), call.text(0, " ")));
    filters.put("first", call -> call.isList() ? LiquidValues.member(call.list(), "first") : null);
    filters.put("last", call -> call.isList() ? LiquidValues.member(call.list(), "last") : null);
    filters.put("concat", LiquidListFilters::concat);
    filters.put("compact", call -> call.list().stream().filter(Objects::nonNull).toList());
    filters.put("map", LiquidListFilters::map);
    filters.put("reverse", call -> call.list().reversed());
    filters.put("size", LiquidListFilters::size);
    filters.put("sort", call -> sorted(call, false));
    filters.put("sort_natural", call -> sorted(call, true));
    filters.put("uniq", call -> new ArrayList<>(new LinkedHashSet<>(call.list())));
    filters.put("where", LiquidListFilters::where);
    filters.put("reject", LiquidListFilters::reject);
    filters.put("find", LiquidListFilters::find);
    filters.put("find_index", LiquidListFilters::findIndex);
    filters.put("has", LiquidListFilters::has);
    filters.put("sum", LiquidListFilters::sum);
    filters.put("keys", LiquidListFilters::keys);
  }

  private static List<?> concat(LiquidCall call) {
    var all = new ArrayList<@Nullable Object>(call.list());
    var more = call.list(call.argument(0));
    call.budget().elements((long) all.size() + more.size());
    all.addAll(more);
    return all;
  }

  private static List<?> map(LiquidCall call) {
    var member = call.text(0, "");
    var values = new ArrayList<@Nullable Object>();
    for (var item : call.list()) {
      values.add(LiquidValues.member(item, member));
    }
    return values;
  }

  private static Object size(LiquidCall call) {
    return switch (call.input()) {
      case null -> 0L;
      case Number _ -> 0L;
      case Boolean _ -> 0L;
      default -> LiquidValues.size(call.input());
    };
  }

  /** Numbers before text, and what lacks the member last. */
  private static List<?> sorted(LiquidCall call, boolean ignoreCase) {
    var member = call.argument(0);
    var budget = call.budget();
    Comparator<@Nullable Object> order =
        (one, other) -> order(budget, key(one, member), key(other, member), ignoreCase);
    var sorted = new ArrayList<@Nullable Object>(call.list());
    budget.elements((long) SORT_INSTRUCTIONS * sorted.size());
    sorted.sort(order);
    return sorted;
  }

  private static @Nullable Object key(@Nullable Object item, @Nullable Object member) {
    return member == null ? item : LiquidValues.member(item, member);
  }

  private static int order(
      Budget budget, @Nullable Object one, @Nullable Object other, boolean ignoreCase) {
    if (one == null || other == null) {
      return Boolean.compare(one == null, other == null);
    }
    var numbers = Boolean.compare(other instanceof Number, one instanceof Number);
    if (numbers != 0) {
      return numbers;
    }
    if (one instanceof Number) {
      var left = LiquidValues.number(one);
      var right = LiquidValues.number(other);
      return left == null || right == null ? 0 : left.compareTo(right);
    }
    var left = LiquidValues.text(budget, one);
    var right = LiquidValues.text(budget, other);
    return ignoreCase
        ? left.toLowerCase(Locale.ROOT).compareTo(right.toLowerCase(Locale.ROOT))
        : left.compareTo(right);
  }

  /** All that {@link #fits} does not say. */
  private static List<?> reject(LiquidCall call) {
    var kept = new ArrayList<@Nullable Object>();
    for (var item : call.list()) {
      if (!fits(call, item)) {
        kept.add(item);
      }
    }
    return kept;
  }

  private static @Nullable Object find(LiquidCall call) {
    var index = index(call);
    return index < 0 ? null : call.list().get(index);
  }

  private static @Nullable Object findIndex(LiquidCall call) {
    var index = index(call);
    return index < 0 ? null : (Object) (long) index;
  }

  /** For a list without objects also whether it has the value, for an object whether the member. */
  private static Object has(LiquidCall call) {
    if (call.input() instanceof Map<?, ?> map && call.arguments().size() < 2) {
      return LiquidValues.member(map, call.argument(0)) != null;
    }
    if (call.arguments().size() < 2 && !(call.argument(0) instanceof String)) {
      return LiquidValues.contains(call.budget(), call.input(), call.argument(0));
    }
    return index(call) >= 0;
  }

  private static int index(LiquidCall call) {
    var list = call.list();
    for (var i = 0; i < list.size(); i++) {
      if (fits(call, list.get(i))) {
        return i;
      }
    }
    return -1;
  }

  /**
   * A text fits when it is the value or, without one, has the first argument in it; an object when
   * its member is the value or, without one, is neither null nor false.
   */
  private static boolean fits(LiquidCall call, @Nullable Object item) {
    var valued = call.arguments().size() > 1;
    if (item instanceof String text) {
      return valued
          ? LiquidValues.equal(call.budget(), text, call.argument(1))
          : LiquidValues.contains(call.budget(), text, call.argument(0));
    }
    var member = LiquidValues.member(item, call.text(0, ""));
    return valued
        ? LiquidValues.equal(call.budget(), member, call.argument(1))
        : LiquidValues.isTruthy(member);
  }

  /** Without a value, those whose member is neither null nor false. */
  private static List<?> where(LiquidCall call) {
    var member = call.text(0, "");
    var found = new ArrayList<@Nullable Object>();
    for (var item : call.list()) {
      var value = LiquidValues.member(item, member);
      var fits =
          call.arguments().size() < 2
              ? LiquidValues.isTruthy(value)
              : LiquidValues.equal(call.budget(), value, call.argument(1));
      if (fits) {
        found.add(item);
      }
    }
    return found;
  }

  private static Object sum(LiquidCall call) {
    var sum = java.math.BigDecimal.ZERO;
    for (var item : call.list()) {
      var number = LiquidValues.number(key(item, call.argument(0)));
      sum = number == null ? sum : sum.add(number, java.math.MathContext.DECIMAL128);
    }
    return sum;
  }

  private static List<?> keys(LiquidCall call) {
    if (!(call.input() instanceof Map<?, ?> map)) {
      throw new IllegalArgumentException("keys needs an object");
    }
    call.budget().elements(map.size());
    return new ArrayList<>(map.keySet());
  }
}
