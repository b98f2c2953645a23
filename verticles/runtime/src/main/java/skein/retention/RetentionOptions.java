package skein.retention;

import java.time.Duration;
import java.util.Map;
import skein.storage.PassStore.Terms;

/**
 * The rows to delete, and the pace.
 *
 * @param enabled whether anything is deleted; if not, the rest says what would be
 * @param rules for instances
 * @param auditKeep lines of the audit log are kept so long
 * @param alterationsKeep plans to alter instances are kept so long
 * @param interval from the start of one pass to the start of the next
 * @param slice how much at a time
 */
public record RetentionOptions(
    boolean enabled,
    RetentionRules rules,
    Duration auditKeep,
    Duration alterationsKeep,
    Duration interval,
    Slice slice) {
  /** Nothing is deleted. */
  public static final RetentionOptions OFF =
      new RetentionOptions(
          false,
          new RetentionRules(Duration.ofDays(30), Map.of(), Map.of()),
          Duration.ofDays(90),
          Duration.ofDays(90),
          Duration.ofHours(1),
          new Slice(1_000, Duration.ofMillis(100), Duration.ofSeconds(30), Duration.ofMillis(100)));

  /** As much later do others claim a pass than the node that made the last one. */
  private static final Duration COURTESY = Duration.ofSeconds(3);

  /**
   * How much is deleted at a time.
   *
   * @param rowsMax of one transaction, about; an instance with more goes alone. As many instances
   *     are looked at in one statement
   * @param pause between two transactions, and between two looks that find nothing to delete
   * @param timeout of each statement
   * @param lockTimeout how long dropping a day of the journal waits for it, and commits behind that
   */
  public record Slice(int rowsMax, Duration pause, Duration timeout, Duration lockTimeout) {}

  /** A pass lets itself be heard before each slice: one that is silent for longer is dead. */
  Terms terms() {
    return new Terms(interval, slice.timeout().multipliedBy(3).plus(slice.pause()), COURTESY);
  }
}
