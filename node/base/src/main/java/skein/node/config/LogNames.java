package skein.node.config;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Loggers and levels under our names, and under those of Elsa and .NET. */
public final class LogNames {
  /** All loggers that have no level of their own. */
  public static final String DEFAULT = "default";

  private LogNames() {}

  /** Our level for one of .NET, or of ours in any letter case; null: it is not a level. */
  public static @Nullable LogLevel level(String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "trace" -> LogLevel.TRACE;
      case "debug" -> LogLevel.DEBUG;
      case "information", "info" -> LogLevel.INFO;
      case "warning", "warn" -> LogLevel.WARN;
      case "error", "critical" -> LogLevel.ERROR;
      case "none", "off" -> LogLevel.OFF;
      default -> null;
    };
  }

  /**
   * The logger that says here what a category of Elsa's says there; null: there is none.
   *
   * @param category with dots, or with underscores as in the environment; in any case
   */
  static @Nullable String ofElsa(String category) {
    var upper = category.toUpperCase(Locale.ROOT).replace('.', '_');
    if (upper.equals("DEFAULT")) {
      return DEFAULT;
    }
    if (upper.startsWith("ELSA_WORKFLOWS_RUNTIME")) {
      return "skein.execution";
    }
    if (upper.startsWith("ELSA_SCHEDULING") || upper.startsWith("QUARTZ")) {
      return "skein.timers";
    }
    return upper.startsWith("ELSA") ? "skein" : null;
  }

  /** The logger with this name of ours, or of Elsa's; null: there is none. */
  public static @Nullable String logger(String name) {
    var ofElsa = ofElsa(name);
    if (ofElsa != null) {
      return ofElsa;
    }
    boolean ours = name.matches("(skein|com\\.hazelcast|io\\.vertx|io\\.netty)([.$][\\w$.]+)?");
    return ours && name.length() <= 200 ? name : null;
  }
}
