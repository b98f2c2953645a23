package skein.retention;

import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import skein.model.WorkflowStatus;
import skein.storage.Database;
import skein.storage.RetentionStore;
import skein.storage.RetentionStore.Candidate;

/** Reports what a pass would delete now, and changes nothing. Thread-safe. */
public final class DryRun {
  private final Database database;
  private final RetentionRules rules;

  public DryRun(Database database, RetentionRules rules) {
    this.database = database;
    this.rules = rules;
  }

  /** How many of a definition would be deleted. */
  public record Count(String definitionId, WorkflowStatus status, long instances) {}

  /**
   * A part of all instances.
   *
   * @param seen instances that were looked at
   * @param counts sorted by definition and status
   * @param next where the next part begins; null: this was the last one
   */
  public record Part(long seen, List<Count> counts, @Nullable Instant next) {}

  /**
   * Looks at the next instances.
   *
   * @param after {@link Part#next} of the part before; {@link RetentionStore#BEGINNING} to begin
   * @param max instances that are looked at, about
   */
  public Future<Part> part(Instant after, int max) {
    Duration shortest = rules.shortest();
    return RetentionStore.look(database, after, shortest, max).map(this::part);
  }

  private Part part(List<Candidate> page) {
    var counts = new TreeMap<String, Map<WorkflowStatus, Long>>();
    for (var instance : page) {
      if (rules.isOver(instance)) {
        counts
            .computeIfAbsent(instance.definitionId(), _ -> new TreeMap<>())
            .merge(instance.status(), 1L, Long::sum);
      }
    }
    var list = new ArrayList<Count>();
    counts.forEach((definition, statuses) ->
        statuses.forEach((status, count) -> list.add(new Count(definition, status, count))));
    return new Part(page.size(), list, page.isEmpty() ? null : page.getLast().createdAt());
  }
}
