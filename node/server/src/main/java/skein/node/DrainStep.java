package skein.node;

import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A step of taking a node out of work; the log says how long each took. */
final class DrainStep {
  private static final Logger log = LoggerFactory.getLogger(DrainStep.class);

  private DrainStep() {}

  static void timed(String step, Runnable action) {
    long start = System.nanoTime();
    action.run();
    log.atInfo()
        .addKeyValue("step", step)
        .addKeyValue("durationMs", TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start))
        .log("drain.stepDone");
  }

  /** The same; a failure is logged and keeps no other step from being taken. */
  static void attempt(String step, Runnable action) {
    try {
      timed(step, action);
    } catch (RuntimeException e) {
      log.atWarn().addKeyValue("part", step).setCause(e).log("node.stopIncomplete");
    }
  }
}
