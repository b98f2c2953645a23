package skein.node.bench;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import skein.node.config.DatabaseConfig;

/**
 * The scenarios to measure, and their target.
 *
 * @param compareTo a commit, or the folder of another checkout, that is measured in turn; null:
 *     nothing is compared
 * @param profile the folder for profiles; null: nothing is profiled
 */
public record BenchOptions(
    List<ScenarioName> scenarios,
    Load load,
    Population population,
    Target target,
    @Nullable String compareTo,
    @Nullable Path profile) {
  public BenchOptions {
    scenarios = List.copyOf(scenarios);
    if (compareTo != null && profile != null) {
      throw new IllegalArgumentException("--compare and --profile exclude each other");
    }
    boolean own = target.urls().isEmpty();
    if (!own && (compareTo != null || profile != null)) {
      throw new IllegalArgumentException(
          "--compare and --profile look into nodes that the bench starts: leave out --url");
    }
    if (compareTo != null || profile != null) {
      requireClosed(scenarios);
    }
  }

  private static void requireClosed(List<ScenarioName> scenarios) {
    for (var name : scenarios) {
      if (!name.isClosed()) {
        throw new IllegalArgumentException(
            "--compare and --profile need callers that wait for their answers, which "
                + name.label()
                + " does not have");
      }
    }
  }

  /** How resumes name what they resume. */
  public enum By {
    API,
    TOKEN
  }

  /**
   * @param callers one measurement for each number of callers
   * @param measured how long each takes, not counting what is made ready in between
   * @param runs how often each is repeated; the median is reported
   * @param limit how long the limit is measured with each number of connections
   * @param rate of scenarios whose callers do not wait for one another, a second
   */
  public record Load(
      List<Integer> callers,
      Duration measured,
      Duration warmUp,
      int runs,
      Duration limit,
      int rate) {
    public Load {
      callers = List.copyOf(callers);
    }

    int callersMax() {
      return callers.stream().mapToInt(Integer::intValue).max().orElse(1);
    }
  }

  /**
   * @param waiting how many instances wait to be resumed
   * @param pending how many timers are far in the future
   * @param due how many timers fall due at one instant
   * @param children how many instances one parent starts
   */
  public record Population(int waiting, By by, int pending, int due, int children) {}

  /**
   * @param urls of the nodes of an existing cluster; empty: one is started
   * @param database of that cluster, read from the configuration; null when one is started
   * @param access to the nodes of an existing cluster
   * @param own the cluster that is started
   */
  public record Target(
      List<URI> urls,
      @Nullable DatabaseConfig database,
      Access access,
      Own own,
      Versions versions) {
    public Target {
      urls = List.copyOf(urls);
    }

    /** The same, at ports that are free. */
    Target atFreePorts() {
      return new Target(urls, database, access, own.atFreePorts(), versions);
    }
  }

  /**
   * How requests are sent to nodes.
   *
   * @param tls verifies the certificates of nodes with {@code https} addresses; null: there are
   *     none
   * @param authorization the header of that name; null: requests have none
   */
  public record Access(@Nullable SSLContext tls, @Nullable String authorization) {
    /** By plain HTTP, without a credential. */
    public static final Access NONE = new Access(null, null);

    @Override
    public String toString() {
      return "Access[tls=" + (tls != null) + "]";
    }
  }

  /**
   * A cluster that is started for the measurement.
   *
   * @param data where PostgreSQL keeps its data; null: in a folder that is deleted afterwards
   * @param port of the first node; 0: free ones
   * @param heap of a node, as {@code 256m}
   * @param secured whether they have HTTPS, TLS between them and to their database, and
   *     authenticated callers
   * @param settings of all nodes, by key; they win over those of {@code secured}
   */
  public record Own(
      @Nullable Path data,
      int nodes,
      int port,
      String heap,
      boolean secured,
      Map<String, String> settings) {
    public Own {
      settings = Map.copyOf(settings);
    }

    /** The same, at ports that are free. */
    Own atFreePorts() {
      return new Own(data, nodes, 0, heap, secured, settings);
    }
  }

  /** The versions of this program, and of its PostgreSQL. */
  public record Versions(String skein, String postgresql) {}
}
