package skein.node.bench;

import org.jspecify.annotations.Nullable;

/** Starts workflows of three steps, and waits for each until it has ended. */
final class StartScenario implements ClosedScenario {
  private static final String PATH =
      "/elsa/api/workflow-definitions/" + Definitions.START + "/execute";

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
    return work(Long.MAX_VALUE);
  }

  static Work work(long count) {
    return new Fixed(Requests.post(PATH, "{}"), "\"subStatus\":\"Finished\"", count);
  }

  @Override
  public @Nullable Integer waiting(BenchOptions options) {
    return null;
  }
}
