package skein.storage;

import java.util.List;
import skein.encryption.KeyRing;
import skein.model.InstanceId;
import skein.model.JournalEntry;

/** Shows the tests of other packages how a journal is stored. */
public final class JournalText {
  /** Nothing is encrypted. */
  static final StoredValues CLEAR = new StoredValues(new KeyRing());

  static final StoredValues.Entries VALUES = CLEAR.entries(new InstanceId("clear"));

  private JournalText() {}

  public static String of(List<JournalEntry> entries) {
    return JournalJson.print(entries, VALUES);
  }

  public static List<JournalEntry> read(Object parsed) {
    return JournalJson.parse(parsed, VALUES);
  }
}
