package skein.activities;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A flowchart of tokens: a completed activity takes those that lie before it and puts one on each
 * connection that it follows; the activity there decides by its {@link MergeMode} what it makes of
 * it.
 *
 * <p>One that waits for tokens that can never come is not completed by the flowchart around it.
 */
final class TokenFlow implements Flow {
  private final ActivityContext context;
  private final FlowGraph graph;
  private final FlowTokens tokens;

  TokenFlow(ActivityContext context, FlowGraph graph) {
    this.context = context;
    this.graph = graph;
    this.tokens = new FlowTokens(context.memory());
  }

  @Override
  public void completed(Child child, List<String> outcomes) {
    var source = child.node();
    graph.inbound(source.id()).forEach(tokens::take);
    if (MergeMode.of(source, context) == MergeMode.RACE) {
      endRace(source);
    }
    var inTime = new ArrayList<Connection>();
    for (var connection : graph.outbound(source.id())) {
      if (outcomes.contains(connection.port()) && isInTime(connection)) {
        inTime.add(connection);
      }
    }
    inTime.forEach(tokens::put);
    inTime.forEach(this::arrive);
    streamOn();
  }

  /** Late is what a race has been decided without; the last of it is cancelled. */
  private boolean isInTime(Connection connection) {
    var late = tokens.unblock(connection);
    if (late) {
      cancelWhatLeadsTo(connection.target().id());
    }
    return !late;
  }

  private void arrive(Connection connection) {
    var target = connection.target();
    switch (MergeMode.of(target, context)) {
      case STREAM -> {
        if (!isAwaitedBefore(target)) {
          run(target);
        }
      }
      case MERGE -> {
        if (!graph.isForward(connection) || allHold(graph.forwardInbound(target.id()))) {
          runOnce(target);
        }
      }
      case CONVERGE -> {
        if (allHold(graph.inbound(target.id()))) {
          runOnce(target);
        }
      }
      case CASCADE -> run(target);
      case RACE -> {
        cancelWhatLeadsTo(target.id());
        runOnce(target);
        for (var other : graph.forwardInbound(target.id())) {
          if (other.source() != connection.source()) {
            tokens.block(other);
          }
        }
      }
    }
  }

  private void run(ActivityNode target) {
    context.schedule(target, null, Map.of());
  }

  private void runOnce(ActivityNode target) {
    if (!context.isScheduled(target)) {
      run(target);
    }
  }

  private boolean allHold(List<Connection> connections) {
    return connections.stream().allMatch(tokens::isOn);
  }

  private boolean isAwaitedBefore(ActivityNode target) {
    return graph.forwardInbound(target.id()).stream()
        .anyMatch(connection -> holdsToken(connection.source().id()));
  }

  private boolean holdsToken(String activityId) {
    return graph.inbound(activityId).stream().anyMatch(tokens::isOn);
  }

  /**
   * An activity that waited for another inbound connection continues when that one turns out to be
   * dead.
   */
  private void streamOn() {
    for (var index : tokens.held()) {
      var target = graph.connection(index).target();
      if (MergeMode.of(target, context) == MergeMode.STREAM
          && !isUnderWay(target)
          && !isAwaitedBefore(target)) {
        run(target);
      }
    }
  }

  private boolean isUnderWay(ActivityNode target) {
    return context.isScheduled(target)
        || context.children().stream().anyMatch(child -> child.node() == target);
  }

  /**
   * Cancels what began on its way there after the race was won. The next race starts again where
   * nothing is on its way any more.
   */
  private void endRace(ActivityNode target) {
    cancelWhatLeadsTo(target.id());
    for (var connection : graph.forwardInbound(target.id())) {
      var source = connection.source().id();
      if (!holdsToken(source) && graph.ancestors(source).stream().noneMatch(this::holdsToken)) {
        tokens.unblock(connection);
      }
    }
  }

  private void cancelWhatLeadsTo(String activityId) {
    var ancestors = graph.ancestors(activityId);
    for (var child : context.children()) {
      var id = child.node().id();
      if (!child.faulted() && ancestors.contains(id)) {
        context.cancel(child);
        graph.inbound(id).forEach(tokens::take);
        graph.outbound(id).forEach(tokens::unblock);
      }
    }
  }

  @Override
  public boolean over() {
    return tokens.none() && !context.hasPendingChildren();
  }
}
