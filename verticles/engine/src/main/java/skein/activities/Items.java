package skein.activities;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.expressions.Expressions;

/** The common part of loops over a list. */
final class Items {
  static final String CURRENT_VALUE = "CurrentValue";
  static final String CURRENT_INDEX = "CurrentIndex";
  static final List<String> NAMES = List.of(CURRENT_VALUE, CURRENT_INDEX);

  private Items() {}

  /** Those of an input; none where it is empty, one where it is a single value. */
  static List<? extends @Nullable Object> of(ActivityContext context, Input input) {
    var value = context.get(input);
    return value == null ? List.of() : Json.list(Expressions.convert(value, "List"));
  }

  /** The variables of one iteration. */
  static Map<String, @Nullable Object> variables(@Nullable Object value, int index) {
    var variables = new LinkedHashMap<String, @Nullable Object>();
    variables.put(CURRENT_VALUE, value);
    variables.put(CURRENT_INDEX, (long) index);
    return Collections.unmodifiableMap(variables);
  }
}
