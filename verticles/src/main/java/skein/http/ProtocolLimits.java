package skein.http;

import java.time.Duration;

/**
 * What the server takes of the protocol itself.
 *
 * @param lineBytesMax of the first line of a request; a longer one is answered with 414
 * @param headerBytesMax of all headers of a request; more are answered with 431, or end a
 *     connection of HTTP/2
 * @param streamsMax requests at one time on a connection of HTTP/2
 * @param resetsMax requests that a connection of HTTP/2 may take back within {@code resetsWindow}
 * @param resetsWindow 1 s or more
 */
public record ProtocolLimits(
    int lineBytesMax, int headerBytesMax, int streamsMax, int resetsMax, Duration resetsWindow) {

  /** 8 KiB, 16 KiB, 100 streams, 200 resets in 30 s. */
  public static final ProtocolLimits DEFAULT =
      new ProtocolLimits(8_192, 16_384, 100, 200, Duration.ofSeconds(30));

  public ProtocolLimits {
    if (lineBytesMax < 1 || headerBytesMax < 1 || streamsMax < 1 || resetsMax < 1) {
      throw new IllegalArgumentException(
          "lineBytesMax %d, headerBytesMax %d, streamsMax %d, resetsMax %d: 1 or more"
              .formatted(lineBytesMax, headerBytesMax, streamsMax, resetsMax));
    }
    if (resetsWindow.toSeconds() < 1) {
      throw new IllegalArgumentException("resetsWindow " + resetsWindow + ": 1 s or more");
    }
  }
}
