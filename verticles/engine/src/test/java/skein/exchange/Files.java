package skein.exchange;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.codecs.JsonLimits;
import skein.codecs.JsonText;
import skein.graph.Graph;
import skein.model.InstanceLimits;
import skein.model.WorkflowInstance;

/** Instances written as files in Elsa's form, without the exact state that ours have beside it. */
public final class Files {
  private Files() {}

  static Map<String, @Nullable Object> file(WorkflowInstance instance, Graph graph) {
    var writer = new StateWriter(instance, graph);
    var file = new LinkedHashMap<String, @Nullable Object>();
    file.put("WorkflowState", writer.state(status(instance), subStatus(instance)));
    file.put("Bookmarks", writer.bookmarks());
    return JsonText.parseObject(JsonText.print(file), JsonLimits.STORED);
  }

  /** What such a file is read back as; of the revision that the instance has. */
  public static WorkflowInstance throughFile(WorkflowInstance instance, Graph graph) {
    return StateReader.of(file(instance, graph), InstanceLimits.DEFAULT)
        .read(graph, null, Instant.EPOCH)
        .instance()
        .withRevision(instance.revision());
  }

  private static String status(WorkflowInstance instance) {
    return instance.status().finished() ? "Finished" : "Running";
  }

  private static String subStatus(WorkflowInstance instance) {
    return instance.status().name().equals("Completed") ? "Finished" : instance.status().name();
  }
}
