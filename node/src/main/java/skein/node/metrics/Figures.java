package skein.node.metrics;

import skein.metrics.DatabaseFigures;
import skein.metrics.ExecutionFigures;
import skein.metrics.HttpFigures;
import skein.metrics.ScannerFigures;

/** Everything that the parts of one node count. */
public record Figures(
    ExecutionFigures execution,
    DatabaseFigures database,
    ScannerFigures scanner,
    HttpFigures http) {

  public static Figures none() {
    return new Figures(
        new ExecutionFigures(), new DatabaseFigures(), new ScannerFigures(), new HttpFigures());
  }
}
