package skein.node.bench;

/** Something a cluster is asked to do, over and over. */
sealed interface Scenario permits ClosedScenario, OpenScenario {
  ScenarioName name();
}
