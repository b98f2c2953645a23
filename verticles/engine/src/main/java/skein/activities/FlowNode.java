package skein.activities;

/** Holds one activity and runs it. */
final class FlowNode implements Activity {
  private static final Port BODY = Port.of("body");
  private static final ActivityDescriptor DESCRIPTOR =
      ActivityDescriptor.of("Elsa.FlowNode", "Flow", "Runs the activity it holds.")
          .with(BODY)
          .titled("Container");

  @Override
  public ActivityDescriptor descriptor() {
    return DESCRIPTOR;
  }

  @Override
  public void execute(ActivityContext context) {
    var body = context.node().child(BODY);
    if (body == null) {
      context.complete();
      return;
    }
    context.schedule(body);
  }
}
