package skein.node;

import java.nio.ByteBuffer;
import java.security.SecureRandom;

/**
 * Whole numbers as unguessable as those of {@link SecureRandom}, which is asked for many at a time:
 * every command takes some. Thread-safe.
 */
final class BufferedRandom extends SecureRandom {
  private static final int BUFFER_BYTES = 1024;
  private static final long serialVersionUID = 1;

  private final transient ThreadLocal<ByteBuffer> buffers =
      ThreadLocal.withInitial(() -> ByteBuffer.allocate(BUFFER_BYTES).position(BUFFER_BYTES));

  @Override
  public long nextLong() {
    var buffer = buffers.get();
    if (!buffer.hasRemaining()) {
      var bytes = new byte[BUFFER_BYTES];
      nextBytes(bytes);
      buffer.clear().put(bytes).flip();
    }
    return buffer.getLong();
  }
}
