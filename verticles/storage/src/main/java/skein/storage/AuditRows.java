package skein.storage;

import io.vertx.core.Future;
import skein.model.AuditEntry;

/** The audit log as far as others than commits write it. Thread-safe. */
@FunctionalInterface
public interface AuditRows {
  Future<Void> add(AuditEntry entry);
}
