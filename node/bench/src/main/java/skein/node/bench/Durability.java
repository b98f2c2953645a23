package skein.node.bench;

import io.vertx.core.json.JsonObject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Whether a database keeps what it has confirmed: without that, its limit has no meaning. */
final class Durability {
  private static final List<String> MUST_BE_ON =
      List.of("fsync", "full_page_writes", "synchronous_commit");

  /** Stronger than on. */
  private static final List<String> GOOD = List.of("on", "remote_write", "remote_apply");

  private Durability() {}

  /** Null when it does; else what is wrong, as a sentence. {@code settings}: by name. */
  static @Nullable String lost(JsonObject settings) {
    for (var name : MUST_BE_ON) {
      var value = settings.getString(name);
      if (value == null || !GOOD.contains(value)) {
        return name + " is " + value + ": the database may forget what it has confirmed";
      }
    }
    return null;
  }
}
