package skein.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static skein.storage.QueuedCommits.shown;

import org.junit.jupiter.api.Test;
import skein.model.ErrorCode;
import skein.model.SkeinException;
import skein.storage.Proposal.Outcome;

/** Without a database and without time: what is taken when, and the outcome of what is not. */
class CommitQueueTest {
  private final QueuedCommits commits = new QueuedCommits();
  private final CommitQueue queue = commits.queue;

  @Test
  void a_batch_is_sorted_by_instance_and_takes_so_many_proposals() {
    commits.propose("c", 1);
    commits.propose("a", 1);
    commits.propose("b", 2);
    commits.propose("b", 3);
    commits.propose("d", 1);

    assertThat(shown(queue.takeBatch())).containsExactly("a@1", "b@2+3", "c@1");
    assertThat(shown(queue.takeBatch())).containsExactly("d@1");
    assertThat(queue.takeBatch()).isEmpty();
  }

  @Test
  void a_proposal_that_is_not_built_on_the_newest_of_its_instance_is_not_queued() {
    commits.propose("a", 2);
    assertThat(commits.propose("a", 4).result()).isEqualTo(Outcome.ABANDONED);
    assertThat(shown(queue.takeBatch())).containsExactly("a@2");

    assertThat(commits.propose("a", 2).result()).isEqualTo(Outcome.ABANDONED);
    assertThat(queue.takeBatch()).isEmpty();
  }

  @Test
  void what_was_built_on_a_chain_is_taken_when_the_chain_is_committed_and_not_before() {
    commits.propose("a", 2);
    var sent = commits.send();
    var next = commits.propose("a", 3);

    assertThat(queue.has(1)).isFalse();
    assertThat(queue.takeBatch()).isEmpty();
    queue.committed(sent.getFirst());
    assertThat(queue.has(1)).isTrue();
    assertThat(queue.has(2)).isFalse();
    assertThat(shown(queue.takeBatch())).containsExactly("a@3");
    assertThat(next.isComplete()).isFalse();
  }

  @Test
  void what_was_built_on_a_chain_that_is_not_committed_is_abandoned() {
    commits.propose("a", 2);
    var sent = commits.send();
    var next = commits.propose("a", 3);

    queue.notCommitted(sent.getFirst());
    commits.answers.give();

    assertThat(next.result()).isEqualTo(Outcome.ABANDONED);
    assertThat(queue.takeBatch()).isEmpty();
    assertThat(queue.isEmpty()).isTrue();
    assertThat(commits.metrics.waitingCommits().sum()).isZero();
  }

  @Test
  void what_goes_again_comes_first_and_as_it_was() {
    commits.propose("b", 2);
    commits.propose("b", 3);
    commits.propose("c", 1);
    var sent = commits.send();
    var chains = sent.stream().map(each -> each.underWay().chain).toList();
    commits.propose("a", 1);
    commits.propose("b", 4);

    queue.addFirst(sent);

    var again = queue.takeBatch();
    assertThat(shown(again)).containsExactly("a@1", "b@2+3", "c@1");
    assertThat(again.subList(1, 3)).extracting(each -> each.underWay().chain).isEqualTo(chains);
  }

  @Test
  void what_was_queued_before_a_moment_is_given_up_and_what_was_built_on_it_abandoned() {
    commits.propose("a", 2, 100);
    commits.send();
    var builtOnSent = commits.propose("a", 3, 200);
    var old = commits.propose("b", 2, 200);
    var builtOnOld = commits.propose("b", 3, 300);
    var young = commits.propose("c", 1, 300);

    queue.giveUpUnsent(300, new IllegalStateException("silence"));
    commits.answers.give();

    assertThat(builtOnSent.cause()).satisfies(CommitQueueTest::isUnavailable);
    assertThat(old.cause()).satisfies(CommitQueueTest::isUnavailable);
    assertThat(builtOnOld.result()).isEqualTo(Outcome.ABANDONED);
    assertThat(young.isComplete()).isFalse();
    assertThat(shown(queue.takeBatch())).containsExactly("c@1");
  }

  private static void isUnavailable(Throwable error) {
    assertThat(((SkeinException) error).code()).isEqualTo(ErrorCode.STORAGE_UNAVAILABLE);
  }

  @Test
  void the_queue_is_behind_by_the_oldest_that_waits_sent_before_or_not() {
    assertThat(queue.behind(500)).isZero();
    commits.propose("a", 1, 100);
    commits.propose("b", 1, 200);
    assertThat(queue.behind(500)).isEqualTo(400);

    var sent = commits.send();
    assertThat(queue.behind(500)).isZero();
    commits.propose("c", 1, 300);
    assertThat(queue.behind(500)).isEqualTo(200);

    queue.addFirst(sent);
    assertThat(queue.behind(500)).isEqualTo(400);
  }

  @Test
  void only_what_waits_to_be_sent_for_the_first_time_fills_the_queue() {
    for (int i = 0; i < 8; i++) {
      assertThat(queue.isFull()).isFalse();
      commits.propose("i" + i, 1);
    }
    assertThat(queue.isFull()).isTrue();

    commits.send();
    assertThat(queue.isFull()).isFalse();
  }
}
