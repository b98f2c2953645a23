package skein.activities;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import skein.expressions.Expressions;

/** The inputs of one activity, evaluated. Each method may throw what an expression throws. */
public interface Inputs {
  /** The burst's instant. */
  Instant now();

  /** The input's value, converted to its type; its default where the definition does not set it. */
  @Nullable Object get(Input input);

  default @Nullable String text(Input input) {
    return (String) Expressions.convert(get(input), "String");
  }

  /** The text of an input that must be there and not blank. */
  default String required(Input input) {
    var text = text(input);
    if (text == null || text.isBlank()) {
      throw new FaultException("MissingInput", "The input " + input.name() + " is empty");
    }
    return text;
  }

  default boolean flag(Input input) {
    return Boolean.TRUE.equals(Expressions.convert(get(input), "Boolean"));
  }

  default List<String> texts(Input input) {
    var value = Expressions.convert(get(input), "String[]");
    var texts = new ArrayList<String>();
    if (value instanceof List<?> list) {
      for (var item : list) {
        if (item != null) {
          texts.add(item.toString());
        }
      }
    }
    return texts;
  }

  /** Zero where the input is empty. */
  default Duration duration(Input input) {
    var value = get(input);
    return value == null ? Duration.ZERO : Expressions.duration(value);
  }
}
