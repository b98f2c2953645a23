package skein.storage;

import java.util.List;
import skein.model.JournalEntry;

/** Shows the tests of other packages how a journal is stored. */
public final class JournalText {
  private JournalText() {}

  public static String of(List<JournalEntry> entries) {
    return JournalJson.print(entries);
  }

  public static List<JournalEntry> read(Object parsed) {
    return JournalJson.parse(parsed);
  }
}
