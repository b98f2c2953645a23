package skein.storage;

import io.vertx.core.Future;
import java.time.Instant;

/** The time of the database, as it is known here. Thread-safe. */
public interface DatabaseTime {
  /** Never ahead of the database's clock: what is due by it is due in the database. */
  Instant notAhead();

  /** Corrects drift; call every few seconds. */
  Future<Void> synchronize();
}
