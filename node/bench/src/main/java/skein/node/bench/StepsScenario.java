package skein.node.bench;

import org.jspecify.annotations.Nullable;
import skein.node.dev.CannotStartException;

/**
 * Starts workflows of three steps that work outside the engine: each attempt is counted and each
 * result committed before the next step begins.
 */
final class StepsScenario implements ClosedScenario {
  private static final String PATH =
      "/elsa/api/workflow-definitions/" + Definitions.STEPS + "/execute";

  @Override
  public ScenarioName name() {
    return ScenarioName.STEPS;
  }

  @Override
  public void prepare(Stage stage) {
    if (!stage.cluster().isOwn()) {
      throw new CannotStartException(
          "The steps of the scenario steps come in a jar of the bench, which only nodes have that it"
              + " starts: leave out --url");
    }
    stage.api().publish(Definitions.ownSteps());
  }

  @Override
  public Work round(Stage stage) {
    return new Fixed(Requests.post(PATH, "{}"), "\"subStatus\":\"Finished\"", Long.MAX_VALUE);
  }

  @Override
  public @Nullable Integer waiting(BenchOptions options) {
    return null;
  }
}
