package skein.activities;

import java.util.Collection;
import java.util.List;

/**
 * Runs its body for all items of a list at once and waits for all of them. A body sees its item as
 * the variable {@code CurrentValue} and its place as {@code CurrentIndex}.
 */
final class ParallelForEach implements Activity {
  private static final Input ITEMS =
      Input.of("Items", "Object")
          .described("A list, or JSON text of one: one branch for each item.");
  private static final Port BODY = Port.of("body");
  private static final ActivityDescriptor DESCRIPTOR =
      ActivityDescriptor.of(
              "Elsa.ParallelForEach", "Looping", "Runs for all items of a list at once.")
          .with(ITEMS)
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
    var items = Items.of(context, ITEMS);
    var body = context.node().child(BODY);
    if (body == null || items.isEmpty()) {
      context.complete();
      return;
    }
    for (var i = 0; i < items.size(); i++) {
      context.schedule(body, Integer.toString(i), Items.variables(items.get(i), i));
    }
  }

  @Override
  public void childCompleted(ActivityContext context, Child child, List<String> outcomes) {
    if (!context.hasPendingChildren()) {
      context.complete();
    }
  }
}
