package skein.storage;

import skein.model.Timer;

/**
 * Stands for the payload of a timer that is large: timers wait in thousands where they are read,
 * and the payload is read by {@link DueTimers#whole} when its turn has come.
 *
 * @param bytes about how many it takes in memory, at least
 */
public record DeferredPayload(long bytes) {
  /** Stored; smaller ones wait with their timers. */
  static final int BYTES_MIN = 1 << 10;

  /** What a stored byte may take in memory: it is compressed, and then many small values. */
  private static final long FACTOR = 20;

  private static final long COUNTED_MAX = 1 << 20;

  static DeferredPayload stored(long bytes) {
    return new DeferredPayload(bytes * FACTOR);
  }

  /** A timer that is stored, without its payload if that is large. */
  public static Timer of(Timer timer) {
    long size = ProposalSize.of(timer.payload(), COUNTED_MAX);
    return size > BYTES_MIN ? without(timer, stored(size)) : timer;
  }

  static Timer without(Timer timer, DeferredPayload payload) {
    return new Timer(timer.id(), timer.dueAt(), timer.instanceId(), timer.kind(), payload);
  }

  /** 0: its payload is there. */
  public static long bytesOf(Timer timer) {
    return timer.payload() instanceof DeferredPayload(var bytes) ? bytes : 0;
  }
}
