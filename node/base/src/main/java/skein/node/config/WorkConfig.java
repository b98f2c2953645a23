package skein.node.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.work.Targets;

/** Work outside: requests to other services, mail, statements. */
public record WorkConfig(
    Duration lease, int lostMax, int inFlightMax, Http http, Sql sql, Mail mail, Folders folders) {
  private static final Duration MS = Duration.ofMillis(1);
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final int MANY = 1_000_000_000;

  /** Null: none is looked into. */
  public record Folders(@Nullable Path activities, @Nullable Path secrets) {}

  /** Requests to other services. */
  public record Http(
      Duration timeout,
      Duration connectTimeout,
      int responseBytesMax,
      int fileBytesMax,
      int redirectsMax,
      int connectionsMax,
      boolean denyPrivate,
      List<String> allowPrivate) {}

  /** Statements of definitions, by the names of their data sources. */
  public record Sql(
      Map<String, DataSource> sources,
      Duration timeout,
      int rowsMax,
      int rowsBytesMax,
      Reading reading) {}

  /** {@code largeBytes} of a result are read at once, the rest of all results at a pace. */
  public record Reading(int largeBytes, int bytesPerSecondMax) {}

  /** The URL may hold a password. */
  public record DataSource(Secret url, String user, Secret password, int poolSize) {}

  public enum MailSecurity {
    STARTTLS,
    TLS,
    NONE
  }

  /** Without a host no mail is sent. */
  public record Mail(
      String host,
      int port,
      MailSecurity security,
      String user,
      Secret password,
      String from,
      Duration timeout,
      int connectionsMax,
      int bytesMax) {}

  static WorkConfig from(Settings s) {
    return new WorkConfig(
        s.duration("work.lease", "10s", SECOND),
        s.integer("work.lost-max", "3", 1, 1000),
        s.integer("work.in-flight-max", "200", 1, MANY),
        http(s),
        sql(s),
        mail(s),
        new Folders(s.path("activities.directory"), s.path("secrets.folder")));
  }

  private static Sql sql(Settings s) {
    var timeout = s.duration("work.sql.timeout", "30s", MS);
    int rowsMax = s.integer("work.sql.rows-max", "1000", 1, MANY);
    int rowsBytesMax =
        Math.toIntExact(s.bytes("work.sql.rows-bytes-max", "4MiB", 1 << 10, 1 << 30));
    var reading =
        new Reading(
            Math.toIntExact(s.bytes("work.sql.large-rows-bytes", "256KiB", 0, 1 << 30)),
            Math.toIntExact(
                s.bytes("work.sql.large-rows-bytes-per-second", "16MiB", 1 << 10, 1 << 30)));
    var sources = new LinkedHashMap<String, DataSource>();
    for (var name : s.names("data-sources")) {
      var key = "data-sources." + name;
      var url = s.secret(key + ".url");
      s.require(
          url.value().matches("(?i)(postgresql|postgres|mysql|mariadb)://.+"),
          key + ".url: must begin with postgresql:// or mysql://");
      sources.put(
          name,
          new DataSource(
              url,
              s.text(key + ".user", ""),
              s.secretOrFile(key + ".password"),
              s.integer(key + ".pool-size", "4", 1, 1000)));
    }
    return new Sql(Map.copyOf(sources), timeout, rowsMax, rowsBytesMax, reading);
  }

  private static Mail mail(Settings s) {
    return new Mail(
        s.text("mail.host", ""),
        s.integer("mail.port", "587", 1, 65535),
        s.choice("mail.security", MailSecurity.STARTTLS),
        s.text("mail.user", ""),
        s.secretOrFile("mail.password"),
        s.text("mail.from", ""),
        s.duration("mail.timeout", "30s", MS),
        s.integer("mail.connections-max", "10", 1, 1000),
        (int) s.bytes("mail.bytes-max", "10MiB", 1024, 1 << 30));
  }

  private static String exemption(String text) {
    Targets.Exemption.parse(text);
    return text;
  }

  private static Http http(Settings s) {
    return new Http(
        s.duration("work.http.timeout", "30s", MS),
        s.duration("work.http.connect-timeout", "5s", MS),
        (int) s.bytes("work.http.response-bytes-max", "1MiB", 1024, 1 << 30),
        (int) s.bytes("work.http.file-bytes-max", "2MiB", 1024, 1 << 30),
        s.integer("work.http.redirects-max", "10", 0, 100),
        s.integer("work.http.connections-max", "100", 1, MANY),
        s.flag("work.http.deny-private", "true"),
        s.list("work.http.allow-private", WorkConfig::exemption));
  }
}
