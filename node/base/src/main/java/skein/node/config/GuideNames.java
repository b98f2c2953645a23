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
  private static final String LOG_LEVEL_OF_FILE = "Logging.LogLevel.";

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
      case "ELSA__RUNTIME__TYPE" -> takeRuntime(name, value);
      case "HTTP__BASEURL" -> put("http.base-url", value, name);
      default -> {}
    }
  }

  /** The runtime is always distributed; this only says that there are several nodes. */
  private void takeRuntime(String name, String value) {
    if (value.equalsIgnoreCase("distributed")) {
      put("cluster.discovery", "database", name);
    } else {
      notes.add(name + " has no effect: the runtime is always distributed");
    }
  }

  private void takeLocking(String name, String value) {
    switch (value.toLowerCase(Locale.ROOT)) {
      case "none" -> put("cluster.locks", "none", name);
      case "hazelcast" -> put("cluster.locks", "hazelcast", name);
      case "postgresql", "postgres" -> put("cluster.locks", "postgresql", name);
      case "redis", "sqlserver", "mysql", "azure", "azureblob" -> {
        put("cluster.locks", "hazelcast", name);
        notes.add(name + "=" + value + ": locks are Hazelcast's, inside the nodes");
      }
      default ->
          problems.add(
              name
                  + ": \""
                  + value
                  + "\" is not a provider of locks: Hazelcast, PostgreSQL, or None (environment)");
    }
  }

  private void takeLevel(String name, String logger, String value) {
    takeLevel(name, logger, value, "environment " + name, settings);
  }

  private void takeLevel(
      String name, String category, String value, String origin, Map<String, Setting> into) {
    var level = LogNames.level(value);
    if (level == null) {
      problems.add(
          name
              + ": \""
              + value
              + "\" must be one of Trace, Debug, Information, Warning, Error, Critical, None ("
              + origin
              + ")");
      return;
    }
    var ours = LogNames.ofElsa(category);
    if (ours == null) {
      notes.add(name + " has no effect: there is no such logger");
      return;
    }
    var key = ours.equals(LogNames.DEFAULT) ? "logging.level" : "logging.levels." + ours;
    into.merge(
        key,
        new Setting(level.name().toLowerCase(Locale.ROOT), origin),
        (before, now) -> moreIsLogged(before, now) ? before : now);
  }

  /** Several categories are one logger here: the one that says most wins. */
  private static boolean moreIsLogged(Setting one, Setting other) {
    var first = LogNames.level(one.text());
    var second = LogNames.level(other.text());
    return first != null && second != null && first.compareTo(second) <= 0;
  }

  /**
   * Takes {@code Logging: LogLevel: {category: level}} out of a file, as {@code appsettings.json}
   * has it, and puts our settings in its place.
   */
  void takeLevelsOf(Map<String, Setting> file) {
    var levels = new LinkedHashMap<String, Setting>();
    file.keySet().stream()
        .filter(key -> key.startsWith(LOG_LEVEL_OF_FILE))
        .toList()
        .forEach(key -> {
          var setting = file.remove(key);
          if (setting != null) {
            var category = key.substring(LOG_LEVEL_OF_FILE.length());
            takeLevel(key, category, setting.text().strip(), setting.origin(), levels);
          }
        });
    levels.forEach((key, setting) -> {
      var earlier = file.putIfAbsent(key, setting);
      if (earlier != null) {
        problems.add(
            key + ": is set twice (" + earlier.origin() + " and " + setting.origin() + ")");
      }
    });
  }

  private void put(String key, String text, String name) {
    settings.put(key, new Setting(text, "environment " + name));
  }
}
