package skein.graph;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.model.WorkflowDefinition;

/**
 * The definitions that a definition uses as activities, and those that they use in turn.
 *
 * @param complete false when there were more references than may be followed
 */
public record UsedWorkflows(Map<Reference, WorkflowDefinition> found, boolean complete) {
  public static final UsedWorkflows NONE = new UsedWorkflows(Map.of(), true);

  public UsedWorkflows {
    found = Map.copyOf(found);
  }

  @Nullable WorkflowDefinition find(Reference reference) {
    return found.get(reference);
  }
}
