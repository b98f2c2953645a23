package skein.activities;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The tokens of one flowchart execution by the connection they lie on, kept in its memory. A token
 * lies there until the activity that the connection leads to has completed. A connection is blocked
 * while the next token on it comes too late.
 */
final class FlowTokens {
  static final String TOKENS = "tokens";
  static final String BLOCKS = "blocks";

  private final Map<String, @Nullable Object> tokens;
  private final Map<String, @Nullable Object> blocks;

  FlowTokens(Map<String, @Nullable Object> memory) {
    this.tokens = part(memory, TOKENS);
    this.blocks = part(memory, BLOCKS);
  }

  private static Map<String, @Nullable Object> part(
      Map<String, @Nullable Object> memory, String name) {
    var stored = Json.object(memory.get(name));
    if (stored != null) {
      return stored;
    }
    var empty = new LinkedHashMap<String, @Nullable Object>();
    memory.put(name, empty);
    return empty;
  }

  private static String key(Connection connection) {
    return Integer.toString(connection.index());
  }

  void put(Connection connection) {
    tokens.put(key(connection), true);
  }

  boolean isOn(Connection connection) {
    return tokens.containsKey(key(connection));
  }

  void take(Connection connection) {
    tokens.remove(key(connection));
  }

  boolean none() {
    return tokens.isEmpty();
  }

  void block(Connection connection) {
    blocks.put(key(connection), true);
  }

  /** False when it was not blocked. */
  boolean unblock(Connection connection) {
    return blocks.remove(key(connection)) != null;
  }

  /** Indexes of the connections that hold one, in file order. */
  List<Integer> held() {
    return tokens.keySet().stream().map(Integer::valueOf).sorted().toList();
  }
}
