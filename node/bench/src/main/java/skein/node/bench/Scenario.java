package skein.node.bench;

import java.util.List;

/** Something a cluster is asked to do, over and over. */
sealed interface Scenario
    permits ClosedScenario, TimersScenario, CatchUpScenario, ChildrenScenario, SoakScenario {
  ScenarioName name();

  /** Makes ready what it needs, measures, and tells a result for each number of callers. */
  List<Result> measure(Stage stage);
}
