package skein.node.config;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import skein.activities.SecretNames;
import skein.codecs.Network;
import skein.peers.ServerTls;

/**
 * The HTTP server.
 *
 * <p>Port 0 takes a free one.
 *
 * @param bulkInstancesMax that one request cancels or deletes
 * @param tls null: plain HTTP
 */
public record HttpConfig(
    String host,
    int port,
    URI baseUrl,
    long bodyBytesMax,
    LargeDefinitions definitions,
    int bulkInstancesMax,
    Duration idleTimeout,
    Duration requestTimeout,
    int connectionsMax,
    Uploads uploads,
    Idempotency idempotency,
    Callers callers,
    Rates rates,
    Protocol protocol,
    PortOptions portOptions,
    Secrets secrets,
    @Nullable Tls tls) {
  private static final Duration MS = Duration.ofMillis(1);
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final int MANY = 1_000_000_000;

  /** Ports: 0 is that of workflows; {@code hosts}: empty is any. */
  public record PortOptions(
      int apiPort,
      int managementPort,
      List<String> hosts,
      List<String> origins,
      boolean baseUrlGiven,
      Proxies proxies,
      boolean callerInstanceIds) {}

  /** {@code httpsOnly}: requests that did not come by HTTPS to one that is trusted are refused. */
  public record Proxies(List<Network> trusted, boolean httpsOnly) {}

  /** {@code management}: whether the port of health and metrics speaks HTTPS, too. */
  public record Tls(ServerTls.Files files, boolean management) {
    static @Nullable Tls from(Settings s) {
      var certificate = s.text("http.tls-certificate-file", "");
      var key = s.text("http.tls-key-file", "");
      var clients = s.text("http.tls-client-ca-file", "");
      boolean required = s.flag("http.tls-client-required", "false");
      boolean management = s.flag("management.tls", "true");
      s.require(
          certificate.isEmpty() == key.isEmpty(),
          "http.tls-certificate-file and http.tls-key-file: are needed together");
      s.require(
          !certificate.isEmpty() || clients.isEmpty(),
          "http.tls-client-ca-file: needs http.tls-certificate-file");
      s.require(
          !required || !clients.isEmpty(),
          "http.tls-client-required: needs http.tls-client-ca-file");
      return certificate.isEmpty()
          ? null
          : new Tls(
              new ServerTls.Files(
                  Path.of(certificate),
                  Path.of(key),
                  clients.isEmpty() ? null : new ServerTls.Clients(Path.of(clients), required)),
              management);
    }
  }

  /** Names of what holds credentials of callers. */
  public record Secrets(List<String> headers, List<String> parameters) {}

  /** {@code concurrentMax}: larger than other bodies may be, of one event loop. */
  public record LargeDefinitions(long bytesMax, int concurrentMax) {}

  /** Requests with a key, over HTTP and on the event bus. */
  public record Idempotency(Duration keep, Duration patience, Duration claimMax, Duration lease) {}

  /** The memory of connections; bytes: 0 is an eighth of the heap. */
  public record Callers(
      int connectionsPerAddressMax,
      int requestsPerConnectionMax,
      Duration headerTimeout,
      Duration bodyTimeout,
      Duration sendTimeout,
      long receivingBytesMax,
      long sendingBytesMax) {}

  /** Requests of one caller; {@code perSecond}: 0 is any number. */
  public record Rates(int perSecond, int burst, int callersMax) {}

  /** Of HTTP itself; what is of HTTP/2 within {@code resetsWindow} on one connection. */
  public record Protocol(
      int lineBytesMax,
      int headerBytesMax,
      int headersMax,
      int resetsMax,
      int controlFramesMax,
      Duration resetsWindow,
      Duration pipelinePace,
      boolean http2Upgrade) {}

  /** Files that a client sends; {@code concurrentMax}: requests with files, of one event loop. */
  public record Uploads(
      long bytesMax,
      int entriesMax,
      long expandedBytesMax,
      int concurrentMax,
      long totalBytesMax) {}

  static HttpConfig from(Settings s) {
    var host = s.text("http.host", "0.0.0.0");
    int port = s.integer("http.port", "5001", 0, 65535);
    var baseUrl = s.uri("http.base-url", "", "http", "https");
    var tls = Tls.from(s);
    return new HttpConfig(
        host,
        port,
        baseUrl.toString().isEmpty() ? local(tls, port) : baseUrl,
        s.bytes("http.body-bytes-max", "1MiB", 1024, 1 << 30),
        new LargeDefinitions(
            s.bytes("http.definition-bytes-max", "10MiB", 1024, 1 << 28),
            s.integer("http.large-definitions-max", "1", 1, 100)),
        s.integer("http.bulk-instances-max", "10000", 1, 1_000_000),
        s.duration("http.idle-timeout", "60s", SECOND),
        s.duration("http.request-timeout", "30s", MS),
        s.integer("http.connections-max", "10000", 1, MANY),
        new Uploads(
            s.bytes("http.uploads.bytes-max", "16MiB", 1 << 10, 1L << 30),
            s.integer("http.uploads.entries-max", "1000", 1, MANY),
            s.bytes("http.uploads.expanded-bytes-max", "64MiB", 1 << 10, 1L << 30),
            s.integer("http.uploads.concurrent-max", "4", 1, 1000),
            s.bytes("http.uploads.total-bytes-max", "128MiB", 1 << 11, Integer.MAX_VALUE)),
        new Idempotency(
            s.duration("http.idempotency-keep", "24h", SECOND),
            s.duration("http.idempotency-wait", "2s", Duration.ZERO),
            s.duration("http.idempotency-claim-max", "5m", SECOND),
            s.duration("http.idempotency-lease", "10s", SECOND)),
        callers(s),
        rates(s),
        new Protocol(
            (int) s.bytes("http.line-bytes-max", "8KiB", 256, 1 << 20),
            (int) s.bytes("http.header-bytes-max", "16KiB", 1 << 10, 1 << 20),
            s.integer("http.headers-max", "200", 10, 10_000),
            s.integer("http.http2-resets-max", "200", 1, MANY),
            s.integer("http.http2-control-frames-max", "500", 1, MANY),
            s.duration("http.http2-resets-window", "30s", SECOND),
            s.duration("http.pipeline-pace", "5ms", MS),
            s.flag("http.http2-upgrade", "false")),
        new PortOptions(
            s.integer("http.api-port", "0", 0, 65535),
            s.integer("management.port", "0", 0, 65535),
            s.list("http.hosts", HttpConfig::host),
            s.list("http.origins", HttpConfig::origin),
            !baseUrl.toString().isEmpty(),
            new Proxies(
                s.list("http.trusted-proxies", Network::parse),
                s.flag("http.require-https", "false")),
            s.flag("http.caller-instance-ids", "true")),
        new Secrets(
            s.list("http.secret-headers", SecretNames.HEADERS, HttpConfig::secretName),
            s.list("http.secret-parameters", SecretNames.PARAMETERS, HttpConfig::secretName)),
        tls);
  }

  private static URI local(@Nullable Tls tls, int port) {
    return URI.create((tls == null ? "http" : "https") + "://localhost:" + port);
  }

  private static String host(String text) {
    if (!text.matches("[A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+]")) {
      throw new IllegalArgumentException("must name hosts without ports");
    }
    return text;
  }

  private static String secretName(String text) {
    if (!text.matches("[A-Za-z0-9!#$%&'*+.^_`|~-]{1,256}")) {
      throw new IllegalArgumentException("must be names, in which * stands for any characters");
    }
    return text;
  }

  private static String origin(String text) {
    if (!text.matches("https?://[^/\\s]+")) {
      throw new IllegalArgumentException("must name origins, as https://studio.example.com");
    }
    return text;
  }

  private static Callers callers(Settings s) {
    return new Callers(
        s.integer("http.connections-per-address-max", "10000", 1, MANY),
        s.integer("http.requests-per-connection-max", "100", 1, 10_000),
        s.duration("http.header-timeout", "10s", MS),
        s.duration("http.body-timeout", "20s", MS),
        s.duration("http.send-timeout", "30s", MS),
        s.bytes("http.receiving-bytes-max", "0", 0, 1L << 40),
        s.bytes("http.sending-bytes-max", "0", 0, 1L << 40));
  }

  private static Rates rates(Settings s) {
    return new Rates(
        s.integer("http.requests-per-second-max", "0", 0, MANY),
        s.integer("http.requests-burst-max", "200", 1, 1_000_000),
        s.integer("http.callers-max", "10000", 1, 1_000_000));
  }

  /** Rules over more than one key. */
  void check(Settings s) {
    var proxies = portOptions.proxies;
    s.require(
        !proxies.httpsOnly || "https".equals(baseUrl.getScheme()),
        "http.base-url: must begin with https:// where http.require-https is true");
    s.require(
        !proxies.httpsOnly || !proxies.trusted.isEmpty() || tls != null,
        "http.require-https: no request could be served without http.trusted-proxies or"
            + " http.tls-certificate-file");
    s.require(
        uploads.totalBytesMax >= uploads.bytesMax + uploads.expandedBytesMax,
        "http.uploads.total-bytes-max: must be at least http.uploads.bytes-max and"
            + " http.uploads.expanded-bytes-max together");
  }
}
