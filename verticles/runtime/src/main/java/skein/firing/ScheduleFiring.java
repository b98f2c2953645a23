package skein.firing;

import io.vertx.core.Future;
import skein.model.Timer;

/** Carries out what timers of schedules ask for. */
public interface ScheduleFiring {
  /** An occurrence is due. */
  Future<Void> fire(Timer timer);

  /** An instance that a schedule follows has ended, or never began. */
  Future<Void> ended(Timer news);
}
