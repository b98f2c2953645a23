package skein.node.bench;

import java.util.List;

/** A scenario whose load does not wait for answers, and which measures it in its own way. */
sealed interface OpenScenario extends Scenario
    permits TimersScenario, CatchUpScenario, ChildrenScenario, SoakScenario {

  /** Prepares, measures, and reports each result. */
  List<Result> measure(Stage stage);
}
