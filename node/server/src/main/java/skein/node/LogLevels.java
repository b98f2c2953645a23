package skein.node;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import skein.cluster.Inquiries;
import skein.model.ErrorCode;
import skein.model.SkeinException;
import skein.node.config.LogLevel;
import skein.node.config.LogNames;
import skein.node.logging.Logging;

/**
 * Shows the log levels of this node and changes them while it runs, for a time or until the process
 * ends. Thread-safe.
 */
final class LogLevels implements Inquiries.Answerer {
  private static final Logger log = LoggerFactory.getLogger(LogLevels.class);
  private static final long NO_TIMER = -1;

  private final Vertx vertx;
  private final String nodeId;
  private final String nodeName;
  private final Map<String, Change> changes = new HashMap<>();

  /**
   * A level that is not that of the configuration.
   *
   * @param before the level of the configuration; empty: the logger has none of its own
   * @param endsAt by {@link System#nanoTime}; without meaning where there is no timer
   */
  private record Change(Optional<LogLevel> before, long timer, long endsAt) {}

  LogLevels(Vertx vertx, String nodeId, String nodeName) {
    this.vertx = vertx;
    this.nodeId = nodeId;
    this.nodeName = nodeName;
  }

  @Override
  public Future<JsonObject> answer(JsonObject question) {
    var logger = question.getString("logger");
    if (logger != null && isMeant(question.getString("node"))) {
      change(logger, question.getString("level", ""), question.getLong("seconds"));
    }
    return Future.succeededFuture(show());
  }

  private boolean isMeant(@Nullable String node) {
    return node == null || node.equals(nodeId) || node.equals(nodeName);
  }

  private synchronized void change(String name, String text, @Nullable Long seconds) {
    var logger = LogNames.logger(name);
    if (logger == null) {
      throw invalid(
          "logger is \""
              + name
              + "\": it must be default, skein, com.hazelcast, io.vertx, io.netty, one below them,"
              + " or a category of Elsa or Quartz");
    }
    boolean resets = text.equalsIgnoreCase(LogNames.DEFAULT);
    var level = LogNames.level(text);
    if (level == null && !resets) {
      throw invalid(
          "level is \""
              + text
              + "\": it must be trace, debug, info, warn, error, off, or default for the"
              + " configured one");
    }
    var earlier = changes.remove(logger);
    if (earlier != null && earlier.timer() != NO_TIMER) {
      vertx.cancelTimer(earlier.timer());
    }
    var before =
        earlier == null ? Optional.ofNullable(Logging.levels().get(logger)) : earlier.before();
    if (level == null) {
      set(logger, before.orElse(null), null);
      return;
    }
    var time = seconds == null ? Duration.ZERO : Duration.ofSeconds(seconds);
    long timer =
        seconds == null ? NO_TIMER : vertx.setTimer(time.toMillis(), id -> end(logger, id));
    changes.put(logger, new Change(before, timer, System.nanoTime() + time.toNanos()));
    set(logger, level, seconds);
  }

  private static SkeinException invalid(String sentence) {
    return new SkeinException(ErrorCode.INVALID_REQUEST, sentence);
  }

  private synchronized void end(String logger, long timer) {
    var change = changes.get(logger);
    if (change != null && change.timer() == timer) {
      changes.remove(logger);
      set(logger, change.before().orElse(null), null);
    }
  }

  /** Said before a level that would hide it, and after all others. */
  private static void set(String logger, @Nullable LogLevel level, @Nullable Long seconds) {
    boolean hides = level != null && level.compareTo(LogLevel.INFO) > 0;
    if (hides) {
      say(logger, level, seconds);
    }
    Logging.change(logger, level);
    if (!hides) {
      say(logger, level, seconds);
    }
  }

  private static void say(String logger, @Nullable LogLevel level, @Nullable Long seconds) {
    var line = log.atInfo().addKeyValue("logger", logger).addKeyValue("level", nameOf(level));
    if (seconds != null) {
      line = line.addKeyValue("seconds", seconds);
    }
    line.log("logging.levelChanged");
  }

  private static String nameOf(@Nullable LogLevel level) {
    return level == null ? "inherited" : level.name().toLowerCase(Locale.ROOT);
  }

  private synchronized JsonObject show() {
    long now = System.nanoTime();
    var levels = new JsonArray();
    Logging.levels()
        .forEach((logger, level) -> {
          var json = new JsonObject().put("logger", logger).put("level", nameOf(level));
          var change = changes.get(logger);
          if (change != null) {
            json.put("configured", change.before().map(LogLevels::nameOf).orElse("inherited"));
          }
          if (change != null && change.timer() != NO_TIMER) {
            json.put("endsInMs", Math.max(0, (change.endsAt() - now) / 1_000_000));
          }
          levels.add(json);
        });
    return new JsonObject().put("levels", levels);
  }
}
