package skein.activities;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Counts from a start to an end and runs its body with each number, which is the variable {@code
 * CurrentValue} there. A step below zero counts down. The bounds are read once, at the beginning.
 */
final class For implements Activity {
  static final Input START = Input.of("Start", "Int32", 0L).described("The first value.");
  static final Input END =
      Input.of("End", "Int32", 0L).described("The last value, or the one after it.");
  static final Input STEP =
      Input.of("Step", "Int32", 1L).described("What is added after each round; may be negative.");
  static final Input INCLUSIVE =
      Input.of("OuterBoundInclusive", "Boolean", true)
          .described("Whether the last value has a round.");
  private static final Output CURRENT = new Output("CurrentValue", "Object");
  private static final Port BODY = Port.of("body");
  static final String NEXT = "next";
  private static final ActivityDescriptor DESCRIPTOR =
      ActivityDescriptor.of("Elsa.For", "Looping", "Repeats for each number of a range.")
          .with(START, END, STEP, INCLUSIVE)
          .with(CURRENT)
          .with(BODY);

  @Override
  public ActivityDescriptor descriptor() {
    return DESCRIPTOR;
  }

  @Override
  public Collection<String> givenVariables() {
    return List.of(CURRENT.name());
  }

  @Override
  public void execute(ActivityContext context) {
    var memory = context.memory();
    memory.put(NEXT, number(context, START));
    memory.put(END.name(), number(context, END));
    memory.put(STEP.name(), number(context, STEP));
    memory.put(INCLUSIVE.name(), context.flag(INCLUSIVE));
    next(context);
  }

  @Override
  public void childCompleted(ActivityContext context, Child child, List<String> outcomes) {
    next(context);
  }

  @Override
  public boolean signalled(ActivityContext context, String signal, @Nullable Object value) {
    return Breaking.note(context, signal);
  }

  private static long number(ActivityContext context, Input input) {
    return context.get(input) instanceof Number number ? number.longValue() : 0;
  }

  private static void next(ActivityContext context) {
    var memory = context.memory();
    var value = stored(memory, NEXT);
    var step = stored(memory, STEP.name());
    var body = context.node().child(BODY);
    if (body == null || Breaking.is(context) || !within(memory, value, step)) {
      context.complete();
      return;
    }
    memory.put(NEXT, value + step);
    context.output(CURRENT, value);
    var variables = new LinkedHashMap<String, @Nullable Object>();
    variables.put(CURRENT.name(), value);
    context.schedule(body, null, variables);
  }

  private static boolean within(Map<String, @Nullable Object> memory, long value, long step) {
    var end = stored(memory, END.name());
    var inclusive = Boolean.TRUE.equals(memory.get(INCLUSIVE.name()));
    return (inclusive && value == end) || (step >= 0 ? value < end : value > end);
  }

  private static long stored(Map<String, @Nullable Object> memory, String name) {
    return memory.get(name) instanceof Number number ? number.longValue() : 0;
  }
}
