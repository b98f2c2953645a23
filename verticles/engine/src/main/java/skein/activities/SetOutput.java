package skein.activities;

/** Sets an output of the workflow. */
final class SetOutput implements Activity {
  private static final Input NAME =
      Input.of("OutputName", "String")
          .edited(Editor.OUTPUT_PICKER)
          .titled("Output")
          .described("The name of the output.");
  private static final Input VALUE =
      Input.of("OutputValue", "Object").described("The value of the output.");
  private static final ActivityDescriptor DESCRIPTOR =
      ActivityDescriptor.of("Elsa.SetOutput", "Composition", "Sets an output of the workflow.")
          .with(NAME, VALUE);

  @Override
  public ActivityDescriptor descriptor() {
    return DESCRIPTOR;
  }

  @Override
  public void execute(ActivityContext context) {
    context.workflowOutput(context.required(NAME), context.get(VALUE));
    context.complete();
  }
}
