package skein.node.bench;

import java.util.List;

/** A scenario whose load does not wait for answers, and which measures it in its own way. */
sealed interface OpenScenario extends Scenario
    permits TimersScenario, CatchUpScenario, ChildrenScenario, SoakScenario {

  /** Makes ready what it needs, measures, and tells a result for each thing it has measured. */
  List<Result> measure(Stage stage);
}
