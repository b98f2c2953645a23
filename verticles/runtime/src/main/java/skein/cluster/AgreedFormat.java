package skein.cluster;

import skein.codecs.Format;

/**
 * Which format of states the nodes on this database have agreed on: the newest that each of them
 * reads, those of other clusters and those that were there lately included. Until the first look it
 * is the oldest. Thread-safe.
 */
public final class AgreedFormat {
  private volatile int oldestRead = Format.oldestWritten();
  private volatile int newestRead = Format.newest();

  /** Of the newest formats that the recent nodes read, the smallest and the largest. */
  public void seen(int oldestRead, int newestRead) {
    this.oldestRead = oldestRead;
    this.newestRead = newestRead;
  }

  /** The format in which this node stores states. */
  public int written() {
    return Format.writtenFor(oldestRead);
  }

  /** Whether there is, or was lately, a node that knows more than this one. */
  public boolean anyNewer() {
    return newestRead > Format.newest();
  }
}
