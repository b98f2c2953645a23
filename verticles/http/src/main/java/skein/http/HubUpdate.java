package skein.http;

import java.util.List;
import java.util.Map;
import skein.model.InstanceId;
import skein.storage.ExecutionStore.Stats;

/**
 * What the observers of an instance are sent: that something is new, which they then read. So a
 * later one of the same kind replaces an earlier one that was not sent yet.
 *
 * @param text messages of the protocol
 */
record HubUpdate(InstanceId id, Kind kind, String text) {
  enum Kind {
    /** The instance and its journal. */
    CHANGED,
    /** The counts of its activities. */
    STATISTICS
  }

  /** An update replaces an earlier one with the same key. */
  record Key(InstanceId id, Kind kind) {}

  Key key() {
    return new Key(id, kind);
  }

  static HubUpdate changed(InstanceId id) {
    return new HubUpdate(
        id,
        Kind.CHANGED,
        HubMessage.invocation(
                "WorkflowInstanceUpdatedAsync", Map.of("workflowInstanceId", id.value()))
            + HubMessage.invocation("WorkflowExecutionLogUpdatedAsync", Map.of()));
  }

  static HubUpdate statistics(InstanceId id, List<Stats> stats) {
    return new HubUpdate(
        id,
        Kind.STATISTICS,
        HubMessage.invocation(
            "ActivityExecutionLogUpdatedAsync",
            Map.of("stats", stats.stream().map(ExecutionRoutes::stats).toList())));
  }
}
