package skein.activities;

import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import skein.activities.FlowConnections.Connection;

/**
 * Runs activities along connections.
 *
 * <p>Every connection is counted when it is decided: followed, if its port is among the outcomes of
 * the activity it leaves, or not. An activity runs once all its forward inbound connections are
 * decided and one was followed; a {@link FlowJoin} may ask for more or less. What cannot be reached
 * any more is skipped, and its outbound connections count as not followed. Connections that lead
 * back run their target at once.
 */
final class Flowchart implements Activity {
  private static final Port ACTIVITIES = Port.of("activities");
  private static final String START = "start";
  private static final String BACKWARD = "backward";
  private static final ActivityDescriptor DESCRIPTOR =
      ActivityDescriptor.of("Elsa.Flowchart", "Flow", "Runs activities along connections.")
          .with(ACTIVITIES)
          .asContainer()
          .hidden();

  @Override
  public ActivityDescriptor descriptor() {
    return DESCRIPTOR;
  }

  @Override
  public FlowConnections plan(
      Map<String, @Nullable Object> json,
      Map<String, List<ActivityNode>> children,
      Consumer<String> problem) {
    return FlowConnections.read(
        json, children.getOrDefault(ACTIVITIES.property(), List.of()), problem);
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
    context.schedule(start);
  }

  @Override
  public void childCompleted(ActivityContext context, Child child, List<String> outcomes) {
    if (child.node().descriptor().terminal()) {
      context.complete();
      return;
    }
    var walk = new Walk(context);
    walk.leave(child.node().id(), outcomes, !BACKWARD.equals(child.tag()));
    if (!context.hasPendingChildren()) {
      context.complete();
    }
  }

  /** What follows from one completion. */
  private static final class Walk {
    private final ActivityContext context;
    private final FlowGraph graph;
    private final FlowVisits visits;

    /**
     * Skipped activities on their way, the latest first: what they lead to comes before the rest.
     */
    private final ArrayDeque<Departure> departures = new ArrayDeque<>();

    private record Departure(Iterator<Connection> connections, List<String> outcomes) {}

    Walk(ActivityContext context) {
      this.context = context;
      this.graph = connections(context).graph(String.valueOf(context.memory().get(START)));
      this.visits = new FlowVisits(context.memory());
    }

    void leave(String activityId, List<String> outcomes, boolean counts) {
      depart(activityId, outcomes, counts);
      while (!departures.isEmpty()) {
        var departure = departures.peek();
        if (!departure.connections.hasNext()) {
          departures.pop();
          continue;
        }
        decide(departure.connections.next(), departure.outcomes);
      }
    }

    private void depart(String activityId, List<String> outcomes, boolean counts) {
      if (counts) {
        visits.visit(activityId);
      }
      departures.push(new Departure(graph.outbound(activityId).iterator(), outcomes));
    }

    private void decide(Connection connection, List<String> outcomes) {
      var followed = outcomes.contains(connection.port());
      visits.visit(connection, followed);
      if (!graph.isForward(connection)) {
        if (followed) {
          goBack(connection);
        }
        return;
      }
      switch (mode(connection.target())) {
        case WAIT_ALL -> join(connection.target(), false);
        case WAIT_ALL_ACTIVE -> join(connection.target(), true);
        case WAIT_ANY -> joinAny(connection);
      }
    }

    private FlowJoin.Mode mode(ActivityNode target) {
      return target.activity() instanceof FlowJoin
          ? FlowJoin.Mode.of(context.evaluate(target, FlowJoin.MODE))
          : FlowJoin.Mode.WAIT_ALL_ACTIVE;
    }

    private void goBack(Connection connection) {
      if (!graph.isValidBackward(connection)) {
        throw new FaultException(
            "InvalidConnection",
            "The connection from "
                + connection.source().id()
                + " back to "
                + connection.target().id()
                + " leaves a branch that can be reached without passing its target");
      }
      context.schedule(connection.target(), BACKWARD, Map.of());
    }

    private void join(ActivityNode target, boolean oneIsEnough) {
      var inbound = graph.forwardInbound(target.id());
      if (!visits.allDecided(inbound, target.id())) {
        return;
      }
      var go =
          oneIsEnough
              ? visits.anyFollowed(inbound, target.id())
              : visits.allFollowed(inbound, target.id());
      if (go) {
        context.schedule(target);
      } else {
        depart(target.id(), List.of(), true);
      }
    }

    private void joinAny(Connection connection) {
      var target = connection.target();
      if (visits.isLate(connection) || context.isScheduled(target)) {
        return;
      }
      var inbound = graph.forwardInbound(target.id());
      if (visits.anyFollowed(inbound, target.id())) {
        context.schedule(target);
        cancelWhatLeadsTo(target);
      } else if (visits.allDecided(inbound, target.id())) {
        depart(target.id(), List.of(), true);
      }
    }

    private void cancelWhatLeadsTo(ActivityNode target) {
      var ancestors = graph.ancestors(target.id());
      for (var child : context.children()) {
        if (!child.faulted() && ancestors.contains(child.node().id())) {
          context.cancel(child);
          depart(child.node().id(), List.of(), true);
        }
      }
    }
  }
}
