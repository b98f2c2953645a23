package skein.http;

import java.net.URI;
import java.time.Duration;
import skein.codecs.JsonLimits;
import skein.ingress.Keys;
import skein.retention.RetentionOptions;

/**
 * How the server listens and what it takes.
 *
 * @param port 0 lets the system choose
 * @param baseUrl what links to this server begin with, without a slash at the end
 * @param json limits of JSON bodies; {@link JsonLimits#bytesMax()} is the limit of every body but
 *     definitions and files
 * @param idleTimeout a connection without traffic is closed after it; also the time a new
 *     connection has for its first request
 * @param requestTimeout until a request that has no answer yet gets {@code TIMEOUT}
 * @param connectionsMax open connections of one event loop that have sent a request; more are
 *     closed at once
 * @param uploads what files may be sent; their limits stand in place of that of bodies
 * @param definitions how large those may be
 * @param keys how long answers to requests with an idempotency key are kept
 * @param protocol how large headers may be, and what HTTP/2 allows
 * @param retention what a pass would delete, for whoever asks
 * @param doors which ports there are, and who may come in
 * @param callers what is kept of callers, and whose word on them counts
 * @param bulkInstancesMax instances that one request cancels or deletes; 1 or more
 * @param console whether the console is served
 * @param live what following states may cost
 * @param drainTimeout how long requests in flight may go on when the server stops
 */
public record HttpOptions(
    String host,
    int port,
    URI baseUrl,
    JsonLimits json,
    Duration idleTimeout,
    Duration requestTimeout,
    int connectionsMax,
    Duration drainTimeout,
    UploadLimits uploads,
    DefinitionLimits definitions,
    Keys.Options keys,
    ProtocolLimits protocol,
    RetentionOptions retention,
    Doors doors,
    Callers callers,
    int bulkInstancesMax,
    boolean console,
    LiveOptions live) {

  private static final int BULK_INSTANCES_MAX = 10_000;

  /** Without trusted proxies, with the default names of secrets, and with the console. */
  public HttpOptions(
      String host,
      int port,
      URI baseUrl,
      JsonLimits json,
      Duration idleTimeout,
      Duration requestTimeout,
      int connectionsMax,
      Duration drainTimeout,
      UploadLimits uploads,
      DefinitionLimits definitions,
      Keys.Options keys,
      ProtocolLimits protocol,
      RetentionOptions retention,
      Doors doors) {
    this(
        host,
        port,
        baseUrl,
        json,
        idleTimeout,
        requestTimeout,
        connectionsMax,
        drainTimeout,
        uploads,
        definitions,
        keys,
        protocol,
        retention,
        doors,
        Callers.DEFAULT,
        BULK_INSTANCES_MAX,
        true,
        LiveOptions.DEFAULT);
  }

  /**
   * With the default limits of definitions, keys and the protocol, on one port, and without
   * retention.
   */
  public HttpOptions(
      String host,
      int port,
      URI baseUrl,
      JsonLimits json,
      Duration idleTimeout,
      Duration requestTimeout,
      int connectionsMax,
      Duration drainTimeout,
      UploadLimits uploads) {
    this(
        host,
        port,
        baseUrl,
        json,
        idleTimeout,
        requestTimeout,
        connectionsMax,
        drainTimeout,
        uploads,
        DefinitionLimits.DEFAULT,
        Keys.Options.DEFAULT,
        ProtocolLimits.DEFAULT,
        RetentionOptions.OFF,
        Doors.DEFAULT);
  }

  /** The same for other callers. */
  public HttpOptions with(Callers next) {
    return with(next, bulkInstancesMax, console, live);
  }

  /** The same with another number of instances for one request. */
  public HttpOptions withBulkInstancesMax(int next) {
    return with(callers, next, console, live);
  }

  /** The same with or without the console, and with other bounds of live states. */
  public HttpOptions with(boolean nextConsole, LiveOptions nextLive) {
    return with(callers, bulkInstancesMax, nextConsole, nextLive);
  }

  private HttpOptions with(
      Callers nextCallers, int nextMax, boolean nextConsole, LiveOptions nextLive) {
    return new HttpOptions(
        host,
        port,
        baseUrl,
        json,
        idleTimeout,
        requestTimeout,
        connectionsMax,
        drainTimeout,
        uploads,
        definitions,
        keys,
        protocol,
        retention,
        doors,
        nextCallers,
        nextMax,
        nextConsole,
        nextLive);
  }

  public HttpOptions {
    if (connectionsMax < 1) {
      throw new IllegalArgumentException("connectionsMax is " + connectionsMax + ", not 1 or more");
    }
    if (bulkInstancesMax < 1) {
      throw new IllegalArgumentException(
          "bulkInstancesMax is " + bulkInstancesMax + ", not 1 or more");
    }
    if (idleTimeout.toMillis() < 1 || requestTimeout.toMillis() < 1) {
      throw new IllegalArgumentException(
          "idleTimeout " + idleTimeout + ", requestTimeout " + requestTimeout + ": 1 ms or more");
    }
  }

  /** A minute of idleness, 60 s for a request, 10,000 connections, 20 s to drain. */
  public static HttpOptions of(String host, int port, URI baseUrl) {
    return new HttpOptions(
        host,
        port,
        baseUrl,
        JsonLimits.DEFAULT,
        Duration.ofSeconds(60),
        Duration.ofSeconds(60),
        10_000,
        Duration.ofSeconds(20),
        UploadLimits.DEFAULT);
  }
}
