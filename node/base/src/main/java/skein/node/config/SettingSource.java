package skein.node.config;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A place where settings are written.
 *
 * @param own what is written there
 * @param meant what a connection string that is written there says of other settings
 */
record SettingSource(Function<String, @Nullable Setting> own, Map<String, Setting> meant) {
  SettingSource(Function<String, @Nullable Setting> own) {
    this(own, new HashMap<>());
  }

  @Nullable Setting get(String key) {
    var setting = own.apply(key);
    boolean nothing = setting == null || setting.text().isBlank();
    return nothing && meant.containsKey(key) ? meant.get(key) : setting;
  }

  /** {@code connection}: the key of the connection string, which says this of other settings. */
  void mean(String connection, Map<String, String> settings) {
    var written = own.apply(connection);
    var origin = written == null ? connection : connection + ", " + written.origin();
    settings.forEach((key, text) -> meant.put(key, new Setting(text, origin)));
  }
}
