package skein.burst;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.activities.Json;

/**
 * Stimuli that an instance has published to itself before an activity waited for them.
 *
 * <p>Kept with the root's memory for ten minutes, as long as Elsa keeps them, and 100 at most; the
 * oldest give way.
 */
final class LocalStimuli {
  private static final String KEY = "$local";
  private static final Duration KEPT = Duration.ofMinutes(10);
  private static final int KEPT_MAX = 100;

  private final Instant now;
  private final List<Kept> kept = new ArrayList<>();

  private record Kept(String hash, Map<String, @Nullable Object> input, Instant at) {}

  LocalStimuli(@Nullable Execution root, Instant now) {
    this.now = now;
    for (var item : Json.list(root == null ? null : root.memory.get(KEY))) {
      var stored = Json.object(item);
      var hash = stored == null ? null : Json.text(stored, "hash");
      var input = stored == null ? null : Json.object(stored.get("input"));
      var at = stored == null ? null : Json.text(stored, "at");
      if (hash != null && input != null && at != null) {
        kept.add(new Kept(hash, input, Instant.parse(at)));
      }
    }
    kept.removeIf(stimulus -> !isKept(stimulus.at, now));
  }

  /** Whether one that was published at an instant is kept at a later one, unless it was taken. */
  static boolean isKept(Instant at, Instant now) {
    return !at.plus(KEPT).isBefore(now);
  }

  void keep(String hash, Map<String, @Nullable Object> input) {
    if (kept.size() == KEPT_MAX) {
      kept.removeFirst();
    }
    kept.add(new Kept(hash, input, now));
  }

  /** The stimuli that are kept, the oldest first. */
  List<?> inputs() {
    return kept.stream().map(Kept::input).toList();
  }

  /** The oldest with that hash, which is then gone. */
  @Nullable Map<String, @Nullable Object> take(String hash) {
    for (var i = 0; i < kept.size(); i++) {
      if (kept.get(i).hash.equals(hash)) {
        return kept.remove(i).input;
      }
    }
    return null;
  }

  void store(@Nullable Execution root) {
    if (root == null) {
      return;
    }
    if (kept.isEmpty()) {
      root.memory.remove(KEY);
      return;
    }
    root.memory.put(
        KEY,
        kept.stream()
            .map(s -> Map.of("hash", s.hash, "input", s.input, "at", s.at.toString()))
            .toList());
  }
}
