package skein.activities;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.codecs.JsonText;
import skein.model.StimulusHash;

/**
 * A bookmark that an activity asks for.
 *
 * @param name the stimulus name
 * @param hash finds the bookmark from the stimulus
 * @param dueAt when it resumes by itself
 * @param tag comes back with the resumption
 */
public record Wait(
    String name,
    String hash,
    Map<String, Object> payload,
    @Nullable Instant dueAt,
    @Nullable String tag) {

  private static final Instant FIRST = Instant.parse("0001-01-01T00:00:00Z");
  private static final Instant END = Instant.parse("+10000-01-01T00:00:00Z");

  /** The instant; throws {@link FaultException} when it is in no year from 1 to 9999. */
  public static Instant requireYears(Instant at) {
    if (at.isBefore(FIRST) || !at.isBefore(END)) {
      throw new FaultException(
          "TimeOutOfRange", at + " is not in the years 1 to 9999: give a shorter time");
    }
    return at;
  }

  /** Found by a hash that others can compute from the stimulus. */
  public static Wait forStimulus(String name, String hash, Map<String, Object> payload) {
    return new Wait(name, hash, payload, null, null);
  }

  /** Resumed by the clock alone; the hash is this execution's own. */
  public static Wait until(Instant dueAt, String name, Map<String, Object> payload, int execution) {
    var hash = StimulusHash.of(name, JsonText.canonical(payload), Integer.toString(execution));
    return new Wait(name, hash, payload, dueAt, null);
  }

  /** The same, due no earlier; a payload that says when it is due says so. */
  public Wait notBefore(Instant earliest) {
    if (dueAt == null || !dueAt.isBefore(earliest)) {
      return this;
    }
    var due = dueAt.toString();
    var later = new LinkedHashMap<>(payload);
    later.replaceAll((_, value) -> value.equals(due) ? earliest.toString() : value);
    return new Wait(name, hash, later, earliest, tag);
  }

  /** The same with the activity's own mark. */
  public Wait tagged(String mark) {
    return new Wait(name, hash, payload, dueAt, mark);
  }
}
