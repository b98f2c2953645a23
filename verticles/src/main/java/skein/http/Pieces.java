package skein.http;

import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;

/**
 * What has come of a body, in pieces. Small ones are put together, since a client may send each
 * byte in a chunk of its own, and each piece takes far more than a byte. Not thread-safe.
 */
final class Pieces {
  /** All but the last have as much. */
  private static final int BYTES_MIN = 4_096;

  private final List<Buffer> pieces = new ArrayList<>(1);
  private boolean lastIsOurs;
  private int size;

  void add(Buffer piece) {
    size += piece.length();
    if (pieces.isEmpty() || pieces.getLast().length() >= BYTES_MIN) {
      pieces.add(piece);
      lastIsOurs = false;
      return;
    }
    if (!lastIsOurs) {
      pieces.set(pieces.size() - 1, Buffer.buffer().appendBuffer(pieces.getLast()));
      lastIsOurs = true;
    }
    pieces.getLast().appendBuffer(piece);
  }

  int size() {
    return size;
  }

  int count() {
    return pieces.size();
  }

  /** Gives up what there is. */
  void clear() {
    pieces.clear();
    size = 0;
  }

  byte[] joined() {
    var all = new byte[size];
    int at = 0;
    for (var piece : pieces) {
      piece.getBytes(all, at);
      at += piece.length();
    }
    return all;
  }
}
