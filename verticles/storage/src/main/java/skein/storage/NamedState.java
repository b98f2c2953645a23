package skein.storage;

import java.util.UUID;
import org.jspecify.annotations.Nullable;
import skein.model.WorkflowInstance;

/**
 * A state of an instance with the id that names it. A new id is drawn for every decision, so equal
 * ids mean the same state; a revision is only a number that two decisions may reach.
 *
 * @param id null for a state that was stored before states had ids: its revision names it, since no
 *     uncommitted state is without an id
 */
public record NamedState(WorkflowInstance instance, @Nullable UUID id) {}
