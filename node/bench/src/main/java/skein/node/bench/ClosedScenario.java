package skein.node.bench;

import org.jspecify.annotations.Nullable;

/** A scenario whose callers wait for their answer before they ask again. */
sealed interface ClosedScenario extends Scenario
    permits StartScenario,
        StepsScenario,
        ResumeScenario,
        EventScenario,
        FanOutScenario,
        HotScenario,
        HttpScenario,
        ListScenario {

  /** Publishes what it needs; called once, first. */
  void prepare(Stage stage);

  /** Requests until it has to be filled up again; fills it up. */
  Work round(Stage stage);

  /** How many wait when a round begins; null when nothing needs to. */
  @Nullable Integer waiting(BenchOptions options);
}
