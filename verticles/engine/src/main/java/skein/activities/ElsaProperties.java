package skein.activities;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import skein.expressions.ExpressionException;
import skein.expressions.Expressions;

/**
 * Converts the memory of executions of Elsa's activities to the properties that Elsa's own
 * activities keep, and back.
 */
public final class ElsaProperties {
  private static final String CURRENT_INDEX = "CurrentIndex";
  private static final String CURRENT_STEP = "CurrentStep";
  private static final String BREAKING = "IsBreaking";
  private static final String DISPATCHED = "DispatchedInstancesCountKey";
  private static final String HEARD = "CompletedInstancesCountKey";
  private static final String TEXTS =
      "System.Collections.Generic.HashSet`1[[System.String, System.Private.CoreLib]],"
          + " System.Private.CoreLib";

  private ElsaProperties() {}

  /** An input that Elsa did not keep and that the definition does not spell out either. */
  public static final class MissingInputException extends RuntimeException {
    private MissingInputException(String name) {
      super(name);
    }

    /** The name of the input. */
    public String input() {
      return String.valueOf(getMessage());
    }
  }

  /**
   * @param properties as Elsa's activity keeps them
   * @param inputs as Elsa evaluated them, by name
   * @param own what Elsa has no place for
   */
  public record Written(
      Map<String, @Nullable Object> properties,
      Map<String, @Nullable Object> inputs,
      Map<String, @Nullable Object> own) {}

  /**
   * @param memory of an execution
   * @param running ids of the activities below it that have not ended
   */
  public static Written write(
      ActivityNode node, Map<String, @Nullable Object> memory, Set<String> running) {
    var own = new LinkedHashMap<String, @Nullable Object>(memory);
    var properties = new LinkedHashMap<String, @Nullable Object>();
    var inputs = new LinkedHashMap<String, @Nullable Object>();
    if (own.remove(Breaking.KEY) != null) {
      properties.put(BREAKING, true);
    }
    switch (node.activity()) {
      case Sequence _ -> move(own, Sequence.NEXT, properties, CURRENT_INDEX);
      case ForEach _ -> {
        move(own, ForEach.NEXT, properties, CURRENT_INDEX);
        move(own, ForEach.LIST, inputs, ForEach.ITEMS.name());
      }
      case For _ -> writeFor(own, properties, inputs);
      case Fork _ -> {
        var over = new ArrayList<@Nullable Object>();
        node.runnable(Fork.BRANCHES).stream()
            .map(ActivityNode::id)
            .filter(id -> !running.contains(id))
            .forEach(over::add);
        properties.put("Completed", Json.members("_items", over, "_type", TEXTS));
      }
      case Parallel _ -> properties.put("ScheduledChildren", (long) running.size());
      case Switch _ ->
          properties.put(
              "ScheduledActivityIds", Json.members("_items", List.copyOf(running), "_type", TEXTS));
      case BulkDispatchWorkflows _ -> {
        move(own, BulkDispatchWorkflows.LEFT, properties, DISPATCHED);
        properties.put(HEARD, 0L);
      }
      case Flowchart _ -> ElsaFlow.write(node, own, properties);
      default -> {
        // Elsa's activity of that type keeps nothing.
      }
    }
    return new Written(properties, inputs, own);
  }

  private static void move(
      Map<String, @Nullable Object> from,
      String name,
      Map<String, @Nullable Object> to,
      String other) {
    if (from.containsKey(name)) {
      to.put(other, from.remove(name));
    }
  }

  /** Elsa keeps the step it is at, we the one that comes next. */
  private static void writeFor(
      Map<String, @Nullable Object> own,
      Map<String, @Nullable Object> properties,
      Map<String, @Nullable Object> inputs) {
    if (own.get(For.NEXT) instanceof Long next && own.get(For.STEP.name()) instanceof Long step) {
      own.remove(For.NEXT);
      properties.put(CURRENT_STEP, next - step);
    }
    for (var input : List.of(For.END, For.STEP, For.INCLUSIVE)) {
      move(own, input.name(), inputs, input.name());
    }
  }

  /**
   * The memory of an execution.
   *
   * @param properties as Elsa's activity keeps them, plain JSON
   * @param inputs as Elsa evaluated them
   * @param own what {@link #write} had left over; null for what Elsa began itself
   * @throws MissingInputException when it cannot continue without it
   */
  public static Map<String, @Nullable Object> read(
      ActivityNode node,
      Map<String, @Nullable Object> properties,
      Map<String, @Nullable Object> inputs,
      @Nullable Map<String, @Nullable Object> own) {
    var memory = new LinkedHashMap<String, @Nullable Object>(own == null ? Map.of() : own);
    if (Boolean.TRUE.equals(properties.get(BREAKING))) {
      memory.put(Breaking.KEY, true);
    }
    if (own != null && !begun(node, properties, own)) {
      return memory;
    }
    switch (node.activity()) {
      case Sequence _ -> memory.put(Sequence.NEXT, Json.number(properties, CURRENT_INDEX, 0));
      case ForEach _ -> {
        memory.put(ForEach.NEXT, Json.number(properties, CURRENT_INDEX, 0));
        memory.put(ForEach.LIST, Expressions.convert(given(node, inputs, ForEach.ITEMS), "List"));
      }
      case For _ -> {
        var step = whole(given(node, inputs, For.STEP));
        memory.put(For.NEXT, Json.number(properties, CURRENT_STEP, 0) + step);
        memory.put(For.END.name(), whole(given(node, inputs, For.END)));
        memory.put(For.STEP.name(), step);
        memory.put(For.INCLUSIVE.name(), !Boolean.FALSE.equals(given(node, inputs, For.INCLUSIVE)));
      }
      case BulkDispatchWorkflows _ -> readBulk(properties, memory);
      case Flowchart _ -> ElsaFlow.read(node, properties, memory);
      default -> {
        // Nothing is kept, or all of it is our own.
      }
    }
    return memory;
  }

  /** One of ours that rests before another attempt has nothing yet, and begins with nothing. */
  private static boolean begun(
      ActivityNode node,
      Map<String, @Nullable Object> properties,
      Map<String, @Nullable Object> own) {
    return switch (node.activity()) {
      case Sequence _, ForEach _ -> properties.containsKey(CURRENT_INDEX);
      case For _ -> properties.containsKey(CURRENT_STEP);
      case BulkDispatchWorkflows _ -> properties.containsKey(DISPATCHED);
      case Flowchart _ -> own.containsKey(Flowchart.MODE);
      default -> true;
    };
  }

  private static void readBulk(
      Map<String, @Nullable Object> properties, Map<String, @Nullable Object> memory) {
    var heard = Json.number(properties, HEARD, 0);
    memory.put(BulkDispatchWorkflows.LEFT, Json.number(properties, DISPATCHED, 0) - heard);
    if (heard > 0) {
      memory.put(BulkDispatchWorkflows.ALL_CANCELED, false);
    } else {
      memory.putIfAbsent(BulkDispatchWorkflows.ALL_CANCELED, true);
    }
  }

  /** How many children a bulk dispatch has yet to hear of. */
  public static long childrenLeft(Map<String, @Nullable Object> memory) {
    return Json.number(memory, BulkDispatchWorkflows.LEFT, 0);
  }

  /** The value that a loop has given to its body, which Elsa keeps as text without a type. */
  public static Map<String, @Nullable Object> loopVariables(
      ActivityNode node, Map<String, @Nullable Object> memory) {
    if (node.activity() instanceof ForEach
        && memory.get(ForEach.LIST) instanceof List<?> items
        && memory.get(ForEach.NEXT) instanceof Long next
        && next > 0
        && next <= items.size()) {
      var index = next.intValue() - 1;
      return Items.variables(items.get(index), index);
    }
    if (node.activity() instanceof For
        && memory.get(For.NEXT) instanceof Long next
        && memory.get(For.STEP.name()) instanceof Long step) {
      return Map.of(Items.CURRENT_VALUE, next - step);
    }
    return Map.of();
  }

  /** As it was evaluated, else as the definition spells it out, else its default. */
  private static @Nullable Object given(
      ActivityNode node, Map<String, @Nullable Object> inputs, Input input) {
    var kept = Json.member(inputs, input.name());
    if (kept != null) {
      return kept;
    }
    var binding = node.input(input);
    if (binding == null) {
      return input.defaultValue();
    }
    if (!binding.expression().type().equalsIgnoreCase("Literal")) {
      throw new MissingInputException(input.name());
    }
    try {
      return Expressions.convert(binding.expression().value(), binding.typeName());
    } catch (ExpressionException e) {
      throw new MissingInputException(input.name());
    }
  }

  private static long whole(@Nullable Object value) {
    return value instanceof Number number ? number.longValue() : 0;
  }
}
