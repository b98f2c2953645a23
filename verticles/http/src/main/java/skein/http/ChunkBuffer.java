package skein.http;

import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The input of a body so far, in chunks. Small ones are joined, since a client may send each byte
 * in a chunk of its own, and each chunk takes far more than a byte. Not thread-safe.
 */
final class ChunkBuffer {
  /** All but the last have as much. */
  static final int BYTES_MIN = 4_096;

  private final List<Buffer> chunks = new ArrayList<>(1);
  private boolean lastIsOurs;
  private int size;

  void add(Buffer chunk) {
    size += chunk.length();
    if (chunks.isEmpty() || chunks.getLast().length() >= BYTES_MIN) {
      chunks.add(chunk);
      lastIsOurs = false;
      return;
    }
    if (!lastIsOurs) {
      chunks.set(chunks.size() - 1, Buffer.buffer().appendBuffer(chunks.getLast()));
      lastIsOurs = true;
    }
    chunks.getLast().appendBuffer(chunk);
  }

  int size() {
    return size;
  }

  int count() {
    return chunks.size();
  }

  /** Gives up what there is. */
  void clear() {
    chunks.clear();
    size = 0;
  }

  byte[] joined() {
    var all = new byte[size];
    int at = 0;
    for (var chunk : chunks) {
      chunk.getBytes(all, at);
      at += chunk.length();
    }
    return all;
  }
}
