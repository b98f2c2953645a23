package skein.activities;

import java.util.Map;
import skein.model.Effect;

/**
 * Asks an external system to perform a task and waits until it is completed. The task's id is the
 * bookmark's, so that a completion finds the instance from the id.
 */
final class RunTask implements Activity {
  private static final Input NAME =
      Input.of("TaskName", "String").described("The name by which its performer knows the task.");
  private static final Input PAYLOAD =
      Input.of("Payload", "ObjectDictionary").described("What they are given.");
  private static final Output TASK_ID =
      new Output("TaskId", "String").described("What the task is completed by.");
  private static final ActivityDescriptor DESCRIPTOR =
      ActivityDescriptor.of(Stimuli.RUN_TASK, "Primitives", "Asks for a task to be performed.")
          .with(NAME, PAYLOAD)
          .with(TASK_ID, Output.RESULT);

  @Override
  public ActivityDescriptor descriptor() {
    return DESCRIPTOR;
  }

  @Override
  public void execute(ActivityContext context) {
    var name = context.required(NAME);
    var taskId = context.nextBookmarkId().toString();
    context.output(TASK_ID, taskId);
    context.await(
        Wait.forStimulus(
            Stimuli.RUN_TASK,
            Stimuli.task(taskId, name),
            Map.of("taskId", taskId, "taskName", name)));
    context.effect(new Effect.TaskRequested(taskId, name, context.get(PAYLOAD)));
  }

  @Override
  public void resume(ActivityContext context, Resumption resumption) {
    context.output(Output.RESULT, resumption.input().get("result"));
    context.complete();
  }
}
