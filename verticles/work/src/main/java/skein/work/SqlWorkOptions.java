package skein.work;

import java.time.Duration;
import java.util.Map;

/**
 * The databases that definitions may use.
 *
 * @param sources by the name that definitions call them
 * @param timeout of one statement
 * @param rowsMax of one query; more fail it
 * @param rowsBytesMax of all rows of one query, as JSON about; more fail it
 * @param reading how fast large results are read
 */
public record SqlWorkOptions(
    Map<String, Source> sources, Duration timeout, int rowsMax, int rowsBytesMax, Reading reading) {
  public SqlWorkOptions {
    sources = Map.copyOf(sources);
  }

  /**
   * How fast results are read.
   *
   * @param largeBytes of a result that are read at once, whatever others read; 0 and more
   * @param bytesPerSecondMax of what is more than that, of all results of the node together; 1 and
   *     more
   */
  public record Reading(int largeBytes, int bytesPerSecondMax) {
    public Reading {
      if (largeBytes < 0 || bytesPerSecondMax < 1) {
        throw new IllegalArgumentException(
            "Reading of results: " + largeBytes + ", " + bytesPerSecondMax);
      }
    }
  }

  /**
   * One database.
   *
   * @param url {@code postgresql://host:port/name} or {@code mysql://host:port/name}
   * @param user empty: as the URL says
   * @param password {@link Password#NONE}: as the URL says
   * @param poolSize connections of this node
   */
  public record Source(String url, String user, Password password, int poolSize) {
    /** Without user and password, which may be in the URL too. */
    @Override
    public String toString() {
      return "Source[" + poolSize + "]";
    }
  }
}
