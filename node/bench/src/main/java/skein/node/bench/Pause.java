package skein.node.bench;

import java.time.Duration;
import skein.node.dev.CannotStartException;

/** A rest of the command itself, never in what is measured. */
final class Pause {
  private Pause() {}

  static void of(Duration time) {
    try {
      Thread.sleep(time);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CannotStartException("Interrupted", e);
    }
  }
}
