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
 */
public record SqlWorkOptions(
    Map<String, Source> sources, Duration timeout, int rowsMax, int rowsBytesMax) {
  public SqlWorkOptions {
    sources = Map.copyOf(sources);
  }

  /**
   * One database.
   *
   * @param url {@code postgresql://host:port/name} or {@code mysql://host:port/name}
   * @param user empty: as the URL says
   * @param password empty: as the URL says
   * @param poolSize connections of this node
   */
  public record Source(String url, String user, String password, int poolSize) {
    /** Without user and password, which may be in the URL too. */
    @Override
    public String toString() {
      return "Source[" + poolSize + "]";
    }
  }
}
