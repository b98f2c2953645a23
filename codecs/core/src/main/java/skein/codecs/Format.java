package skein.codecs;

/**
 * The version of all bytes that nodes leave to one another: states, and messages between them. It
 * is raised with everything that an older version would not understand: a component, a kind of
 * message or timer, a name, an activity.
 *
 * <p>Whatever a version writes, it also writes as the version before it did, so that both can be in
 * one cluster, and on one database.
 */
public final class Format {
  private static final int NEWEST = 2;

  /** Version 1 was never released. */
  private static final int OLDEST_WRITTEN = 2;

  private Format() {}

  /** The newest version that this code reads, with all before it. */
  public static int newest() {
    return NEWEST;
  }

  /** The oldest that this version can write. */
  public static int oldestWritten() {
    return OLDEST_WRITTEN;
  }

  /** The newest that a reader of {@code read} reads, as far as this version can write it. */
  public static int writtenFor(int read) {
    return Math.max(OLDEST_WRITTEN, Math.min(read, NEWEST));
  }
}
