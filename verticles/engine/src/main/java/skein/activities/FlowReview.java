package skein.activities;

import static java.util.stream.Collectors.joining;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import skein.activities.Activity.Warnings;
import skein.codecs.EditDistance;
import skein.model.FindingCode;

/** Looks for what can hardly be meant in a flowchart: each ends the flow in silence. */
final class FlowReview {
  /** A port is compared with no more. */
  private static final int OUTCOMES_MAX = 100;

  private final ActivityNode flowchart;
  private final FlowConnections connections;
  private final Warnings warnings;

  /** The exits of all connections. */
  private final Set<Exit> exits = new HashSet<>();

  private record Exit(ActivityNode source, String port) {}

  FlowReview(ActivityNode flowchart, FlowConnections connections, Warnings warnings) {
    this.flowchart = flowchart;
    this.connections = connections;
    this.warnings = warnings;
    connections.all().forEach(each -> exits.add(new Exit(each.source(), each.port())));
  }

  void run() {
    connections.all().forEach(this::reviewPort);
    connections.activities().forEach(this::reviewFailures);
    reviewReach();
  }

  private void reviewPort(Connection connection) {
    var source = connection.source();
    var port = connection.port();
    var outcomes = source.activity().outcomes(source);
    if (outcomes == null || outcomes.contains(port) || port.equals(ActivityDescriptor.FAULTED)) {
      return;
    }
    warnings.add(
        flowchart,
        FindingCode.UNKNOWN_PORT,
        "/connections/" + connection.place(),
        "the connection from \"%s\" to \"%s\" leaves by the port \"%s\", which %s does not have; it has %s"
            .formatted(
                source.id(),
                connection.target().id(),
                port,
                source.type(),
                outcomes.isEmpty() ? "none" : String.join(", ", outcomes)),
        outcomes.size() > OUTCOMES_MAX ? null : EditDistance.nearest(port, outcomes));
  }

  private void reviewFailures(ActivityNode activity) {
    var unhandled =
        activity.activity().failures(activity).stream()
            .filter(outcome -> !exits.contains(new Exit(activity, outcome)))
            .toList();
    if (!unhandled.isEmpty()) {
      warnings.add(
          activity,
          FindingCode.UNHANDLED_FAILURE,
          "",
          "the flow ends in silence when it fails: connect its port "
              + unhandled.stream().map(port -> '"' + port + '"').collect(joining(", ")),
          null);
    }
  }

  private void reviewReach() {
    var starts = new ArrayList<ActivityNode>();
    var start = connections.start(null);
    if (start != null) {
      starts.add(start);
    }
    connections.activities().stream().filter(FlowReview::holdsTrigger).forEach(starts::add);
    var reached = connections.reachedFrom(starts);
    for (var activity : connections.activities()) {
      if (!reached.contains(activity)) {
        warnings.add(
            activity,
            FindingCode.UNREACHABLE,
            "",
            "it never runs: nothing leads to it from the start of the flowchart",
            null);
      }
    }
  }

  private static boolean holdsTrigger(ActivityNode activity) {
    return activity.canStart()
        || activity.children().values().stream()
            .flatMap(List::stream)
            .anyMatch(FlowReview::holdsTrigger);
  }
}
