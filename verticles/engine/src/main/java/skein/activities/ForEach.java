package skein.activities;

import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Runs its body for one item after another, which is the variable {@code CurrentValue} there. The
 * items are those at the beginning.
 */
final class ForEach implements Activity {
  static final Input ITEMS =
      Input.of("Items", "Object")
          .described("A list, or JSON text of one: one round for each item.");
  private static final Output CURRENT =
      new Output(Items.CURRENT_VALUE, "Object").described("The item of this round.");
  private static final Port BODY = Port.of("body");
  static final String LIST = "items";
  static final String NEXT = "next";
  private static final ActivityDescriptor DESCRIPTOR =
      ActivityDescriptor.of("Elsa.ForEach", "Looping", "Repeats for each item of a list.")
          .with(ITEMS)
          .with(CURRENT)
          .with(BODY);

  @Override
  public ActivityDescriptor descriptor() {
    return DESCRIPTOR;
  }

  @Override
  public Collection<String> givenVariables() {
    return Items.NAMES;
  }

  @Override
  public void execute(ActivityContext context) {
    if (context.get(ITEMS) == null && context.node().input(ITEMS) != null) {
      throw new FaultException("MissingItems", "The items to repeat for are null");
    }
    context.memory().put(LIST, Items.of(context, ITEMS));
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

  private static void next(ActivityContext context) {
    var memory = context.memory();
    var index = memory.get(NEXT) instanceof Long at ? at.intValue() : 0;
    if (Breaking.is(context)
        || !(memory.get(LIST) instanceof List<?> items)
        || index >= items.size()) {
      context.complete();
      return;
    }
    var value = items.get(index);
    context.output(CURRENT, value);
    var body = context.node().child(BODY);
    if (body == null) {
      context.complete();
      return;
    }
    memory.put(NEXT, index + 1L);
    context.schedule(body, null, Items.variables(value, index));
  }
}
