package skein.storage;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import skein.model.InstanceId;
import skein.storage.JournalJson.Lines;

/**
 * Large rows of journals that were read lately. A row never changes, so a cached one is valid while
 * the row exists; whether it exists, the database says. The least recently used ones make room for
 * others. Thread-safe.
 */
final class LargeJournalRows {
  /** Smaller rows are just as fast to read again. */
  static final int LARGE_CHARS = 32 << 10;

  /** {@code commitId}: of the burst that wrote the row. */
  record Key(UUID commitId, long revision) {}

  private record Row(InstanceId id, Lines lines, int chars) {}

  private final Map<Key, Row> rows = new LinkedHashMap<>(16, 0.75f, true);
  private final int charsMax;
  private int chars;

  /** {@code charsMax}: of all rows together. */
  LargeJournalRows(int charsMax) {
    this.charsMax = charsMax;
  }

  synchronized Map<Key, Lines> of(InstanceId id) {
    var found = new HashMap<Key, Lines>();
    rows.forEach((key, row) -> {
      if (row.id.equals(id)) {
        found.put(key, row.lines);
      }
    });
    found.keySet().forEach(rows::get); // used just now
    return found;
  }

  /** {@code length}: characters of the row. */
  synchronized void keep(InstanceId id, Key key, Lines lines, int length) {
    if (length < LARGE_CHARS || length > charsMax) {
      return;
    }
    var before = rows.put(key, new Row(id, lines, length));
    chars += length - (before == null ? 0 : before.chars);
    var oldest = rows.entrySet().iterator();
    while (chars > charsMax) {
      chars -= oldest.next().getValue().chars;
      oldest.remove();
    }
  }

  /** Characters that are kept. */
  synchronized int chars() {
    return chars;
  }
}
