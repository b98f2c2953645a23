package skein.burst;

/** A burst has more to do than fits where it was begun; nothing has come of it. */
public final class LongBurstException extends RuntimeException {
  LongBurstException(int steps) {
    super("More than " + steps + " steps");
  }
}
