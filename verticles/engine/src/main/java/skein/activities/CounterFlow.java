package skein.activities;

import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/**
 * A flowchart of counters: every connection is counted when it is decided: followed, if its port is
 * among the outcomes of the activity it leaves, or not. An activity runs once all its forward
 * inbound connections are decided and one was followed; a {@link FlowJoin} may ask for more or
 * less. What cannot be reached any more is skipped, and its outbound connections count as not
 * followed. Connections that lead back run their target at once.
 */
final class CounterFlow implements Flow {
  private static final String BACKWARD = "backward";

  private final ActivityContext context;
  private final FlowGraph graph;
  private final FlowVisits visits;

  /** Skipped activities on their way, the latest first: what they lead to comes before the rest. */
  private final ArrayDeque<Departure> departures = new ArrayDeque<>();

  private record Departure(Iterator<Connection> connections, List<String> outcomes) {}

  CounterFlow(ActivityContext context, FlowGraph graph) {
    this.context = context;
    this.graph = graph;
    this.visits = new FlowVisits(context.memory());
  }

  /** Activities that began on the way to a join after that was queued are cancelled now. */
  @Override
  public void completed(Child child, List<String> outcomes) {
    depart(child.node().id(), outcomes, !BACKWARD.equals(child.tag()));
    if (child.node().activity() instanceof FlowJoin) {
      cancelWhatLeadsTo(child.node().id());
    }
    proceed();
  }

  @Override
  public boolean over() {
    return !context.hasPendingChildren();
  }

  private void proceed() {
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
      cancelWhatLeadsTo(target.id());
    } else if (visits.allDecided(inbound, target.id())) {
      depart(target.id(), List.of(), true);
    }
  }

  private void cancelWhatLeadsTo(String activityId) {
    var ancestors = graph.ancestors(activityId);
    for (var child : context.children()) {
      if (!child.faulted() && ancestors.contains(child.node().id())) {
        context.cancel(child);
        depart(child.node().id(), List.of(), true);
      }
    }
  }
}
