package skein.storage;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.model.Timer;

/**
 * Stands for the payload of a timer that is large: timers wait in thousands where they are read,
 * and such a payload is read by {@link DueTimers#whole} when its timer is fired.
 */
public record DeferredPayload() {
  /** As text, in bytes; larger payloads stay in their rows. */
  static final int BYTES_MAX = 1 << 10;

  // What values take on the heap beside what is in them, in bytes.
  private static final int STRING = 40;
  private static final int NUMBER = 24;
  private static final int CONTAINER = 64;
  private static final int ENTRY = 48;

  /** The timer, without its payload if that is large. */
  public static Timer of(Timer timer) {
    return ProposalSize.of(timer.payload(), BYTES_MAX) > BYTES_MAX ? without(timer) : timer;
  }

  static Timer without(Timer timer) {
    return new Timer(
        timer.id(), timer.dueAt(), timer.instanceId(), timer.kind(), new DeferredPayload());
  }

  public static boolean isIn(Timer timer) {
    return timer.payload() instanceof DeferredPayload;
  }

  /** About how many bytes a payload that was read takes on the heap. */
  public static long heapBytes(@Nullable Object payload) {
    return switch (payload) {
      case null -> 0;
      case String text -> STRING + (long) text.length() * (isLatin1(text) ? 1 : 2);
      case Map<?, ?> map -> {
        long bytes = CONTAINER;
        for (var entry : map.entrySet()) {
          bytes += ENTRY + heapBytes(entry.getKey()) + heapBytes(entry.getValue());
        }
        yield bytes;
      }
      case List<?> list -> {
        long bytes = CONTAINER;
        for (var item : list) {
          bytes += Long.BYTES + heapBytes(item);
        }
        yield bytes;
      }
      default -> NUMBER;
    };
  }

  /** Then a character takes one byte instead of two. */
  private static boolean isLatin1(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) > 0xFF) {
        return false;
      }
    }
    return true;
  }
}
