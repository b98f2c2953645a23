package skein.burst;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.model.WorkflowInstance;

/** What an instance is given as its input by the one that started it. */
public final class ChildInput {
  private static final String PARENT = "ParentInstanceId";

  private ChildInput() {}

  /**
   * The stored input, and for children the id of their parent, which is stored once, as a label. A
   * value of that name is replaced: a child that hands on all its inputs hands on its own parent's
   * id with them. Schedules are no parents.
   */
  public static Map<String, @Nullable Object> of(WorkflowInstance instance) {
    var parent = instance.labels().parent();
    if (parent == null || parent.isSchedule()) {
      return instance.input();
    }
    var all = new LinkedHashMap<String, @Nullable Object>(instance.input());
    all.put(PARENT, parent.id().value());
    return all;
  }
}
