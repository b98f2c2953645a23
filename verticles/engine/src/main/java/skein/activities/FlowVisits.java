package skein.activities;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How often the activities and connections of one flowchart execution were visited; kept in its
 * memory. A connection's count is negative while its last visit did not follow it.
 */
final class FlowVisits {
  static final String ACTIVITIES = "activities";
  static final String CONNECTIONS = "connections";

  private final Map<String, @Nullable Object> activities;
  private final Map<String, @Nullable Object> connections;

  FlowVisits(Map<String, @Nullable Object> memory) {
    this.activities = counts(memory, ACTIVITIES);
    this.connections = counts(memory, CONNECTIONS);
  }

  private static Map<String, @Nullable Object> counts(
      Map<String, @Nullable Object> memory, String name) {
    var stored = Json.object(memory.get(name));
    if (stored != null) {
      return stored;
    }
    var empty = new LinkedHashMap<String, @Nullable Object>();
    memory.put(name, empty);
    return empty;
  }

  private static long count(Map<String, @Nullable Object> counts, String key) {
    return counts.get(key) instanceof Number number ? number.longValue() : 0;
  }

  private long count(Connection connection) {
    return count(connections, Integer.toString(connection.index()));
  }

  void visit(String activityId) {
    activities.put(activityId, count(activities, activityId) + 1);
  }

  void visit(Connection connection, boolean followed) {
    var next = Math.abs(count(connection)) + 1;
    connections.put(Integer.toString(connection.index()), followed ? next : -next);
  }

  /** Whether each was visited again since the activity it leads to was. */
  boolean allDecided(Collection<Connection> inbound, String activityId) {
    var visits = count(activities, activityId);
    return inbound.stream().allMatch(connection -> Math.abs(count(connection)) > visits);
  }

  boolean allFollowed(Collection<Connection> inbound, String activityId) {
    var visits = count(activities, activityId);
    return inbound.stream().allMatch(connection -> count(connection) > visits);
  }

  boolean anyFollowed(Collection<Connection> inbound, String activityId) {
    var visits = count(activities, activityId);
    return inbound.stream().anyMatch(connection -> count(connection) > visits);
  }

  /** Whether the activity it leads to has run since without waiting for it. */
  boolean isLate(Connection connection) {
    return Math.abs(count(connection)) <= count(activities, connection.target().id());
  }
}
