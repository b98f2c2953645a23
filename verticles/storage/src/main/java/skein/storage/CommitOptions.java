package skein.storage;

/**
 * The limits of a {@link Committer}, and how long it tries.
 *
 * @param queueMax proposals that may wait; more are refused with {@code OVERLOADED}
 * @param stateBytesMax of one instance; a larger one is refused with {@code STATE_TOO_LARGE}
 */
public record CommitOptions(Batches batches, int queueMax, Retries retries, int stateBytesMax) {
  /**
   * How proposals become statements.
   *
   * @param max proposals in one statement
   * @param bytesMax after which none is added to a statement; one may take more by itself
   * @param flightsMax statements under way at one time, each on a connection of its own
   * @param overlapMin proposals that must have gathered for one more while there is one under way
   * @param statementUsesMax executions of a prepared statement before it is prepared and planned
   *     again
   */
  public record Batches(
      int max, long bytesMax, int flightsMax, int overlapMin, int statementUsesMax) {
    static final long BYTES_MAX = 8 << 20;

    /** Where the database itself is slow, more of them would only take more time. */
    private static final int HALVINGS_MAX = 2;

    /** With 8 MiB in one statement. */
    public Batches(int max, int flightsMax, int overlapMin, int statementUsesMax) {
      this(max, BYTES_MAX, flightsMax, overlapMin, statementUsesMax);
    }

    /** How much is sent of what was not answered so often: it may have been too much. */
    Batches halved(int times) {
      int halvings = Math.min(times, HALVINGS_MAX);
      return new Batches(
          Math.max(1, max >> halvings),
          Math.max(1, bytesMax >> halvings),
          flightsMax,
          overlapMin,
          statementUsesMax);
    }
  }

  /**
   * What happens when the database does not answer.
   *
   * @param attemptsMax how often a proposal is tried
   * @param delayMillis between two attempts, times their number
   */
  public record Retries(int attemptsMax, long delayMillis) {}
}
