package skein.node;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import skein.node.config.DatabaseConfig;
import skein.node.config.HostPort;
import skein.node.config.NodeConfig;
import skein.node.config.NodeConfig.Role;
import skein.node.config.SecurityConfig.Mode;

/** Settings that an operator should change, though the node works; each is a line at its start. */
final class StartWarnings {
  static final String EXIT_FLAG = "ExitOnOutOfMemoryError";
  private static final String CRASH_FLAG = "CrashOnOutOfMemoryError";
  private static final Logger log = LoggerFactory.getLogger(StartWarnings.class);

  /** Modes that end in plain text when the server, or who speaks for it, wants that. */
  private static final Set<String> PLAIN = Set.of("disable", "allow", "prefer");

  private static final Pattern MODE = Pattern.compile("(?i)[?&]sslmode=([^&]*)");

  private StartWarnings() {}

  /** {@code facts} are in the order in which they are logged; the last is the cure. */
  record Warning(String event, Map<String, String> facts) {
    private static Warning of(String event, String... facts) {
      var map = new LinkedHashMap<String, String>();
      for (int i = 0; i < facts.length; i += 2) {
        map.put(facts[i], facts[i + 1]);
      }
      return new Warning(event, map);
    }
  }

  static void log(NodeConfig config) {
    for (var warning : all(config, StartWarnings::flagOfTheJvm)) {
      var line = log.atWarn();
      for (var fact : warning.facts.entrySet()) {
        line = line.addKeyValue(fact.getKey(), fact.getValue());
      }
      line.log(warning.event);
    }
  }

  /** {@code flags}: the value of a flag of the JVM; null: it has none of that name. */
  static List<Warning> all(NodeConfig config, Function<String, @Nullable String> flags) {
    var warnings = new ArrayList<Warning>();
    addDatabase(config.database(), warnings);
    addDataSources(config, warnings);
    var http = config.http();
    if (config.node().has(Role.HTTP)
        && config.security().mode() != Mode.AUTHENTICATED
        && !Loopback.isOnly(http.host())) {
      int port = http.portOptions().apiPort() == 0 ? http.port() : http.portOptions().apiPort();
      warnings.add(
          Warning.of(
              "http.open",
              "address",
              http.host() + ":" + port,
              "cure",
              "the API is open to every client that reaches this address: set security.mode to"
                  + " authenticated, or http.host to 127.0.0.1, or let only a proxy that knows"
                  + " its users reach it"));
    }
    addProviders(config, warnings);
    // where both are unknown the JVM is another one, of which nothing is known
    if ("false".equals(flags.apply(EXIT_FLAG)) && !"true".equals(flags.apply(CRASH_FLAG))) {
      warnings.add(
          Warning.of(
              "jvm.staysWithoutMemory",
              "cure",
              "after an OutOfMemoryError the node would continue with some of its threads dead:"
                  + " start java with -XX:+"
                  + EXIT_FLAG
                  + " (on the command line or in JAVA_TOOL_OPTIONS), as node/skein does"));
    }
    return warnings;
  }

  /** With one provider there is nothing to be confused: all tenants are its own. */
  private static void addProviders(NodeConfig config, List<Warning> warnings) {
    var security = config.security();
    var tenancy = config.tenancy();
    if (security.mode() != Mode.AUTHENTICATED
        || !tenancy.enabled()
        || tenancy.claim().isEmpty()
        || security.providers().size() < 2) {
      return;
    }
    for (var provider : security.providers()) {
      if (provider.claims().tenants().isEmpty()) {
        warnings.add(
            Warning.of(
                "tenancy.providerUnbound",
                "issuer",
                provider.issuer(),
                "cure",
                "its tokens may name the tenant of any other provider: list its own in "
                    + provider.setting("tenants")));
      }
    }
  }

  private static void addDatabase(DatabaseConfig database, List<Warning> warnings) {
    var mode = database.tls().mode();
    if (!PLAIN.contains(mode)) {
      return;
    }
    database.hosts().stream()
        .map(HostPort::host)
        .filter(host -> !Loopback.isOnly(host))
        .findFirst()
        .ifPresent(host -> warnings.add(unencrypted("database.url", host, mode)));
  }

  private static void addDataSources(NodeConfig config, List<Warning> warnings) {
    config
        .work()
        .sql()
        .sources()
        .forEach((name, source) -> {
          var url = source.url().value();
          if (!url.toLowerCase(Locale.ROOT).startsWith("postgres")) {
            return;
          }
          var written = MODE.matcher(url);
          var mode = written.find() ? written.group(1).toLowerCase(Locale.ROOT) : "disable";
          var host = host(url);
          if (PLAIN.contains(mode) && host != null && !Loopback.isOnly(host)) {
            warnings.add(unencrypted("data-sources." + name + ".url", host, mode));
          }
        });
  }

  /** Null when it is unknown. */
  private static @Nullable String host(String url) {
    try {
      return URI.create(url).getHost();
    } catch (IllegalArgumentException _) {
      return null;
    }
  }

  private static Warning unencrypted(String setting, String host, String mode) {
    return Warning.of(
        "database.unencrypted",
        "host",
        host,
        "sslmode",
        mode,
        "cure",
        "what is sent between here and there can be read and changed on the way: add"
            + " sslmode=verify-full to "
            + setting);
  }

  private static @Nullable String flagOfTheJvm(String name) {
    try {
      var bean = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
      return bean == null ? null : bean.getVMOption(name).getValue();
    } catch (IllegalArgumentException _) {
      return null;
    }
  }
}
