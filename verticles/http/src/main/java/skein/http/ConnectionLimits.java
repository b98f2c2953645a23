package skein.http;

import java.time.Duration;
import skein.identity.RateLimit;

/**
 * The limits of connections, all together and each.
 *
 * @param max open connections; when one more comes, the one that has been without a request for
 *     longest is closed for it
 * @param perAddressMax the same, of one address
 * @param requestsMax under way on one connection; further ones of HTTP/2 wait for their turn, and
 *     one that asks for far more is closed
 * @param receivingBytesMax received of requests that have no answer yet; when more comes, the
 *     largest that is not complete is refused
 * @param sendingBytesMax of answers that clients have not taken; when there is more, the
 *     connections that have taken nothing for longest are closed
 * @param requests how often each may ask
 */
public record ConnectionLimits(
    int max,
    int perAddressMax,
    int requestsMax,
    Timeouts timeouts,
    long receivingBytesMax,
    long sendingBytesMax,
    RateLimit.Options requests) {
  /** An answer has so long to reach a client whose connection is then closed. */
  static final long LINGER_MS = 50;

  private static final int SHARE_OF_HEAP = 8;

  /**
   * How long a client may take.
   *
   * @param header time until the first request of a connection must be complete
   * @param body from a request's headers to the end of its body
   * @param idle from an answer to the next request's headers on the same connection
   * @param send how long nothing of an answer may be taken by the client
   */
  public record Timeouts(Duration header, Duration body, Duration idle, Duration send) {}

  /** 10,000 connections, 10 s for headers, 20 s for a body, 60 s of idleness, 30 s to take. */
  public static final ConnectionLimits DEFAULT =
      new ConnectionLimits(
          10_000,
          10_000,
          100,
          new Timeouts(
              Duration.ofSeconds(10),
              Duration.ofSeconds(20),
              Duration.ofSeconds(60),
              Duration.ofSeconds(30)),
          shareOfHeap(),
          shareOfHeap(),
          RateLimit.Options.NONE);

  public ConnectionLimits {
    if (max < 1 || perAddressMax < 1 || requestsMax < 1) {
      throw new IllegalArgumentException(
          "max %d, perAddressMax %d, requestsMax %d: 1 or more"
              .formatted(max, perAddressMax, requestsMax));
    }
    if (receivingBytesMax < 1 || sendingBytesMax < 1) {
      throw new IllegalArgumentException(
          "receivingBytesMax %d, sendingBytesMax %d: 1 or more"
              .formatted(receivingBytesMax, sendingBytesMax));
    }
  }

  /** An eighth of the largest heap, in bytes. */
  public static long shareOfHeap() {
    return Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP;
  }
}
