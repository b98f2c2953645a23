package skein.cluster;

import java.time.Duration;

/**
 * What is known of the way of messages with many orders to one lane of another node: it is open
 * once the lane has answered a question on it. Thread-safe; times are those of one monotonic clock.
 */
final class Line {
  /** For how long a lane that does not answer is not asked again. */
  static final Duration SINGLY = Duration.ofSeconds(30);

  private enum State {
    CLOSED,
    ASKED,
    OPEN
  }

  private final String node;
  private final int lane;
  private volatile State state = State.CLOSED;
  private volatile long usedNanos;
  private volatile long heardNanos;
  private long askNanos;
  private long questions;

  Line(String node, int lane, long nowNanos) {
    this.node = node;
    this.lane = lane;
    this.usedNanos = nowNanos;
    this.heardNanos = nowNanos;
    this.askNanos = nowNanos;
  }

  String node() {
    return node;
  }

  int lane() {
    return lane;
  }

  /** Something is to be sent on it now. */
  void used(long nowNanos) {
    usedNanos = nowNanos;
  }

  /** Whether nothing was sent on it for so long. */
  boolean isIdle(long nowNanos, Duration time) {
    return nowNanos - usedNanos > time.toNanos();
  }

  boolean isOpen() {
    return state == State.OPEN;
  }

  /** The number of the question that the lane is to be asked now; 0: none. */
  synchronized long ask(long nowNanos) {
    if (state != State.CLOSED || nowNanos - askNanos < 0) {
      return 0;
    }
    state = State.ASKED;
    return ++questions;
  }

  /** The lane has answered something. */
  void heard(long nowNanos) {
    heardNanos = nowNanos;
  }

  /** Whether the lane has answered nothing since then. */
  boolean isSilentSince(long nanos) {
    return heardNanos - nanos < 0;
  }

  /** The lane has answered a question; one from before it was closed says nothing. */
  synchronized void answered(long question) {
    if (isAwaited(question)) {
      state = State.OPEN;
    }
  }

  /** The lane has not answered a question; it is closed if that was the last. */
  synchronized void unanswered(long question, long nowNanos) {
    if (isAwaited(question)) {
      close(nowNanos);
    }
  }

  private boolean isAwaited(long question) {
    return state == State.ASKED && question == questions;
  }

  /** It does not work. */
  synchronized void close(long nowNanos) {
    state = State.CLOSED;
    askNanos = nowNanos + SINGLY.toNanos();
  }

  /** It may work no longer, or work again. */
  synchronized void doubt(long nowNanos) {
    state = State.CLOSED;
    askNanos = nowNanos;
  }
}
