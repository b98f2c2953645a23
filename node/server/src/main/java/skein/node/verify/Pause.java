package skein.node.verify;

import java.time.Duration;

/** For what asks again and again. */
final class Pause {
  private Pause() {}

  static void of(Duration time) {
    try {
      Thread.sleep(time);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CheckException("Interrupted", e);
    }
  }
}
