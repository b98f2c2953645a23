package skein.scripts;

import java.lang.ref.SoftReference;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * Arrays of one size for scripts that need much memory. There are so few that they fit into the
 * heap, so another script waits for its turn; and they are used again, since to allocate and to
 * collect them keeps all threads of the JVM waiting. Thread-safe.
 */
final class LargeArrays {
  /** All of them together take one part of so many of the heap, but there is always one. */
  private static final int PART_OF_HEAP = 4;

  private static final Map<Integer, LargeArrays> ALL = new ConcurrentHashMap<>();

  private final int length;
  private final Semaphore turns;
  private final Deque<SoftReference<byte[]>> spare = new ArrayDeque<>();

  /**
   * @param length of each, in bytes
   * @param count that are in use at one time
   */
  LargeArrays(int length, int count) {
    this.length = length;
    this.turns = new Semaphore(count, true);
  }

  /** Those of this JVM. */
  static LargeArrays of(int length) {
    return ALL.computeIfAbsent(
        length,
        _ -> {
          var count = Runtime.getRuntime().maxMemory() / PART_OF_HEAP / length;
          return new LargeArrays(length, Math.clamp(count, 1, 1_000));
        });
  }

  int length() {
    return length;
  }

  /**
   * Waits until there is one; all of it is zero.
   *
   * @throws InterruptedException when the thread is interrupted
   */
  byte[] take() throws InterruptedException {
    turns.acquire();
    try {
      var found = reused();
      return found == null ? new byte[length] : found;
    } catch (OutOfMemoryError e) {
      turns.release();
      throw e;
    }
  }

  private byte @Nullable [] reused() {
    synchronized (spare) {
      for (var next = spare.poll(); next != null; next = spare.poll()) {
        var array = next.get();
        if (array != null) {
          return array;
        }
      }
      return null;
    }
  }

  /** {@code array}: from {@link #take}, all of it zero again; not used any more. */
  void giveBack(byte[] array) {
    synchronized (spare) {
      spare.push(new SoftReference<>(array));
    }
    turns.release();
  }
}
