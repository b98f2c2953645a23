package skein.activities;

/** Names the instance. */
final class SetName implements Activity {
  private static final Input VALUE =
      Input.of("Value", "String").described("The name of the instance from now on.");
  private static final ActivityDescriptor DESCRIPTOR =
      ActivityDescriptor.of("Elsa.SetName", "Primitives", "Sets the name of the workflow instance.")
          .with(VALUE);

  @Override
  public ActivityDescriptor descriptor() {
    return DESCRIPTOR;
  }

  @Override
  public void execute(ActivityContext context) {
    context.scope().setName(context.text(VALUE));
    context.complete();
  }
}
