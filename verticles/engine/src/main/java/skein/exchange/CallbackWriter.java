package skein.exchange;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.model.ActivityExecution;
import skein.model.ActivityStatus;

/**
 * Elsa's completion callbacks: which activity is notified of which completion. Our activities know
 * it from their places in the definition, so they are only checked when a file is read.
 */
final class CallbackWriter {
  /** The methods of Elsa's activities that are called when a child of theirs completes. */
  private static final Map<String, String> METHODS =
      Map.ofEntries(
          Map.entry("Elsa.Sequence", "OnChildCompleted"),
          Map.entry("Elsa.Flowchart", "OnChildCompletedAsync"),
          Map.entry("Elsa.If", "OnChildCompleted"),
          Map.entry("Elsa.Switch", "OnChildActivityCompletedAsync"),
          Map.entry("Elsa.For", "OnChildComplete"),
          Map.entry("Elsa.ForEach", "OnChildCompleted"),
          Map.entry("Elsa.ParallelForEach", "OnChildCompleted"),
          Map.entry("Elsa.While", "OnBodyCompleted"),
          Map.entry("Elsa.Fork", "CompleteChildAsync"),
          Map.entry("Elsa.Parallel", "OnChildCompleted"),
          Map.entry("Elsa.Composite", "OnRootCompletedAsync"),
          Map.entry("Elsa.BulkDispatchWorkflows", "OnChildFinishedCompletedAsync"),
          Map.entry("Elsa.SendHttpRequest", "OnChildActivityCompletedAsync"));

  private final WrittenExecutions executions;

  CallbackWriter(WrittenExecutions executions) {
    this.executions = executions;
  }

  List<Map<String, @Nullable Object>> callbacks() {
    var callbacks = new ArrayList<Map<String, @Nullable Object>>();
    for (var execution : executions.all()) {
      if (execution.status() == ActivityStatus.Running) {
        var turn = executions.turn(execution);
        var json = new LinkedHashMap<String, @Nullable Object>();
        json.put("ownerInstanceId", executions.contextId(execution.parent()));
        json.put("childNodeId", execution.nodeId());
        json.put("methodName", method(execution));
        json.put("tag", turn == null ? execution.tag() : turn);
        callbacks.add(json);
      }
    }
    return callbacks;
  }

  private @Nullable String method(ActivityExecution execution) {
    if (executions.parent(execution) == null) {
      return "OnRootCompletedAsync";
    }
    var node = executions.parentNode(execution);
    return node == null ? null : METHODS.get(node.descriptor().typeName());
  }
}
