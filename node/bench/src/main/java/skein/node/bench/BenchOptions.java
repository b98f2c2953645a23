package skein.node.bench;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.node.config.DatabaseConfig;

/** What is to be measured, and on what. */
public record BenchOptions(
    List<ScenarioName> scenarios, Load load, Population population, Target target) {
  public BenchOptions {
    scenarios = List.copyOf(scenarios);
  }

  /** How resumes name what they resume. */
  public enum By {
    API,
    TOKEN
  }

  /**
   * @param callers one measurement for each number of callers
   * @param measured how long each takes, not counting what is made ready in between
   * @param runs how often each is repeated; the median is told
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
   * @param urls of the nodes of a cluster that is there; empty: one is started
   * @param database of that cluster, read from the configuration; null when one is started
   * @param own the cluster that is started
   */
  public record Target(
      List<URI> urls, @Nullable DatabaseConfig database, Own own, Versions versions) {
    public Target {
      urls = List.copyOf(urls);
    }
  }

  /**
   * A cluster that is started for the measurement.
   *
   * @param data where PostgreSQL keeps its data; null: in a folder that is deleted afterwards
   * @param port of the first node; 0: free ones
   * @param heap of a node, as {@code 256m}
   * @param settings of all nodes, by key
   */
  public record Own(
      @Nullable Path data, int nodes, int port, String heap, Map<String, String> settings) {
    public Own {
      settings = Map.copyOf(settings);
    }
  }

  /** Of this program, and of the PostgreSQL it brings. */
  public record Versions(String skein, String postgresql) {}
}
