package skein.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import skein.node.Http.Answer;

/** Thirty callers try to resume each of a hundred instances, at the same moment, on three nodes. */
final class ResumeRace {
  private static final int INSTANCES = 100;
  private static final int CALLERS = 30;
  private static final Set<String> REFUSALS = Set.of("ALREADY_RESUMED", "IN_PROGRESS");

  private final TestCluster cluster;
  private final String title;
  private final boolean locks;
  private final TreeMap<String, Integer> answered = new TreeMap<>();

  /** {@code locks}: whether the cluster has them. */
  ResumeRace(TestCluster cluster, String title, boolean locks) {
    this.cluster = cluster;
    this.title = title;
    this.locks = locks;
  }

  void run() {
    var definitionId = "race-" + cluster.name();
    cluster.api(0).publish(Workflows.approval(definitionId));
    var ids = Together.call(INSTANCES, 16, number -> cluster.api(number).start(definitionId));

    long since = System.nanoTime();
    for (var id : ids) {
      check(id, Together.call(CALLERS, number -> cluster.api(number).resume(id)));
    }
    Measured.say(
        title,
        "%d instances x %d callers on %d nodes in %.1f s: %s",
        INSTANCES,
        CALLERS,
        cluster.nodes().size(),
        Measured.seconds(since),
        answered);

    ids.forEach(this::checkJournal);
    checkTables(ids);
    checkLogs(new HashSet<>(ids));
  }

  private void check(String id, List<Answer> answers) {
    for (var answer : answers) {
      answered.merge(answer.status() + " " + answer.code(), 1, Integer::sum);
    }
    assertThat(answers).as("resumes of %s", id).filteredOn(a -> a.status() == 200).hasSize(1);
    assertThat(answers)
        .as("resumes of %s", id)
        .filteredOn(answer -> answer.status() != 200)
        .hasSize(CALLERS - 1)
        .allMatch(a -> a.status() / 100 == 4 && REFUSALS.contains(a.code()));
  }

  private void checkJournal(String id) {
    var journal = cluster.api(1).journal(id);
    assertThat(journal)
        .filteredOn(entry -> entry.getString("eventName").equals("Resumed"))
        .as("times %s was resumed", id)
        .hasSize(1);
    assertThat(journal)
        .filteredOn(entry -> entry.getString("activityId").equals("done"))
        .filteredOn(entry -> entry.getString("eventName").equals("Completed"))
        .as("second lines of %s", id)
        .hasSize(1);
  }

  private void checkTables(List<String> ids) {
    var outcomes = Outcome.of(cluster.sql(), ids);
    assertThat(outcomes).hasSize(INSTANCES);
    assertThat(outcomes.values())
        .allMatch(Outcome::isCompleted)
        .allMatch(Outcome::isGapless)
        .allMatch(outcome -> outcome.lines() == 2 && outcome.resumed() == 1);
    assertThat(
            cluster
                .sql()
                .number(
                    "select count(*) from bookmarks where workflow_instance_id = any($1)",
                    (Object) ids.toArray(String[]::new)))
        .as("bookmarks left")
        .isZero();
  }

  /** The log is written by a thread of its own, so its last lines may take a moment. */
  private void checkLogs(Set<String> ids) {
    var resumed =
        Eventually.get(
            Duration.ofSeconds(10),
            () ->
                cluster.logged("ResumeWorkflowTask executed for bookmark ").stream()
                    .filter(bookmark -> ids.contains(instanceOf(bookmark)))
                    .toList(),
            lines -> lines.size() >= INSTANCES);
    assertThat(resumed).hasSize(INSTANCES).doesNotHaveDuplicates();
    assertThat(cluster.logged("Quartz job executed: ResumeWorkflowTask for bookmark "))
        .as("what no timer resumed")
        .noneMatch(bookmark -> ids.contains(instanceOf(bookmark)));
    if (!locks) {
      assertThat(locks("Acquired", ids)).as("nothing is there to be acquired").isEmpty();
      assertThat(locks("Released", ids)).isEmpty();
      return;
    }
    assertThat(cluster.logged("Lock acquisition failed; resume already in progress for workflow "))
        .as("losers who found the instance held")
        .filteredOn(ids::contains)
        .isNotEmpty();
    var acquired = locks("Acquired", ids);
    var released =
        Eventually.get(
            Duration.ofSeconds(10),
            () -> locks("Released", ids),
            lines -> lines.size() >= acquired.size());
    assertThat(acquired).hasSizeGreaterThanOrEqualTo(INSTANCES).containsAll(ids);
    assertThat(released).containsExactlyInAnyOrderElementsOf(acquired);
  }

  private List<String> locks(String verb, Set<String> ids) {
    return cluster.logged(verb + " distributed lock for workflow instance ").stream()
        .filter(ids::contains)
        .toList();
  }

  private static String instanceOf(String bookmarkId) {
    return bookmarkId.substring(0, bookmarkId.lastIndexOf('-'));
  }
}
