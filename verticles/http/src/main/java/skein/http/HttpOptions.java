package skein.http;

import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import skein.codecs.JsonLimits;
import skein.ingress.Keys;
import skein.jobs.JobOptions;
import skein.retention.RetentionOptions;

/**
 * The listeners of the server, and its limits.
 *
 * @param protocol how large headers may be, and what HTTP/2 allows
 * @param callers what is kept of callers, and whose word on them counts
 * @param keys how long answers to requests with an idempotency key are kept
 */
public record HttpOptions(
    Listener listener,
    Timeouts timeouts,
    BodyLimits bodies,
    ProtocolLimits protocol,
    Callers callers,
    Keys.Options keys,
    Api api) {

  /**
   * Where the server listens.
   *
   * @param port 0 lets the system choose
   * @param baseUrl what links to this server begin with, without a slash at the end
   * @param connectionsMax open connections of one event loop that have sent a request; more are
   *     closed at once; 1 or more
   * @param portOptions which ports there are, and who may come in
   */
  public record Listener(
      String host, int port, URI baseUrl, int connectionsMax, PortOptions portOptions) {
    public Listener {
      if (connectionsMax < 1) {
        throw new IllegalArgumentException(
            "connectionsMax is " + connectionsMax + ", not 1 or more");
      }
    }

    /** On one port, for all clients. */
    public Listener(String host, int port, URI baseUrl, int connectionsMax) {
      this(host, port, baseUrl, connectionsMax, PortOptions.DEFAULT);
    }
  }

  /**
   * How long the server waits.
   *
   * @param idle a connection without traffic is closed after it; also the time a new connection has
   *     for its first request; 1 ms or more
   * @param request until a request that has no answer yet gets {@code TIMEOUT}; 1 ms or more
   * @param drain how long requests in flight may continue when the server stops
   */
  public record Timeouts(Duration idle, Duration request, Duration drain) {
    public Timeouts {
      if (idle.toMillis() < 1 || request.toMillis() < 1) {
        throw new IllegalArgumentException(
            "idle " + idle + ", request " + request + ": 1 ms or more");
      }
    }
  }

  /**
   * How large bodies may be.
   *
   * @param json limits of JSON bodies; {@link JsonLimits#bytesMax()} is the limit of every body but
   *     definitions and files
   * @param uploads what files may be sent; their limits stand in place of that of bodies
   * @param definitions how large those may be
   */
  public record BodyLimits(JsonLimits json, UploadLimits uploads, DefinitionLimits definitions) {
    /** With the default limits of definitions. */
    public BodyLimits(JsonLimits json, UploadLimits uploads) {
      this(json, uploads, DefinitionLimits.DEFAULT);
    }
  }

  /**
   * What the API offers.
   *
   * @param retention what a pass would delete, for callers
   * @param bulkInstancesMax instances that one request cancels or deletes; 1 or more
   * @param console whether the console is served
   * @param studio Elsa's designer; null where it is not served
   * @param live what following states may cost
   * @param jobs what workers may ask for
   * @param hub what live updates for Elsa's clients may cost
   */
  public record Api(
      RetentionOptions retention,
      int bulkInstancesMax,
      boolean console,
      @Nullable StudioFiles studio,
      LiveOptions live,
      JobOptions jobs,
      HubOptions hub) {
    /** Without retention, 10,000 instances at once, with the console, without the designer. */
    public static final Api DEFAULT =
        new Api(
            RetentionOptions.OFF,
            10_000,
            true,
            null,
            LiveOptions.DEFAULT,
            JobOptions.DEFAULT,
            HubOptions.DEFAULT);

    public Api {
      if (bulkInstancesMax < 1) {
        throw new IllegalArgumentException(
            "bulkInstancesMax is " + bulkInstancesMax + ", not 1 or more");
      }
    }

    /** The same with other rules of retention. */
    public Api with(RetentionOptions next) {
      return new Api(next, bulkInstancesMax, console, studio, live, jobs, hub);
    }

    /** The same with or without the console, and with other bounds of live states. */
    public Api with(boolean nextConsole, LiveOptions nextLive) {
      return new Api(retention, bulkInstancesMax, nextConsole, studio, nextLive, jobs, hub);
    }

    /** The same with another number of instances for one request. */
    public Api withBulkInstancesMax(int next) {
      return new Api(retention, next, console, studio, live, jobs, hub);
    }

    /** The same with Elsa's designer. */
    public Api with(StudioFiles next) {
      return new Api(retention, bulkInstancesMax, console, next, live, jobs, hub);
    }

    /** The same with another hub. */
    public Api with(HubOptions next) {
      return new Api(retention, bulkInstancesMax, console, studio, live, jobs, next);
    }
  }

  /** With the defaults of everything else. */
  public static HttpOptions of(Listener listener, Timeouts timeouts, BodyLimits bodies) {
    return new HttpOptions(
        listener,
        timeouts,
        bodies,
        ProtocolLimits.DEFAULT,
        Callers.DEFAULT,
        Keys.Options.DEFAULT,
        Api.DEFAULT);
  }

  /** A minute of idleness, 60 s for a request, 10,000 connections, 20 s to drain. */
  public static HttpOptions of(String host, int port, URI baseUrl) {
    return of(
        new Listener(host, port, baseUrl, 10_000),
        new Timeouts(Duration.ofSeconds(60), Duration.ofSeconds(60), Duration.ofSeconds(20)),
        new BodyLimits(JsonLimits.DEFAULT, UploadLimits.DEFAULT));
  }

  /** The same for other callers. */
  public HttpOptions with(Callers next) {
    return new HttpOptions(listener, timeouts, bodies, protocol, next, keys, api);
  }

  /** The same with other times of idempotency keys. */
  public HttpOptions with(Keys.Options next) {
    return new HttpOptions(listener, timeouts, bodies, protocol, callers, next, api);
  }

  /** The same with another API. */
  public HttpOptions with(Api next) {
    return new HttpOptions(listener, timeouts, bodies, protocol, callers, keys, next);
  }
}
