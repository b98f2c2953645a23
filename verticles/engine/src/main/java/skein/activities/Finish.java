package skein.activities;

/** Ends the whole instance. */
final class Finish implements Activity {
  private static final ActivityDescriptor DESCRIPTOR =
      ActivityDescriptor.of("Elsa.Finish", "Primitives", "Ends the whole workflow.").asTerminal();

  @Override
  public ActivityDescriptor descriptor() {
    return DESCRIPTOR;
  }

  @Override
  public void execute(ActivityContext context) {
    context.finish();
  }
}
