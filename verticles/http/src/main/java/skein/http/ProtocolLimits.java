package skein.http;

import java.time.Duration;

/**
 * The server's limits on the protocol itself.
 *
 * @param pipelinePace a request of HTTP/1 that came without awaiting the answer to the one before
 *     begins so long after it; 1 ms or more
 */
public record ProtocolLimits(Headers headers, Http2 http2, Duration pipelinePace) {

  /**
   * How large the head of a request may be; each 1 or more.
   *
   * @param lineBytesMax of the first line of a request; a longer one is answered with 414
   * @param bytesMax of all headers of a request; more are answered with 431, or end a connection of
   *     HTTP/2
   * @param max of a request, in number; with more it is answered with 431
   */
  public record Headers(int lineBytesMax, int bytesMax, int max) {
    public Headers {
      if (lineBytesMax < 1 || bytesMax < 1 || max < 1) {
        throw new IllegalArgumentException(
            "lineBytesMax %d, bytesMax %d, max %d: 1 or more"
                .formatted(lineBytesMax, bytesMax, max));
      }
    }
  }

  /**
   * What a connection of HTTP/2 may do; counts are 1 or more.
   *
   * @param streamsMax requests at one time
   * @param resetsMax requests that it may take back within {@code window}
   * @param controlFramesMax frames that it may send within {@code window} that have an answer and
   *     belong to no request
   * @param window 1 s or more
   * @param upgrade whether a connection of HTTP/1 may become one of HTTP/2; one that begins as such
   *     may be it in any case
   */
  public record Http2(
      int streamsMax, int resetsMax, int controlFramesMax, Duration window, boolean upgrade) {
    public Http2 {
      if (streamsMax < 1 || resetsMax < 1 || controlFramesMax < 1) {
        throw new IllegalArgumentException(
            "streamsMax %d, resetsMax %d, controlFramesMax %d: 1 or more"
                .formatted(streamsMax, resetsMax, controlFramesMax));
      }
      if (window.toSeconds() < 1) {
        throw new IllegalArgumentException("window " + window + ": 1 s or more");
      }
    }
  }

  /**
   * 8 KiB, 16 KiB, 200 headers, 100 streams, 200 resets and 500 control frames in 30 s, no
   * upgrades, 5 ms between requests in one piece.
   */
  public static final ProtocolLimits DEFAULT =
      new ProtocolLimits(
          new Headers(8_192, 16_384, 200),
          new Http2(100, 200, 500, Duration.ofSeconds(30), false),
          Duration.ofMillis(5));

  public ProtocolLimits {
    if (pipelinePace.toMillis() < 1) {
      throw new IllegalArgumentException("pipelinePace " + pipelinePace + ": 1 ms or more");
    }
  }
}
