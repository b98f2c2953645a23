package skein.node.config;

import java.time.Duration;

/** Work outside: requests to other services, mail, statements. */
public record WorkConfig(Duration lease, int lostMax, int inFlightMax, Http http) {
  private static final Duration MS = Duration.ofMillis(1);
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final int MANY = 1_000_000_000;

  /** Requests to other services. */
  public record Http(
      Duration timeout,
      Duration connectTimeout,
      int responseBytesMax,
      int fileBytesMax,
      int redirectsMax,
      int connectionsMax,
      boolean denyPrivate) {}

  static WorkConfig from(Settings s) {
    return new WorkConfig(
        s.duration("work.lease", "10s", SECOND),
        s.integer("work.lost-max", "3", 1, 1000),
        s.integer("work.in-flight-max", "200", 1, MANY),
        http(s));
  }

  private static Http http(Settings s) {
    return new Http(
        s.duration("work.http.timeout", "30s", MS),
        s.duration("work.http.connect-timeout", "5s", MS),
        (int) s.bytes("work.http.response-bytes-max", "1MiB", 1024, 1 << 30),
        (int) s.bytes("work.http.file-bytes-max", "2MiB", 1024, 1 << 30),
        s.integer("work.http.redirects-max", "10", 0, 100),
        s.integer("work.http.connections-max", "100", 1, MANY),
        s.flag("work.http.deny-private", "false"));
  }
}
