package skein.burst;

/** A burst has more to do than fits where it was begun; nothing has come of it. */
public final class LongBurstException extends RuntimeException {
  LongBurstException(QuickBound bound) {
    super("More than " + bound.steps() + " steps, or longer than " + bound.time());
  }
}
