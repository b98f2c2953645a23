package skein.activities;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Runs its body while a condition holds; without a body there is nothing to repeat. */
final class While implements Activity {
  private static final Input CONDITION =
      Input.lazy("Condition", "Boolean")
          .edited(Editor.SINGLE_LINE)
          .described("Whether there is another round.");
  private static final Port BODY = Port.of("body");
  private static final ActivityDescriptor DESCRIPTOR =
      ActivityDescriptor.of("Elsa.While", "Looping", "Repeats while a condition holds.")
          .with(CONDITION)
          .with(BODY);

  @Override
  public ActivityDescriptor descriptor() {
    return DESCRIPTOR;
  }

  @Override
  public void execute(ActivityContext context) {
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
    var body = context.node().child(BODY);
    if (Breaking.is(context) || !context.flag(CONDITION) || body == null) {
      context.complete();
      return;
    }
    context.schedule(body);
  }
}
