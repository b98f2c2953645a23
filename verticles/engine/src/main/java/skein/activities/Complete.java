package skein.activities;

import java.util.ArrayList;
import java.util.List;

/** Ends the nearest composite, or else the whole instance, with outcomes. */
final class Complete implements Activity {
  private static final Input OUTCOMES =
      Input.of("Outcomes", "Object")
          .edited(Editor.OUTCOME_PICKER)
          .written("Object")
          .described("One outcome or a list; Done when empty.");
  private static final ActivityDescriptor DESCRIPTOR =
      ActivityDescriptor.of("Elsa.Complete", "Composition", "Ends the workflow with outcomes.")
          .with(OUTCOMES)
          .asTerminal();

  @Override
  public ActivityDescriptor descriptor() {
    return DESCRIPTOR;
  }

  /** Completes itself first, so that it is not cancelled with what it ends. */
  @Override
  public void execute(ActivityContext context) {
    var outcomes = outcomes(context);
    var names = outcomes.toArray(String[]::new);
    context.complete(names);
    if (!context.signal(Signals.COMPLETE, outcomes)) {
      context.finish(names);
    }
  }

  private static List<String> outcomes(ActivityContext context) {
    var outcomes = new ArrayList<String>();
    for (var item : Json.list(context.get(OUTCOMES))) {
      if (item != null && !item.toString().isBlank()) {
        outcomes.add(item.toString());
      }
    }
    return outcomes.isEmpty() ? List.of(ActivityDescriptor.DONE) : List.copyOf(outcomes);
  }
}
