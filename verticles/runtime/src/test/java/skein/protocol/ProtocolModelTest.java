package skein.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;
import skein.protocol.ModelChecker.Result;
import skein.protocol.ModelChecker.Run;

/**
 * The models of {@code src/model} hold with the rules of the protocol, and each rule that is
 * weakened has a counterexample. All runs begin at once, two at a time.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("long")
class ProtocolModelTest {
  private static final int RUNS_AT_ONCE = 2;

  /** How commits were made when a state had no id: compared by revision, followers kept. */
  private static final Map<String, String> WITHOUT_STATE_IDS =
      Map.of(
          "FENCE", "\"revision\"",
          "STATE_ID", "\"command\"",
          "FOLLOWERS", "\"kept\"",
          "SNAPSHOT", "\"two\"",
          "FIRST_ATTEMPT", "\"unchecked\"",
          "JOINED", "\"believed\"");

  private static final Map<String, String> NO_FAULTS = Map.of("LossesMax", "0", "RefusalsMax", "0");

  /** Of the models, without those that are long: those that count how often a step is taken. */
  private static final Map<String, Boolean> MODELS =
      Map.of(
          "Commits-forks", true,
          "Commits-repeats", false,
          "Commits-unnamed", false,
          "Commits-deletes", true,
          "Keys", true,
          "Keys-takeovers", false,
          "Events", true);

  /** A rule without which something goes wrong, and what. */
  record Weakened(String rule, String model, String invariant, Map<String, String> settings) {
    private Run run() {
      return new Run(model, settings, invariant, false);
    }

    private Weakened and(Map<String, String> more) {
      var all = new LinkedHashMap<>(settings);
      all.putAll(more);
      return new Weakened(rule, model, invariant, all);
    }

    @Override
    public String toString() {
      return rule;
    }
  }

  private static final List<Weakened> WEAKENED =
      List.of(
          new Weakened(
                  "states without ids, no fault",
                  "Commits-forks",
                  "StateIsTheFoldOfTheJournal",
                  WITHOUT_STATE_IDS)
              .and(NO_FAULTS),
          new Weakened(
                  "states without ids, no fault, bookmarks",
                  "Commits-forks",
                  "BookmarkIsResumedOnce",
                  WITHOUT_STATE_IDS)
              .and(NO_FAULTS),
          new Weakened(
                  "states without ids, one node",
                  "Commits-forks",
                  "StateIsTheFoldOfTheJournal",
                  WITHOUT_STATE_IDS)
              .and(Map.of("Nodes", "{n1}", "Rivals", "{}")),
          new Weakened(
              "commits compare revisions, followers are kept",
              "Commits-forks",
              "StateIsTheFoldOfTheJournal",
              Map.of("FENCE", "\"revision\"", "FOLLOWERS", "\"kept\"")),
          new Weakened(
              "commits compare revisions",
              "Commits-deletes",
              "StateIsTheFoldOfTheJournal",
              Map.of("FENCE", "\"revision\"")),
          new Weakened(
                  "states are named by commands",
                  "Commits-forks",
                  "StateIsTheFoldOfTheJournal",
                  Map.of("STATE_ID", "\"command\""))
              .and(
                  Map.of(
                      "Commands", "{1, 2}",
                      "Rivals", "{}",
                      "AttemptsMax", "2",
                      "RepeatsMax", "1")),
          new Weakened(
              "followers are kept",
              "Commits-forks",
              "NoOrphanIsPending",
              Map.of("FOLLOWERS", "\"kept\"")),
          new Weakened(
              "refusals of copies are believed",
              "Commits-forks",
              "RefusalIsTrue",
              Map.of("REFUSAL", "\"copy\"")),
          new Weakened(
              "journal and state are read in two snapshots",
              "Commits-unnamed",
              "CommandIsDoneOnce",
              Map.of("SNAPSHOT", "\"two\"")),
          new Weakened(
              "journal and state are read in two snapshots, named bookmarks",
              "Commits-repeats",
              "RefusalIsTrue",
              Map.of("SNAPSHOT", "\"two\"")),
          new Weakened(
              "first attempts do not ask the journal",
              "Commits-unnamed",
              "CommandIsDoneOnce",
              Map.of("FIRST_ATTEMPT", "\"unchecked\"")),
          new Weakened(
              "a copy does not know the command that made it",
              "Commits-unnamed",
              "CommandIsDoneOnce",
              Map.of("COPIES", "\"but the last\"")),
          new Weakened(
              "a repeat that joins believes a refusal",
              "Commits-repeats",
              "RefusalIsTrue",
              Map.of("JOINED", "\"believed\"")),
          new Weakened(
              "claims have no lease, are released once",
              "Keys",
              "AbandonedClaimIsFree",
              Map.of("CLAIM", "\"fixed\"", "RELEASE", "\"once\"")),
          new Weakened(
              "claims have no lease", "Keys", "AbandonedClaimIsFree", Map.of("CLAIM", "\"fixed\"")),
          new Weakened(
              "commits do not demand the claim",
              "Keys",
              "TakesEffectOnce",
              Map.of("COMMIT", "\"unfenced\"")),
          new Weakened(
              "receivers found are counted as resumed",
              "Events",
              "OneIsToldResumed",
              Map.of("ANSWER", "\"found\"", "COMMAND_ID", "\"fresh\"")),
          new Weakened(
              "each firing has its own command id",
              "Events",
              "AnswerIsWhatWasCommitted",
              Map.of("COMMAND_ID", "\"fresh\"")),
          new Weakened(
              "commits do not demand the timer's row",
              "Events",
              "TimerFiresOnce",
              Map.of("GUARD", "\"none\"")));

  private final ExecutorService runs = Executors.newFixedThreadPool(RUNS_AT_ONCE);
  private final Map<String, Future<Result>> models = new TreeMap<>();
  private final Map<Weakened, Future<Result>> weakened = new LinkedHashMap<>();
  private final List<String> told = new ArrayList<>();
  private final long since = System.nanoTime();

  @BeforeAll
  void begin() {
    MODELS.forEach((model, countActions) -> {
      var run = new Run(model, Map.of(), null, countActions);
      models.put(model, runs.submit(() -> ModelChecker.check(run)));
    });
    for (var each : WEAKENED) {
      weakened.put(each, runs.submit(() -> ModelChecker.check(each.run())));
    }
  }

  @AfterAll
  void end() {
    runs.shutdownNow();
    told.stream().sorted().forEach(System.out::println);
    System.out.printf(
        "Models: %d hold, %d counterexamples in weakened ones, %d s%n",
        models.size(), weakened.size(), (System.nanoTime() - since) / 1_000_000_000);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Commits-forks",
        "Commits-repeats",
        "Commits-unnamed",
        "Commits-deletes",
        "Keys",
        "Keys-takeovers",
        "Events"
      })
  void the_protocol_has_no_counterexample(String model) throws Exception {
    var result = models.get(model).get();
    told.add(
        "Model %s: %,d states, %,d distinct, %.1f s"
            .formatted(
                model, result.generated(), result.distinct(), result.took().toMillis() / 1000.0));
    assertThat(result.violated()).isNull();
    assertThat(result.distinct()).isGreaterThan(10_000);
  }

  @ParameterizedTest
  @FieldSource("WEAKENED")
  void a_weakened_rule_has_a_counterexample(Weakened rule) throws Exception {
    var result = weakened.get(rule).get();
    told.add(
        "Weakened, %s: %s does not hold after %s"
            .formatted(rule, result.violated(), String.join(", ", tail(result.steps()))));
    assertThat(result.violated()).isEqualTo(rule.invariant());
    assertThat(result.steps()).hasSizeGreaterThan(2);
  }

  /** Without what came before there was a choice. */
  private static List<String> tail(List<String> steps) {
    return steps.subList(Math.min(1, steps.size()), steps.size());
  }

  /** An invariant also holds where nothing ever happens. */
  @Test
  void every_step_of_the_models_is_taken() throws Exception {
    var taken = new TreeMap<String, Long>();
    for (var model : MODELS.keySet()) {
      for (var action : models.get(model).get().actions().entrySet()) {
        taken.merge(
            model.replaceAll("-.*", "") + "." + action.getKey(), action.getValue(), Long::sum);
      }
    }
    assertThat(taken).hasSizeGreaterThan(30).doesNotContainValue(0L);
  }
}
