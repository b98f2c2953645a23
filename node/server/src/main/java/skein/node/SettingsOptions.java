package skein.node;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Option;
import skein.node.config.Settings;

/** The options of every command that reads the configuration. */
final class SettingsOptions {
  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "Settings in YAML; conf/skein.yaml has all of them.")
  private @Nullable Path file;

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "One setting, as http.port=8080; may be repeated; wins over all else.")
  private Map<String, String> flags = new LinkedHashMap<>();

  Settings settings() {
    return settings(Map.of());
  }

  /** {@code more}: settings that an option of the command stands for. */
  Settings settings(Map<String, String> more) {
    var all = new LinkedHashMap<>(more);
    all.putAll(flags);
    return new Settings(file, System.getenv(), all);
  }

  /** Settings without effect; to be called when the log is open. */
  static void logNotes(Settings settings) {
    var log = LoggerFactory.getLogger(SettingsOptions.class);
    settings.notes().forEach(note -> log.atInfo().addKeyValue("note", note).log("config.note"));
  }

  @Nullable Path file() {
    return file;
  }

  Map<String, String> flags() {
    return flags;
  }
}
