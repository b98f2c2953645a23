package skein.node.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * The environment variables of the Elsa clustering guide. Those that mean something here become
 * settings; those that configure what this server does not need are named in a note.
 */
final class GuideNames {
  private static final String LOG_LEVEL = "LOGGING__LOGLEVEL__";

  /** Settings of .NET, Redis, RabbitMQ and Quartz, none of which is here. */
  private static final Map<String, String> NOT_NEEDED =
      Map.of(
          "CONNECTIONSTRINGS__REDIS", "locks need no Redis",
          "REDIS__CONNECTIONSTRING", "locks need no Redis",
          "RABBITMQ__CONNECTIONSTRING", "nodes talk without RabbitMQ",
          "QUARTZ__CLUSTERED", "timers are always clustered",
          "QUARTZ__INSTANCENAME", "timers need no name; see cluster.name",
          "QUARTZ__SCHEDULER_INSTANCEID", "node ids are made at start; see node.name",
          "ASPNETCORE_ENVIRONMENT", "there is one environment; see logging.level");

  private final Map<String, Setting> settings = new LinkedHashMap<>();
  private final List<String> notes = new ArrayList<>();
  private final List<String> problems;

  private GuideNames(List<String> problems) {
    this.problems = problems;
  }

  static GuideNames read(Map<String, String> environment, List<String> problems) {
    var names = new GuideNames(problems);
    new TreeMap<>(environment)
        .forEach((name, value) -> names.take(name, name.toUpperCase(Locale.ROOT), value.strip()));
    return names;
  }

  Map<String, Setting> settings() {
    return settings;
  }

  List<String> notes() {
    return notes;
  }

  private void take(String name, String upper, String value) {
    if (upper.startsWith(LOG_LEVEL)) {
      takeLevel(name, upper.substring(LOG_LEVEL.length()), value);
      return;
    }
    var notNeeded = NOT_NEEDED.get(upper);
    if (notNeeded != null) {
      notes.add(name + " has no effect: " + notNeeded);
      return;
    }
    switch (upper) {
      case "CONNECTIONSTRINGS__POSTGRESQL" -> put("database.url", value, name);
      case "ELSA__LOCKING__PROVIDER" -> takeLocking(name, value);
      case "ELSA__LOCKING__EXPIRY_SECONDS" -> put("execution.lock-expiry", value + "s", name);
      case "ELSA__RUNTIME__TYPE" -> {
        if (!value.equalsIgnoreCase("Distributed")) {
          notes.add(name + "=" + value + " has no effect: the runtime is always distributed");
        }
      }
      case "HTTP__BASEURL" -> put("http.base-url", value, name);
      default -> {}
    }
  }

  private void takeLocking(String name, String value) {
    switch (value.toLowerCase(Locale.ROOT)) {
      case "none" -> put("cluster.locks", "none", name);
      case "hazelcast" -> put("cluster.locks", "hazelcast", name);
      default -> {
        put("cluster.locks", "hazelcast", name);
        notes.add(name + "=" + value + ": locks are Hazelcast's, inside the nodes");
      }
    }
  }

  private void takeLevel(String name, String logger, String value) {
    var level =
        switch (value.toLowerCase(Locale.ROOT)) {
          case "trace" -> "trace";
          case "debug" -> "debug";
          case "information", "info" -> "info";
          case "warning", "warn" -> "warn";
          case "error", "critical" -> "error";
          case "none" -> "off";
          default -> "";
        };
    if (level.isEmpty()) {
      problems.add(
          name
              + ": \""
              + value
              + "\" must be one of Trace, Debug, Information, Warning, Error, Critical, None"
              + " (environment)");
      return;
    }
    var ours = loggerOf(logger);
    if (ours.isEmpty()) {
      notes.add(name + " has no effect: there is no such logger");
      return;
    }
    put(ours.equals("default") ? "logging.level" : "logging.levels." + ours, level, name);
  }

  private static String loggerOf(String logger) {
    if (logger.equals("DEFAULT")) {
      return "default";
    }
    if (logger.startsWith("ELSA_WORKFLOWS_RUNTIME")) {
      return "skein.execution";
    }
    if (logger.startsWith("ELSA_SCHEDULING") || logger.startsWith("QUARTZ")) {
      return "skein.timers";
    }
    return logger.startsWith("ELSA") ? "skein" : "";
  }

  private void put(String key, String text, String name) {
    settings.put(key, new Setting(text, "environment " + name));
  }
}
