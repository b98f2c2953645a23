package skein.burst;

/** A burst is too long for the thread where it was begun; it has had no effect. */
public final class LongBurstException extends RuntimeException {
  LongBurstException(QuickBound bound) {
    super("More than " + bound.steps() + " steps, or longer than " + bound.time());
  }
}
