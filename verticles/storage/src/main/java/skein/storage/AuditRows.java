package skein.storage;

import io.vertx.core.Future;
import skein.model.AuditEntry;

/** The audit log as far as others than commits write it. Thread-safe. */
@FunctionalInterface
public interface AuditRows {
  /**
   * Writes a line for the tenant of its instance; where it names none that is there, for {@code
   * tenant}.
   *
   * @param tenant empty: the default tenant
   */
  Future<Void> add(AuditEntry entry, String tenant);
}
