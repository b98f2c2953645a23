package skein.activities;

import skein.model.Parent.Notice;

/**
 * Runs another workflow as an instance of its own and gives its outcome: when it has ended, or as
 * soon as it waits.
 */
final class ExecuteWorkflow implements Activity {
  private static final Input WAIT =
      Input.of("WaitForCompletion", "Boolean")
          .described("Whether to continue only when the child has ended.");
  private static final Output RESULT = new Output("Result", "ExecuteWorkflowResult");
  private static final ActivityDescriptor DESCRIPTOR =
      ActivityDescriptor.of(
              ChildWorkflows.EXECUTE, "Composition", "Runs a workflow and gives its result.")
          .with(
              ChildWorkflows.DEFINITION_ID,
              ChildWorkflows.CORRELATION_ID,
              ChildWorkflows.INPUT,
              WAIT)
          .with(RESULT);

  @Override
  public ActivityDescriptor descriptor() {
    return DESCRIPTOR;
  }

  @Override
  public void execute(ActivityContext context) {
    var notice = context.flag(WAIT) ? Notice.AtEnd : Notice.AtRest;
    ChildWorkflows.await(context, ChildWorkflows.start(context, notice));
  }

  @Override
  public void resume(ActivityContext context, Resumption resumption) {
    var outcome = ChildWorkflows.Outcome.of(resumption);
    if (outcome != null) {
      context.output(
          RESULT,
          Json.members(
              "workflowInstanceId",
              outcome.instanceId(),
              "status",
              outcome.status(),
              "subStatus",
              outcome.subStatus(),
              "output",
              outcome.output()));
    }
    context.complete();
  }
}
