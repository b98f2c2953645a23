package skein.burst;

import java.util.List;
import org.jspecify.annotations.Nullable;
import skein.model.InstanceId;
import skein.model.JournalEntry;

/**
 * The journal of an instance up to a moment.
 *
 * @param sequence of the last entry of the burst after which the moment is
 * @param entries from the first on; those after the moment are not used
 * @param endsBurst whether the entry with this sequence is the last one of its burst
 */
public record Past(
    InstanceId source, long sequence, List<JournalEntry> entries, boolean endsBurst) {
  public Past {
    entries = List.copyOf(entries);
  }

  /**
   * The version of its definition that an instance began with.
   *
   * @param first the first entry of its journal
   * @return the id of the version; null in a journal that an earlier build began
   */
  public static @Nullable String versionAtStart(JournalEntry first) {
    return first.data().get(Journal.VERSION) instanceof String versionId ? versionId : null;
  }

  /**
   * The version of its definition that an instance executed before a migration.
   *
   * @param migration the entry that tells of it
   * @return the id of the version; null where the entry does not say it
   */
  public static @Nullable String versionBefore(JournalEntry migration) {
    return migration.data().get(Journal.FROM) instanceof String versionId ? versionId : null;
  }

  /** Refuses with {@code PAST_STATE_UNKNOWN} a moment within a burst, or of no burst at all. */
  List<JournalEntry> untilItsMoment() {
    int count = (int) entries.stream().filter(entry -> entry.sequence() <= sequence).count();
    if (sequence < 1 || count == 0 || entries.get(count - 1).sequence() != sequence) {
      throw ReplayedInputs.unknown("The journal of " + source + " has no entry " + sequence);
    }
    if (entries.getFirst().sequence() != 1) {
      throw ReplayedInputs.unknown(
          "The first entries of the journal of " + source + " are missing");
    }
    if (!endsBurst) {
      throw ReplayedInputs.unknown(
          "Entry " + sequence + " is not the last of its burst: name the last one");
    }
    return entries.subList(0, count);
  }
}
