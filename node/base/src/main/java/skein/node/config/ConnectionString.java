package skein.node.config;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where the database is, read from {@code postgresql://user:password@host:port/name?sslmode=…}
 * (also with {@code jdbc:} before it) or from {@code Server=…;Database=…;User Id=…;Password=…}, and
 * what else is written there.
 *
 * @param hosts in the order in which they are tried; one or more
 * @param settings by key, what the options mean
 * @param notes a sentence for each option that has no effect
 */
record ConnectionString(
    List<HostPort> hosts,
    String database,
    DatabaseTls tls,
    Map<String, String> settings,
    List<String> notes) {
  private static final Pattern URL =
      Pattern.compile(
          "(?:jdbc:)?postgres(?:ql)?://(?:(?<user>[^/@?]*)@)?(?<hosts>[^/?]*)"
              + "(?:/(?<name>[^?]*))?(?:\\?(?<options>.*))?");
  private static final Pattern HOST =
      Pattern.compile("(?<host>\\[[^]]+]|[^:\\[\\]]+)(?::(?<port>\\d{1,5}))?");
  private static final Pattern PAIR =
      Pattern.compile("\\s*([^=;]+?)\\s*=\\s*(\"[^\"]*\"|'[^']*'|[^;]*?)\\s*(;|$)");
  private static final String WANTED =
      "must be like postgresql://host:5432/elsa or Server=host;Database=elsa;User Id=elsa";
  private static final String HOST_OPTION = "host";
  private static final String PORT_OPTION = "port";
  private static final String PORT = "5432";

  /** Throws {@code IllegalArgumentException} without repeating the text, which may hold secrets. */
  static ConnectionString parse(String text) {
    var url = URL.matcher(text);
    if (url.matches()) {
      var options = options(url.group("options"));
      var userInfo = url.group("user") == null ? "" : url.group("user");
      int colon = userInfo.indexOf(':');
      putUnlessEmpty(
          options, "database.user", decoded(colon < 0 ? userInfo : userInfo.substring(0, colon)));
      putUnlessEmpty(
          options, "database.password", colon < 0 ? "" : decoded(userInfo.substring(colon + 1)));
      putUnlessEmpty(options, HOST_OPTION, url.group("hosts"));
      putUnlessEmpty(
          options, "database", url.group("name") == null ? "" : decoded(url.group("name")));
      return of(options);
    }
    if (text.contains("=") && !text.contains("://")) {
      return of(pairs(text));
    }
    throw new IllegalArgumentException(WANTED);
  }

  private static void putUnlessEmpty(Map<String, String> options, String name, String value) {
    if (!value.isEmpty()) {
      options.put(name, value);
    }
  }

  private static Map<String, String> options(@Nullable String query) {
    var options = new LinkedHashMap<String, String>();
    for (var option : query == null ? new String[0] : query.split("&")) {
      int equals = option.indexOf('=');
      if (equals > 0) {
        options.put(
            ConnectionOption.canonical(decoded(option.substring(0, equals))),
            decoded(option.substring(equals + 1)));
      }
    }
    return options;
  }

  private static Map<String, String> pairs(String text) {
    var options = new LinkedHashMap<String, String>();
    var pair = PAIR.matcher(text);
    int end = 0;
    while (pair.find() && pair.start() == end && end < text.length()) {
      options.put(
          ConnectionOption.canonical(pair.group(1)),
          pair.group(2).replaceAll("^([\"'])(.*)\\1$", "$2"));
      end = pair.end();
    }
    if (end < text.length()) {
      throw new IllegalArgumentException(WANTED);
    }
    return options;
  }

  private static ConnectionString of(Map<String, String> options) {
    var notes = new ArrayList<String>();
    var settings = new LinkedHashMap<String, String>();
    var address = new LinkedHashMap<String, String>();
    options.forEach((name, value) -> {
      var option = ConnectionOption.of(name);
      if (option == null) {
        notes.add(name + " has no effect");
      } else if (option.key().isEmpty()) {
        address.put(name, value);
      } else if (option.isWithoutLimit(value)) {
        notes.add(name + "=" + value + " has no effect: " + option.key() + " is always limited");
      } else {
        settings.putIfAbsent(option.key(), option.setting(value));
      }
    });
    requirePrimary(address.getOrDefault("targetsessionattributes", "primary"));
    var hosts = address.get(HOST_OPTION);
    if (hosts == null) {
      throw new IllegalArgumentException(WANTED);
    }
    var database = address.getOrDefault("database", "");
    var ssl = address.getOrDefault("ssl", "false").equalsIgnoreCase("true");
    return new ConnectionString(
        hosts(hosts, address.getOrDefault(PORT_OPTION, PORT)),
        database.isEmpty() ? "elsa" : database,
        new DatabaseTls(
            sslMode(address.getOrDefault("sslmode", ssl ? "verify-full" : "disable")),
            readable(address.getOrDefault("sslrootcert", ""))),
        Map.copyOf(settings),
        List.copyOf(notes));
  }

  /** A list of ports belongs to the hosts in their order, one port to all of them. */
  private static List<HostPort> hosts(String hosts, String ports) {
    var each = hosts.split(",", -1);
    var port = ports.split(",", -1);
    if (port.length != 1 && port.length != each.length) {
      throw new IllegalArgumentException("must have one port, or one for each host");
    }
    var list = new ArrayList<HostPort>();
    for (int i = 0; i < each.length; i++) {
      list.add(host(each[i].strip(), port[port.length == 1 ? 0 : i].strip()));
    }
    return List.copyOf(list);
  }

  private static HostPort host(String text, String portIfAbsent) {
    boolean address6 = text.indexOf(':') != text.lastIndexOf(':') && !text.startsWith("[");
    var host = HOST.matcher(address6 ? "[" + text + "]" : text);
    if (!host.matches()) {
      throw new IllegalArgumentException(WANTED);
    }
    var port = host.group("port") == null ? portIfAbsent : host.group("port");
    try {
      return new HostPort(
          decoded(host.group("host").replaceAll("[\\[\\]]", "")), Integer.parseInt(port));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("must have a port of 1 to 65535", e);
    }
  }

  /** Nodes write, so whichever server is preferred must be the primary. */
  private static void requirePrimary(String target) {
    var known = List.of("any", "primary", "readwrite", "preferprimary", "master");
    if (!known.contains(target.toLowerCase(Locale.ROOT).replaceAll("[-_ ]", ""))) {
      throw new IllegalArgumentException(
          "asks for a server that is not the primary: its target session attributes must be"
              + " primary, read-write or any");
    }
  }

  private static String sslMode(String text) {
    var mode = text.toLowerCase(Locale.ROOT).replace("verifyfull", "verify-full");
    mode = mode.replace("verifyca", "verify-ca");
    if (!Arrays.asList("disable", "allow", "prefer", "require", "verify-ca", "verify-full")
        .contains(mode)) {
      throw new IllegalArgumentException("has an unknown sslmode");
    }
    return mode;
  }

  private static String readable(String certificate) {
    if (!certificate.isEmpty() && !Files.isReadable(Path.of(certificate))) {
      throw new IllegalArgumentException("names an sslrootcert that cannot be read");
    }
    return certificate;
  }

  /** Without the settings: the password is among them. */
  @Override
  public String toString() {
    return "ConnectionString[hosts=" + hosts + ", database=" + database + ", tls=" + tls + "]";
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
  }
}
