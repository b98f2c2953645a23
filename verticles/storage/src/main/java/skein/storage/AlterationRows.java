package skein.storage;

import io.vertx.core.Future;
import skein.model.Timer;

/** The rows of alteration plans as commands need them. Thread-safe. */
public interface AlterationRows {
  /** Notes why the part of a plan that a timer stands for was refused. */
  Future<Void> failed(Timer timer, String reason);
}
