package skein.node.metrics;

import skein.metrics.DatabaseFigures;
import skein.metrics.ExecutionFigures;
import skein.metrics.HttpFigures;
import skein.metrics.LinkFigures;
import skein.metrics.RetentionFigures;
import skein.metrics.ScannerFigures;
import skein.metrics.WorkFigures;

/** Everything that the parts of one node count. */
public record Figures(
    ExecutionFigures execution,
    DatabaseFigures database,
    ScannerFigures scanner,
    RetentionFigures retention,
    HttpFigures http,
    WorkFigures work,
    LinkFigures links) {

  /** {@code definitionsMax}: definitions whose instances are counted by themselves. */
  public static Figures none(int definitionsMax) {
    return new Figures(
        new ExecutionFigures(definitionsMax),
        new DatabaseFigures(),
        new ScannerFigures(),
        new RetentionFigures(),
        new HttpFigures(),
        new WorkFigures(),
        new LinkFigures());
  }
}
