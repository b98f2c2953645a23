package skein.activities;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Runs activities along connections; what runs when is decided by a {@link Flow}. */
final class Flowchart implements Activity {
  static final String TYPE = "Elsa.Flowchart";
  private static final Port ACTIVITIES = Port.list("activities");
  static final String START = "start";
  static final String MODE = "mode";
  private static final ActivityDescriptor DESCRIPTOR =
      ActivityDescriptor.of(TYPE, "Flow", "Runs activities along connections.")
          .with(ACTIVITIES)
          .asContainer()
          .hidden();

  private final FlowchartMode mode;

  Flowchart(FlowchartMode mode) {
    this.mode = mode;
  }

  @Override
  public ActivityDescriptor descriptor() {
    return DESCRIPTOR;
  }

  @Override
  public FlowConnections plan(
      Map<String, @Nullable Object> json,
      Map<String, List<ActivityNode>> children,
      Consumer<String> problem) {
    var activities = children.getOrDefault(ACTIVITIES.property(), List.of());
    return FlowConnections.read(json, ActivityNode.runnable(activities), problem);
  }

  @Override
  public void review(ActivityNode node, Warnings warnings) {
    if (node.plan() instanceof FlowConnections connections) {
      new FlowReview(node, connections, warnings).run();
    }
  }

  private static FlowConnections connections(ActivityContext context) {
    if (context.node().plan() instanceof FlowConnections connections) {
      return connections;
    }
    throw new IllegalStateException("A flowchart without a plan: " + context.node());
  }

  @Override
  public void execute(ActivityContext context) {
    var start = connections(context).start(context.startActivityId());
    if (start == null) {
      context.complete();
      return;
    }
    context.memory().put(START, start.id());
    context.memory().put(MODE, mode.name());
    context.schedule(start);
  }

  @Override
  public void childCompleted(ActivityContext context, Child child, List<String> outcomes) {
    if (child.node().descriptor().terminal()) {
      context.complete();
      return;
    }
    var flow = flow(context);
    flow.completed(child, outcomes);
    if (flow.over()) {
      context.complete();
    }
  }

  /** Where a connection leads on from its fault. */
  @Override
  public boolean continuesAfterFault(ActivityContext context, Child child) {
    return connections(context).leads(child.node().id(), ActivityDescriptor.FAULTED);
  }

  @Override
  public Collection<String> followed(ActivityNode node, ActivityNode child) {
    return node.plan() instanceof FlowConnections connections
        ? connections.ports(child.id())
        : List.of();
  }

  @Override
  public void migrate(
      ActivityNode from,
      ActivityNode to,
      Map<String, String> activities,
      Map<String, @Nullable Object> memory) {
    if (from.plan() instanceof FlowConnections before && to.plan() instanceof FlowConnections now) {
      var start = Json.text(memory, START);
      memory.put(START, start == null ? null : activities.getOrDefault(start, start));
      new FlowMigration(before, now, activities).apply(memory);
    }
  }

  FlowchartMode mode() {
    return mode;
  }

  /** The mode it began with, whatever has been configured since. */
  private static Flow flow(ActivityContext context) {
    var memory = context.memory();
    var graph = connections(context).graph(String.valueOf(memory.get(START)));
    return FlowchartMode.TOKEN.name().equals(memory.get(MODE))
        ? new TokenFlow(context, graph)
        : new CounterFlow(context, graph);
  }
}
