package skein.node.bench;

import org.jspecify.annotations.Nullable;

/** Asks for a page that a workflow answers. */
final class HttpScenario implements ClosedScenario {
  @Override
  public ScenarioName name() {
    return ScenarioName.HTTP;
  }

  @Override
  public void prepare(Stage stage) {
    stage.api().publish(Definitions.answering());
  }

  @Override
  public Work round(Stage stage) {
    return new Fixed(Requests.get("/workflows/" + Definitions.PATH), "done", Long.MAX_VALUE);
  }

  @Override
  public @Nullable Integer waiting(BenchOptions options) {
    return null;
  }
}
