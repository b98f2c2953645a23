package skein.activities;

/** Faults on purpose. */
final class Fault implements Activity {
  private static final Input CODE =
      Input.of("Code", "String").described("A code for readers of the incident.");
  private static final Input CATEGORY =
      Input.of("Category", "String").described("A group of codes.");
  private static final Input FAULT_TYPE =
      Input.of("FaultType", "String")
          .titled("Type")
          .described("What kind of fault it is, such as Business.");
  private static final Input MESSAGE =
      Input.of("Message", "String").described("What went wrong, in words.");
  private static final ActivityDescriptor DESCRIPTOR =
      ActivityDescriptor.of("Elsa.Fault", "Primitives", "Faults the workflow.")
          .with(CODE, CATEGORY, FAULT_TYPE, MESSAGE);

  @Override
  public ActivityDescriptor descriptor() {
    return DESCRIPTOR;
  }

  @Override
  public void execute(ActivityContext context) {
    var type = context.text(FAULT_TYPE);
    var message = context.text(MESSAGE);
    throw new FaultException(
        type == null || type.isBlank() ? "Fault" : type,
        context.text(CODE),
        message == null ? "The fault has no message" : message);
  }
}
