package skein.node.verify;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Item 1: many resume one bookmark at the same moment through all nodes, and one of them does. */
final class ResumeCheck {
  private static final int ROUNDS = 3;
  private static final int CALLERS = 30;
  private static final Duration END_MAX = Duration.ofSeconds(10);

  private final Site site;
  private final TreeMap<String, Integer> answers = new TreeMap<>();
  private final ArrayList<String> complaints = new ArrayList<>();

  ResumeCheck(Site site) {
    this.site = site;
  }

  CheckResult run() {
    var definitionId = site.traces().definitionId("approval");
    site.traces().publish(site.client(0), Workflows.approval(definitionId));
    for (int round = 0; round < ROUNDS; round++) {
      race(round, site.traces().start(site.client(round), definitionId));
    }
    int callers = ROUNDS * CALLERS;
    return CheckResult.of(
        complaints,
        "%d instances, each resumed by %d callers at once through %s: %s"
                .formatted(ROUNDS, CALLERS, site.names(), text(answers))
            + (complaints.isEmpty() ? "; each went on once and finished" : ""),
        Map.of("instances", ROUNDS, "resumes", callers, "answers", Map.copyOf(answers)));
  }

  /** As in {@code 1 x 200, 29 x 409 ALREADY_RESUMED}. */
  static String text(Map<String, Integer> answers) {
    return answers.entrySet().stream()
        .map(answer -> answer.getValue() + " x " + answer.getKey())
        .collect(Collectors.joining(", "));
  }

  private void race(int round, String id) {
    var outcomes = ConcurrentCalls.call(CALLERS, number -> outcome(site.client(number), id));
    outcomes.forEach(outcome -> answers.merge(outcome, 1, Integer::sum));
    long won = outcomes.stream().filter(outcome -> outcome.equals("200")).count();
    // asked of another node than the one that started it
    var instance = new Instance(site.client(round + 1), id);
    boolean finished = instance.awaitEnd(END_MAX);
    var history = instance.history();
    if (won != 1) {
      complaints.add("%d of %d resumes of instance %s succeeded".formatted(won, CALLERS, id));
    }
    if (!finished) {
      complaints.add("Instance " + id + " has not finished after " + END_MAX.toSeconds() + " s");
    } else if (!history.isOnce()) {
      complaints.add("Instance " + id + ": " + history);
    }
  }

  private String outcome(NodeClient node, String id) {
    try {
      return site.traces().resume(node, id).outcome();
    } catch (CheckException e) {
      return "no answer from " + node.base();
    }
  }
}
