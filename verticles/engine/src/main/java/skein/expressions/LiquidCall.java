package skein.expressions;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One use of a filter of templates.
 *
 * @param arguments all, in their order
 * @param named those of them that have a name
 */
record LiquidCall(
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

  /** What is not a number is 0. */
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

  /** The list; for another value a list of it, for none an empty one. */
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
