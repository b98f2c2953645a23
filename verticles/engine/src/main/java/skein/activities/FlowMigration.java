package skein.activities;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Moves what a flowchart remembers of its connections to another version of it: a connection is the
 * same when its ends and its port are. One that is new and leaves an activity that is through
 * counts as not followed, so that no join waits for it.
 */
final class FlowMigration {
  private final FlowConnections before;
  private final FlowConnections now;
  private final Map<String, String> activities;

  FlowMigration(FlowConnections before, FlowConnections now, Map<String, String> activities) {
    this.before = before;
    this.now = now;
    this.activities = activities;
  }

  void apply(Map<String, @Nullable Object> memory) {
    var visits = Json.object(memory.get(FlowVisits.ACTIVITIES));
    if (visits != null) {
      var renamed = new LinkedHashMap<String, @Nullable Object>();
      visits.forEach((id, count) -> renamed.put(renamed(id), count));
      memory.put(FlowVisits.ACTIVITIES, renamed);
    }
    for (var part : List.of(FlowVisits.CONNECTIONS, FlowTokens.TOKENS, FlowTokens.BLOCKS)) {
      var stored = Json.object(memory.get(part));
      if (stored != null) {
        memory.put(part, moved(stored));
      }
    }
    var counted = Json.object(memory.get(FlowVisits.CONNECTIONS));
    if (counted != null) {
      skipNew(Json.object(memory.get(FlowVisits.ACTIVITIES)), counted);
    }
  }

  private String renamed(String id) {
    return activities.getOrDefault(id, id);
  }

  private Map<String, @Nullable Object> moved(Map<String, @Nullable Object> byIndex) {
    var moved = new LinkedHashMap<String, @Nullable Object>();
    for (var old : before.all()) {
      var key = Integer.toString(old.index());
      if (byIndex.containsKey(key)) {
        now.all().stream()
            .filter(connection -> isSame(old, connection))
            .forEach(same -> moved.put(Integer.toString(same.index()), byIndex.get(key)));
      }
    }
    return moved;
  }

  private boolean isSame(Connection old, Connection connection) {
    return connection.source().id().equals(renamed(old.source().id()))
        && connection.target().id().equals(renamed(old.target().id()))
        && connection.port().equals(old.port());
  }

  private void skipNew(
      @Nullable Map<String, @Nullable Object> visits, Map<String, @Nullable Object> counted) {
    for (var connection : now.all()) {
      var isNew = before.all().stream().noneMatch(old -> isSame(old, connection));
      var through = visits == null ? null : visits.get(connection.source().id());
      if (isNew && through instanceof Number times) {
        counted.put(Integer.toString(connection.index()), -times.longValue());
      }
    }
  }
}
