package skein.retention;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import skein.model.WorkflowStatus;
import skein.storage.RetentionStore.Candidate;

/**
 * How long instances are kept after they have ended.
 *
 * @param period where nothing else is said
 * @param byStatus in its place; empty: for ever
 * @param byDefinition in place of both, by definition id; empty: for ever
 */
public record RetentionRules(
    Duration period,
    Map<WorkflowStatus, Optional<Duration>> byStatus,
    Map<String, Optional<Duration>> byDefinition) {
  public RetentionRules {
    byStatus = Map.copyOf(byStatus);
    byDefinition = Map.copyOf(byDefinition);
  }

  /** Null: for ever. */
  @Nullable Duration keep(String definitionId, WorkflowStatus status) {
    var own = byDefinition.get(definitionId);
    var found = own == null ? byStatus.get(status) : own;
    return found == null ? period : found.orElse(null);
  }

  /** Whether it ended longer ago than it is kept, and all of its family that counts on it. */
  boolean isOver(Candidate instance) {
    var ended = instance.ended();
    var keep = keep(instance.definitionId(), instance.status());
    return ended != null && keep != null && ended.compareTo(keep) > 0 && !instance.isAttached();
  }

  /** The shortest of all: what is younger is kept in any case. */
  Duration shortest() {
    var all = new ArrayList<Duration>();
    all.add(period);
    byStatus.values().forEach(keep -> keep.ifPresent(all::add));
    byDefinition.values().forEach(keep -> keep.ifPresent(all::add));
    return all.stream().min(Comparator.naturalOrder()).orElse(period);
  }
}
