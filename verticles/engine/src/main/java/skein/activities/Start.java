package skein.activities;

/** Marks where a flowchart begins. */
final class Start implements Activity {
  private static final ActivityDescriptor DESCRIPTOR =
      ActivityDescriptor.of("Elsa.Start", "Flow", "Marks where a flowchart begins.").asStart();

  @Override
  public ActivityDescriptor descriptor() {
    return DESCRIPTOR;
  }

  @Override
  public void execute(ActivityContext context) {
    context.complete();
  }
}
