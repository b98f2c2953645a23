package skein.burst;

import skein.activities.SecretNames;

/**
 * The limits of one burst's journal entries; what is left out is counted there.
 *
 * @param valueMax characters of one value; of a larger one only its size is kept
 * @param charsMax characters of all values; later entries go without
 * @param entriesMax entries; later ones are left out
 * @param secrets what holds credentials: their values are not written
 */
public record JournalLimits(int valueMax, int charsMax, int entriesMax, SecretNames secrets) {
  public static final JournalLimits DEFAULT = new JournalLimits(65_536, 1_048_576, 10_000);

  /** Without the values of what commonly holds credentials. */
  public JournalLimits(int valueMax, int charsMax, int entriesMax) {
    this(valueMax, charsMax, entriesMax, SecretNames.DEFAULT);
  }

  public JournalLimits {
    if (valueMax < 1 || charsMax < 1 || entriesMax < 1) {
      throw new IllegalArgumentException(
          "Limits of the journal start at 1: " + valueMax + ", " + charsMax + ", " + entriesMax);
    }
  }
}
