package skein.activities;

/** Ends the container it is in. */
final class End implements Activity {
  private static final ActivityDescriptor DESCRIPTOR =
      ActivityDescriptor.of("Elsa.End", "Flow", "Ends the container it is in.").asTerminal();

  @Override
  public ActivityDescriptor descriptor() {
    return DESCRIPTOR;
  }

  @Override
  public void execute(ActivityContext context) {
    context.complete();
  }
}
