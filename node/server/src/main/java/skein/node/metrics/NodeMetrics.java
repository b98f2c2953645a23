package skein.node.metrics;

import skein.metrics.DatabaseMetrics;
import skein.metrics.ExecutionMetrics;
import skein.metrics.HttpMetrics;
import skein.metrics.LinkMetrics;
import skein.metrics.RetentionMetrics;
import skein.metrics.ScannerMetrics;
import skein.metrics.SecurityMetrics;
import skein.metrics.WorkMetrics;

/** Everything that the parts of one node count. */
public record NodeMetrics(
    ExecutionMetrics execution,
    DatabaseMetrics database,
    Passes passes,
    HttpMetrics http,
    WorkMetrics work,
    LinkMetrics links,
    SecurityMetrics security) {

  /** Counters of passes over the database, which one node makes at a time. */
  public record Passes(ScannerMetrics scanner, RetentionMetrics retention) {}

  /**
   * @param definitionsMax definitions whose instances are counted by themselves
   * @param tenantsMax tenants whose instances are counted by themselves
   */
  public static NodeMetrics none(int definitionsMax, int tenantsMax) {
    return new NodeMetrics(
        new ExecutionMetrics(definitionsMax, tenantsMax),
        new DatabaseMetrics(),
        new Passes(new ScannerMetrics(), new RetentionMetrics()),
        new HttpMetrics(),
        new WorkMetrics(),
        new LinkMetrics(),
        new SecurityMetrics());
  }
}
