package skein.burst;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.graph.Graph;
import skein.model.Counters;
import skein.model.InstanceId;
import skein.model.StartRequest;
import skein.model.Timing;
import skein.model.WorkflowInstance;
import skein.model.WorkflowStatus;

/** Instances that have not begun. */
final class NewInstance {
  private NewInstance() {}

  /** The id of the timer that runs a pending instance unless it was run before. */
  static String startTimer(InstanceId id) {
    return "start-" + id;
  }

  /** Revision 0: what the first transition starts from. */
  static WorkflowInstance blank(
      Graph graph,
      InstanceId id,
      StartRequest request,
      @Nullable StartRequest pending,
      BurstInputs in) {
    return new WorkflowInstance(
        id,
        graph.ref(),
        WorkflowStatus.Pending,
        0,
        request.labels(),
        new Timing(in.now(), in.now(), null),
        Counters.NONE,
        pending,
        request.input(),
        Map.of(),
        Map.of(),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        request.fingerprint());
  }
}
