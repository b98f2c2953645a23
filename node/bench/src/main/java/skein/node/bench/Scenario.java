package skein.node.bench;

import java.util.List;

/** Something a cluster is asked to do, over and over. */
sealed interface Scenario
    permits ClosedScenario, TimersScenario, CatchUpScenario, ChildrenScenario, SoakScenario {
  ScenarioName name();

  /** Makes ready what it needs, measures, and tells a result for each number of callers. */
  List<Result> measure(Stage stage);

  static Scenario of(ScenarioName name) {
    return switch (name) {
      case START -> new StartScenario();
      case RESUME -> new ResumeScenario();
      case EVENT -> new EventScenario();
      case TIMERS -> new TimersScenario();
      case CATCH_UP -> new CatchUpScenario();
      case HOT -> new HotScenario();
      case CHILDREN -> new ChildrenScenario();
      case LIST -> new ListScenario();
      case HTTP -> new HttpScenario();
      case SOAK -> new SoakScenario();
    };
  }
}
