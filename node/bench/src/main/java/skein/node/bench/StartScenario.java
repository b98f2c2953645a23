package skein.node.bench;

import org.jspecify.annotations.Nullable;

/** Starts workflows of three steps, and waits for each until it has ended. */
final class StartScenario implements ClosedScenario {
  @Override
  public ScenarioName name() {
    return ScenarioName.START;
  }

  @Override
  public void prepare(Stage stage) {
    // every stage has its definition
  }

  @Override
  public Work round(Stage stage) {
    return Fixed.starts(Long.MAX_VALUE);
  }

  @Override
  public @Nullable Integer waiting(BenchOptions options) {
    return null;
  }
}
