package skein.activities;

/** Goes one of two ways in a flowchart. */
final class FlowDecision implements Activity {
  private static final Input CONDITION =
      Input.of("Condition", "Boolean")
          .edited(Editor.SINGLE_LINE)
          .described("Whether to continue with True.");
  private static final ActivityDescriptor DESCRIPTOR =
      ActivityDescriptor.of("Elsa.FlowDecision", "Branching", "Continues with True or with False.")
          .with(CONDITION)
          .withOutcomes("True", "False")
          .titled("Decision");

  @Override
  public ActivityDescriptor descriptor() {
    return DESCRIPTOR;
  }

  @Override
  public void execute(ActivityContext context) {
    context.complete(context.flag(CONDITION) ? "True" : "False");
  }
}
