package skein.http;

import java.time.Duration;
import java.util.List;

/**
 * What the server takes of the protocol itself.
 *
 * @param lineBytesMax of the first line of a request; a longer one is answered with 414
 * @param headerBytesMax of all headers of a request; more are answered with 431, or end a
 *     connection of HTTP/2
 * @param headersMax of a request, in number; with more it is answered with 431
 * @param streamsMax requests at one time on a connection of HTTP/2
 * @param resetsMax requests that a connection of HTTP/2 may take back within {@code resetsWindow}
 * @param controlFramesMax frames that a connection of HTTP/2 may send within {@code resetsWindow}
 *     that have an answer and belong to no request
 * @param resetsWindow 1 s or more
 * @param pipelinePace a request of HTTP/1 that came without awaiting the answer to the one before
 *     begins so long after it; 1 ms or more
 * @param http2Upgrade whether a connection of HTTP/1 may become one of HTTP/2; one that begins as
 *     such may be it in any case
 */
public record ProtocolLimits(
    int lineBytesMax,
    int headerBytesMax,
    int headersMax,
    int streamsMax,
    int resetsMax,
    int controlFramesMax,
    Duration resetsWindow,
    Duration pipelinePace,
    boolean http2Upgrade) {

  /**
   * 8 KiB, 16 KiB, 200 headers, 100 streams, 200 resets and 500 control frames in 30 s, 5 ms
   * between requests in one piece, no upgrades.
   */
  public static final ProtocolLimits DEFAULT =
      new ProtocolLimits(
          8_192, 16_384, 200, 100, 200, 500, Duration.ofSeconds(30), Duration.ofMillis(5), false);

  public ProtocolLimits {
    var counts =
        List.of(lineBytesMax, headerBytesMax, headersMax, streamsMax, resetsMax, controlFramesMax);
    if (counts.stream().anyMatch(limit -> limit < 1)) {
      throw new IllegalArgumentException(
          ("lineBytesMax, headerBytesMax, headersMax, streamsMax, resetsMax, controlFramesMax %s: 1"
                  + " or more")
              .formatted(counts));
    }
    if (resetsWindow.toSeconds() < 1) {
      throw new IllegalArgumentException("resetsWindow " + resetsWindow + ": 1 s or more");
    }
    if (pipelinePace.toMillis() < 1) {
      throw new IllegalArgumentException("pipelinePace " + pipelinePace + ": 1 ms or more");
    }
  }
}
