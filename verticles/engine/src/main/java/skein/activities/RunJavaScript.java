package skein.activities;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.expressions.Expression;

/** Runs a script; its value is the result, and it may choose the outcomes. */
final class RunJavaScript implements Activity {
  private static final String JAVA_SCRIPT = "JavaScript";
  private static final Input SCRIPT =
      Input.of("Script", "String")
          .edited(Editor.CODE)
          .written("JavaScript")
          .described("What is run; its value is the result.");
  private static final Input POSSIBLE_OUTCOMES =
      Input.of("PossibleOutcomes", "String[]")
          .outcomes(ActivityDescriptor.DONE)
          .described("Outcomes that the script may choose with setOutcome.");
  private static final ActivityDescriptor DESCRIPTOR =
      ActivityDescriptor.of("Elsa.RunJavaScript", "Scripting", "Runs JavaScript.")
          .with(SCRIPT, POSSIBLE_OUTCOMES)
          .with(Output.RESULT)
          .titled("Run JavaScript");

  @Override
  public ActivityDescriptor descriptor() {
    return DESCRIPTOR;
  }

  /** That it is a script; a wrong one may be published as in Elsa, and faults when it runs. */
  @Override
  public List<Expression> expressions(Map<String, @Nullable Object> json) {
    return List.of(new Expression(JAVA_SCRIPT, ""));
  }

  /** Whatever the script chooses. */
  @Override
  public @Nullable Collection<String> outcomes(ActivityNode node) {
    return null;
  }

  @Override
  public void execute(ActivityContext context) {
    var script = context.text(SCRIPT);
    if (script == null || script.isBlank()) {
      context.complete();
      return;
    }
    var result = context.evaluate(new Expression(JAVA_SCRIPT, script), "Object");
    if (result != null) {
      context.output(Output.RESULT, result);
    }
    context.complete(context.chosenOutcomes().toArray(String[]::new));
  }
}
