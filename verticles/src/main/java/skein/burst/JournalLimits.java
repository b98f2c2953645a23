package skein.burst;

/**
 * What one burst may write into the journal; what is left out is counted there.
 *
 * @param valueMax characters of one value; of a larger one only its size is kept
 * @param charsMax characters of all values; later entries go without
 * @param entriesMax entries; later ones are left out
 */
public record JournalLimits(int valueMax, int charsMax, int entriesMax) {
  public static final JournalLimits DEFAULT = new JournalLimits(65_536, 1_048_576, 10_000);

  public JournalLimits {
    if (valueMax < 1 || charsMax < 1 || entriesMax < 1) {
      throw new IllegalArgumentException(
          "Limits of the journal start at 1: " + valueMax + ", " + charsMax + ", " + entriesMax);
    }
  }
}
