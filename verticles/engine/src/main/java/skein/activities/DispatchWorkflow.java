package skein.activities;

import skein.model.Parent.Notice;

/** Starts another workflow; gives its output where it waits for its end. */
final class DispatchWorkflow implements Activity {
  private static final Input WAIT =
      Input.of("WaitForCompletion", "Boolean")
          .described("Whether to continue only when the child has ended.");
  private static final ActivityDescriptor DESCRIPTOR =
      ActivityDescriptor.of(
              ChildWorkflows.DISPATCH, "Composition", "Starts a workflow in the background.")
          .with(
              ChildWorkflows.DEFINITION_ID,
              ChildWorkflows.CORRELATION_ID,
              ChildWorkflows.INPUT,
              WAIT,
              ChildWorkflows.START_NEW_TRACE,
              ChildWorkflows.CHANNEL)
          .with(Output.RESULT);

  @Override
  public ActivityDescriptor descriptor() {
    return DESCRIPTOR;
  }

  @Override
  public void execute(ActivityContext context) {
    if (context.flag(WAIT)) {
      ChildWorkflows.await(context, ChildWorkflows.start(context, Notice.AtEnd));
      return;
    }
    ChildWorkflows.start(context, Notice.Never);
    context.complete();
  }

  @Override
  public void resume(ActivityContext context, Resumption resumption) {
    var outcome = ChildWorkflows.Outcome.of(resumption);
    if (outcome != null) {
      context.output(Output.RESULT, outcome.output());
    }
    context.complete();
  }
}
