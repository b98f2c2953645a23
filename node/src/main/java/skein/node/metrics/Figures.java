package skein.node.metrics;

import skein.metrics.DatabaseFigures;
import skein.metrics.ExecutionFigures;
import skein.metrics.HttpFigures;
import skein.metrics.ScannerFigures;
import skein.metrics.SchedulerCounts;

/** Everything that the parts of one node count. */
public record Figures(
    ExecutionFigures execution,
    DatabaseFigures database,
    SchedulerCounts scheduler,
    ScannerFigures scanner,
    HttpFigures http) {

  public static Figures none() {
    return new Figures(
        new ExecutionFigures(),
        new DatabaseFigures(),
        new SchedulerCounts(),
        new ScannerFigures(),
        new HttpFigures());
  }
}
