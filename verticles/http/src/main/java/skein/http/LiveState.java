package skein.http;

import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;
import skein.codecs.JsonText;

/**
 * A state as a server-sent event.
 *
 * @param id a digest of the state, so that any node knows whether a client has it already
 * @param message the event as it is sent
 * @see <a href="https://html.spec.whatwg.org/multipage/server-sent-events.html">HTML: server-sent
 *     events</a>
 */
record LiveState(String id, Buffer message) {
  private static final int ID_BYTES = 12;

  static LiveState of(@Nullable Object json) {
    return of("state", JsonText.printBytes(json));
  }

  /** Why the state could not be read. */
  static LiveState failed(Throwable failure) {
    return of("problem", Problems.of(failure).body().getBytes());
  }

  private static LiveState of(String event, byte[] json) {
    var id = HexFormat.of().formatHex(Arrays.copyOf(digest(json), ID_BYTES));
    var head = "id: " + id + "\nevent: " + event + "\ndata: ";
    var message =
        Buffer.buffer(head.length() + json.length + 2)
            .appendBytes(head.getBytes(StandardCharsets.UTF_8))
            .appendBytes(json) // one line: line breaks in JSON text are escaped
            .appendString("\n\n");
    return new LiveState(id, message);
  }

  private static byte[] digest(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
