package skein.testkit;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import skein.activities.Stimuli;
import skein.activities.TaskPayload;
import skein.activities.VariableDeclaration;
import skein.messages.Command;
import skein.messages.Command.TaskAction;
import skein.model.Bookmark;
import skein.model.InstanceId;
import skein.model.JournalEntry;
import skein.model.SkeinException;
import skein.model.WorkflowInstance;
import skein.model.WorkflowStatus;

/**
 * An instance under test, and the world it is in. Each method returns when the instance only waits;
 * refusals of the engine are thrown as a {@link SkeinException}. Confined to one thread.
 */
public final class TestRun {
  private final World world;
  private final @Nullable InstanceId id;

  TestRun(World world, @Nullable InstanceId id) {
    this.world = world;
    this.id = id;
  }

  // What happens to it

  /** Resumes every instance that waits for the event, and starts what it triggers. */
  public TestRun publish(String event) {
    return publish(event, null);
  }

  public TestRun publish(String event, @Nullable Object payload) {
    world.publish(event, null, payload);
    return this;
  }

  /** Only instances with this correlation hear of it. */
  public TestRun publishTo(String correlationId, String event, @Nullable Object payload) {
    world.publish(event, correlationId, payload);
    return this;
  }

  /**
   * Completes the task of a RunTask or a UserTask activity.
   *
   * @param task the activity's id, the task's name, or its title
   */
  public TestRun complete(String task, @Nullable Object result) {
    return complete(task, result, null, null);
  }

  /** Completes a user task with one of its outcomes. */
  public TestRun complete(String task, @Nullable Object result, String outcome) {
    return complete(task, result, outcome, null);
  }

  /**
   * Completes a user task in a user's name.
   *
   * @param outcome null is Done
   * @param user null: no user is named
   */
  public TestRun complete(
      String task,
      @Nullable Object result,
      @Nullable String outcome,
      @Nullable String user,
      String... groups) {
    var input = new LinkedHashMap<String, @Nullable Object>();
    input.put("result", result);
    if (outcome != null) {
      input.put("outcome", outcome);
    }
    var bookmark = task(task);
    if (!bookmark.name().equals(Stimuli.USER_TASK)) {
      var via = new Command.Via.Task();
      world.send(new Command.Resume(instanceId(), bookmark.id(), input, via, false));
      return this;
    }
    return act(bookmark, new TaskAction.Complete(input), user, groups);
  }

  /** Claims a user task. */
  public TestRun claim(String task, String user, String... groups) {
    return act(task(task), new TaskAction.Claim(), user, groups);
  }

  private TestRun act(
      Bookmark bookmark, TaskAction action, @Nullable String user, String... groups) {
    world.send(new Command.Task(bookmark.id(), action, user, Arrays.asList(groups), "test"));
    return this;
  }

  /** Resumes what an activity waits for. */
  public TestRun resume(String activityId, Map<String, @Nullable Object> input) {
    var bookmark =
        waiting().stream()
            .filter(b -> b.activityId().equals(activityId))
            .findFirst()
            .orElseThrow(() -> notWaiting("activity " + activityId));
    world.send(
        new Command.Resume(instanceId(), bookmark.id(), input, new Command.Via.Api(), false));
    return this;
  }

  public TestRun cancel() {
    world.send(new Command.Cancel(instanceId()));
    return this;
  }

  /** Moves the clock; timers that fall due fire in due order, each at its own instant. */
  public TestRun advance(Duration duration) {
    world.advance(duration);
    return this;
  }

  /**
   * The node dies and another one continues from what was committed. Every decision since the start
   * or the last crash is made once more from the state that it was made from, and must come to the
   * same: an {@link AssertionError} says where it does not.
   */
  public TestRun crash() {
    world.crash();
    return this;
  }

  // Results

  public WorkflowStatus status() {
    return instance().status();
  }

  /** The outputs of the workflow by name. */
  public Map<String, @Nullable Object> output() {
    return instance().output();
  }

  /** The last outputs of an activity by name. */
  public @Nullable Object outputOf(String activityId) {
    return instance().results().get(activityId);
  }

  /** Values by name: those of the workflow, and of containers that are not over. */
  public Map<String, @Nullable Object> variables() {
    var instance = instance();
    var graph = world.graphOf(instance);
    var values = new LinkedHashMap<String, @Nullable Object>();
    for (var execution : instance.executions()) {
      var node = graph.node(execution.nodeId());
      if (execution.parent() == 0) {
        read(graph.variables(), execution.variables(), values);
      }
      if (node != null) {
        read(node.variables(), execution.variables(), values);
      }
    }
    return values;
  }

  private static void read(
      List<VariableDeclaration> declared,
      Map<String, @Nullable Object> stored,
      Map<String, @Nullable Object> values) {
    for (var variable : declared) {
      var set = stored.containsKey(variable.id());
      values.put(variable.name(), set ? stored.get(variable.id()) : variable.defaultValue());
    }
  }

  /** The lines that WriteLine has written. */
  public List<String> lines() {
    return world.lines(instanceId());
  }

  public List<JournalEntry> journal() {
    return world.stored().journal(instanceId());
  }

  /** Ids of the activities that wait for something from outside. */
  public List<String> waitsAt() {
    return waiting().stream().map(Bookmark::activityId).distinct().toList();
  }

  /** The open user tasks, as {@link TaskPayload} describes them. */
  public List<Map<String, Object>> userTasks() {
    return instance().bookmarks().stream()
        .filter(bookmark -> bookmark.name().equals(Stimuli.USER_TASK))
        .map(bookmark -> TaskPayload.of(bookmark.payload()).members())
        .toList();
  }

  /** Every instance of a workflow, oldest first. */
  public List<TestRun> instancesOf(String definitionId) {
    return world.stored().all().stream()
        .filter(instance -> instance.definition().definitionId().equals(definitionId))
        .map(instance -> new TestRun(world, instance.id()))
        .toList();
  }

  /** The only instance of a workflow. */
  public TestRun instanceOf(String definitionId) {
    var all = instancesOf(definitionId);
    if (all.size() != 1) {
      throw new AssertionError(all.size() + " instances of " + definitionId + ", not one");
    }
    return all.getFirst();
  }

  public Instant now() {
    return world.now();
  }

  /** As it is stored. */
  public WorkflowInstance instance() {
    return world.stored().get(instanceId());
  }

  // Assertions

  public TestRun assertStatus(WorkflowStatus expected) {
    var instance = instance();
    if (instance.status() != expected) {
      throw new AssertionError(
          "The instance is %s, not %s; incidents: %s"
              .formatted(instance.status(), expected, instance.incidents()));
    }
    return this;
  }

  public TestRun assertOutput(String name, @Nullable Object expected) {
    return assertSame("output " + name, output().get(name), expected);
  }

  public TestRun assertVariable(String name, @Nullable Object expected) {
    var variables = variables();
    if (!variables.containsKey(name)) {
      throw new AssertionError("There is no variable " + name + ", only " + variables.keySet());
    }
    return assertSame("variable " + name, variables.get(name), expected);
  }

  public TestRun assertLines(String... expected) {
    return assertSame("lines", lines(), Arrays.asList(expected));
  }

  public TestRun assertWaitsAt(String... activityIds) {
    return assertSame("activities that wait", waitsAt(), Arrays.asList(activityIds));
  }

  public JournalAssert assertThatJournal() {
    return new JournalAssert(journal());
  }

  /** Whole numbers are Long in the engine, whatever a test writes. */
  private TestRun assertSame(String what, @Nullable Object found, @Nullable Object expected) {
    var wanted = expected instanceof Integer number ? (Object) number.longValue() : expected;
    if (!Objects.equals(found, wanted)) {
      throw new AssertionError("The %s: %s, not %s".formatted(what, found, wanted));
    }
    return this;
  }

  // Finding things

  private InstanceId instanceId() {
    if (id == null) {
      throw new IllegalStateException(
          "No instance was started here: ask for one with instanceOf(definitionId)");
    }
    return id;
  }

  private List<Bookmark> waiting() {
    return instance().bookmarks().stream().filter(bookmark -> !bookmark.ofEngine()).toList();
  }

  private Bookmark task(String task) {
    for (var bookmark : waiting()) {
      var isTask =
          bookmark.name().equals(Stimuli.USER_TASK) || bookmark.name().equals(Stimuli.RUN_TASK);
      if (isTask && (bookmark.activityId().equals(task) || isNamed(bookmark, task))) {
        return bookmark;
      }
    }
    throw notWaiting("task " + task);
  }

  private static boolean isNamed(Bookmark bookmark, String name) {
    return bookmark.payload() instanceof Map<?, ?> payload
        && (name.equals(payload.get("title")) || name.equals(payload.get("taskName")));
  }

  private AssertionError notWaiting(String what) {
    return new AssertionError(
        "Nothing waits at the %s; the instance is %s and waits at %s"
            .formatted(what, status(), waitsAt()));
  }
}
