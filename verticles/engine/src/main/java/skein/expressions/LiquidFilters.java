package skein.expressions;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The filters of templates by name: Liquid's own, and those that Elsa adds. */
final class LiquidFilters {
  static final Map<String, Body> ALL = all();

  private LiquidFilters() {}

  /** Throws {@link IllegalArgumentException} or {@link ArithmeticException} with what is wrong. */
  interface Body {
    @Nullable Object apply(Call call);
  }

  private static Map<String, Body> all() {
    var all = new LinkedHashMap<String, Body>();
    LiquidTextFilters.addTo(all);
    LiquidListFilters.addTo(all);
    LiquidNumberFilters.addTo(all);
    LiquidFormatFilters.addTo(all);
    all.put("date", LiquidDates::date);
    all.put("default", LiquidFilters::orElse);
    all.put("json", LiquidFilters::json);
    all.put(
        "create_event_trigger_url",
        call -> call.run().add(call.scope().eventLink(call.text(), call.argument(0))));
    all.put(
        "generate_bookmark_trigger_url",
        call -> call.run().add(call.scope().bookmarkLink(call.text(), call.argument(0))));
    return Map.copyOf(all);
  }

  private static @Nullable Object orElse(Call call) {
    var given = call.input();
    return LiquidValues.isTruthy(given) && !LiquidValues.isEmpty(given) ? given : call.argument(0);
  }

  /** Blank text stays as it is, as in Elsa. */
  private static @Nullable Object json(Call call) {
    return switch (call.input()) {
      case LiquidScope.Outputs outputs -> JsonText.print(outputs.result());
      case String text when text.isBlank() -> text;
      case Object[] list -> JsonText.print(Arrays.asList(list));
      case null, default -> JsonText.print(call.input());
    };
  }

  /**
   * One use of a filter.
   *
   * @param arguments all, in their order
   * @param named those of them that have a name
   */
  record Call(
      LiquidRun run,
      @Nullable Object input,
      List<@Nullable Object> arguments,
      Map<String, @Nullable Object> named) {
    Budget budget() {
      return run.budget();
    }

    Scope scope() {
      return run.scope().scope();
    }

    String text() {
      return run.text(input);
    }

    @Nullable Object argument(int index) {
      return index < arguments.size() ? arguments.get(index) : null;
    }

    String text(int index, String otherwise) {
      var given = argument(index);
      return given == null ? otherwise : run.text(given);
    }

    /** What is no number is 0. */
    BigDecimal number() {
      var number = LiquidValues.number(input);
      return number == null ? BigDecimal.ZERO : number;
    }

    BigDecimal number(int index) {
      var number = LiquidValues.number(argument(index));
      return number == null ? BigDecimal.ZERO : number;
    }

    int integer(int index, int otherwise) {
      var number = LiquidValues.number(argument(index));
      return number == null
          ? otherwise
          : Math.clamp(number.longValue(), Integer.MIN_VALUE, Integer.MAX_VALUE);
    }

    boolean isList() {
      return input instanceof Collection || input instanceof Object[];
    }

    /** Of another value a list of one, of none an empty one. */
    List<?> list() {
      return list(input);
    }

    List<?> list(@Nullable Object value) {
      var list =
          switch (value) {
            case null -> List.of();
            case List<?> given -> given;
            case Collection<?> given -> List.copyOf(given);
            case Object[] given -> Arrays.asList(given);
            default -> List.of(value);
          };
      budget().elements(list.size());
      return list;
    }
  }
}
