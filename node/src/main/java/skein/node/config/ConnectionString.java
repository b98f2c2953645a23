package skein.node.config;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where the database is, read from {@code postgresql://user:password@host:port/name?sslmode=…}
 * (also with {@code jdbc:} before it) or from {@code Server=…;Database=…;User Id=…;Password=…}.
 * User and password are empty when absent; {@code ignored} names the options that have no effect
 * here.
 */
record ConnectionString(
    String host,
    int port,
    String database,
    DatabaseTls tls,
    String user,
    Secret password,
    List<String> ignored) {
  private static final Pattern URL =
      Pattern.compile(
          "(?:jdbc:)?postgres(?:ql)?://(?:(?<user>[^/@?]*)@)?(?<host>\\[[^]]+]|[^:/?]+)"
              + "(?::(?<port>\\d{1,5}))?(?:/(?<name>[^?]*))?(?:\\?(?<options>.*))?");
  private static final Pattern PAIR =
      Pattern.compile("\\s*([^=;]+?)\\s*=\\s*(\"[^\"]*\"|'[^']*'|[^;]*?)\\s*(;|$)");
  private static final String WANTED =
      "must be like postgresql://host:5432/elsa or Server=host;Database=elsa;User Id=elsa";

  /** Throws {@code IllegalArgumentException} without repeating the text, which may hold secrets. */
  static ConnectionString parse(String text) {
    var url = URL.matcher(text);
    if (url.matches()) {
      var options = options(url.group("options"));
      var userInfo = url.group("user") == null ? "" : url.group("user");
      int colon = userInfo.indexOf(':');
      options.putIfAbsent("user", decoded(colon < 0 ? userInfo : userInfo.substring(0, colon)));
      options.putIfAbsent("password", colon < 0 ? "" : decoded(userInfo.substring(colon + 1)));
      options.put("host", url.group("host").replaceAll("[\\[\\]]", ""));
      options.put("port", url.group("port") == null ? "5432" : url.group("port"));
      options.put("database", url.group("name") == null ? "" : decoded(url.group("name")));
      return of(options);
    }
    if (text.contains("=") && !text.contains("://")) {
      return of(pairs(text));
    }
    throw new IllegalArgumentException(WANTED);
  }

  private static Map<String, String> options(@Nullable String query) {
    var options = new LinkedHashMap<String, String>();
    for (var option : query == null ? new String[0] : query.split("&")) {
      int equals = option.indexOf('=');
      if (equals > 0) {
        options.put(
            canonical(decoded(option.substring(0, equals))), decoded(option.substring(equals + 1)));
      }
    }
    return options;
  }

  private static Map<String, String> pairs(String text) {
    var options = new LinkedHashMap<String, String>();
    var pair = PAIR.matcher(text);
    int end = 0;
    while (pair.find() && pair.start() == end && end < text.length()) {
      options.put(canonical(pair.group(1)), pair.group(2).replaceAll("^([\"'])(.*)\\1$", "$2"));
      end = pair.end();
    }
    if (end < text.length() || !options.containsKey("host")) {
      throw new IllegalArgumentException(WANTED);
    }
    return options;
  }

  /** The names that Npgsql takes for the same thing. */
  private static String canonical(String name) {
    return switch (name.toLowerCase(Locale.ROOT).replaceAll("[ _]", "")) {
      case "server", "host", "datasource" -> "host";
      case "port" -> "port";
      case "database", "db", "initialcatalog" -> "database";
      case "userid", "username", "user", "uid" -> "user";
      case "password", "pwd" -> "password";
      case "sslmode" -> "sslmode";
      case "sslrootcert", "rootcertificate" -> "sslrootcert";
      default -> name;
    };
  }

  private static ConnectionString of(Map<String, String> options) {
    var known = List.of("host", "port", "database", "user", "password", "sslmode", "sslrootcert");
    var ignored = new ArrayList<>(options.keySet());
    ignored.removeAll(known);
    var host = options.getOrDefault("host", "");
    var database = options.getOrDefault("database", "");
    return new ConnectionString(
        host,
        port(options.getOrDefault("port", "5432")),
        database.isEmpty() ? "elsa" : database,
        new DatabaseTls(
            sslMode(options.getOrDefault("sslmode", "disable")),
            readable(options.getOrDefault("sslrootcert", ""))),
        options.getOrDefault("user", ""),
        new Secret(options.getOrDefault("password", "")),
        List.copyOf(ignored));
  }

  private static int port(String text) {
    try {
      return new HostPort("database", Integer.parseInt(text)).port();
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("must have a port of 1 to 65535", e);
    }
  }

  private static String sslMode(String text) {
    var mode = text.toLowerCase(Locale.ROOT).replace("verifyfull", "verify-full");
    mode = mode.replace("verifyca", "verify-ca");
    if (!List.of("disable", "allow", "prefer", "require", "verify-ca", "verify-full")
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

  private static String decoded(String text) {
    return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
  }
}
