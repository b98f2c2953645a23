package skein.activities;

/** Faults unless what the workflow relies on is true. */
final class Require implements Activity {
  private static final String FAULT_TYPE = "RequirementNotMet";

  private static final Input CONDITION =
      Input.of("Condition", "Boolean")
          .edited(Editor.SINGLE_LINE)
          .described("The condition that must be true to continue.");
  private static final Input CODE =
      Input.of("Code", "String").described("A code for readers of the incident.");
  private static final Input MESSAGE =
      Input.of("Message", "String").described("What was expected, in words.");
  private static final ActivityDescriptor DESCRIPTOR =
      ActivityDescriptor.of("Skein.Require", "Primitives", "Faults unless a condition is true.")
          .with(CONDITION, CODE, MESSAGE);

  @Override
  public ActivityDescriptor descriptor() {
    return DESCRIPTOR;
  }

  @Override
  public void execute(ActivityContext context) {
    if (context.flag(CONDITION)) {
      context.complete();
      return;
    }
    var message = context.text(MESSAGE);
    throw new FaultException(
        FAULT_TYPE, context.text(CODE), message == null ? "The condition is not true" : message);
  }
}
