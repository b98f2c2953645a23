package skein.burst;

import java.util.List;
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
