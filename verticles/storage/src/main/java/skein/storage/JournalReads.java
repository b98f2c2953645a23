package skein.storage;

import io.vertx.core.Future;
import java.util.List;
import skein.model.InstanceId;
import skein.model.JournalEntry;

/** Reads journals from their beginnings. Thread-safe. */
public interface JournalReads {
  /** The first entries, in order; none of an instance that does not exist. */
  Future<List<JournalEntry>> first(InstanceId id, int count);

  /** Whether the entry with this sequence is there and the first one of its burst. */
  Future<Boolean> beginsBurst(InstanceId id, long sequence);
}
