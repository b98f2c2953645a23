package skein.storage;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.pgclient.PgException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import skein.codecs.InstanceCodec;
import skein.model.ErrorCode;
import skein.model.SkeinException;
import skein.storage.CommitResults.Next;
import skein.storage.CommitTarget.Fate;
import skein.storage.Proposal.Outcome;

/** What the end of a statement means. Two attempts are made. */
class CommitResultsTest {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
  private final Throwable deadlock = new PgException("deadlock", "ERROR", "40P01", null);
  private final Throwable tooLong = new PgException("too long", "ERROR", "22001", null);
  private final Throwable unanswered =
      new CommitSession.Unanswered(new IllegalStateException("silence"));

  private final QueuedCommits commits = new QueuedCommits();
  private final CommitResults results =
      new CommitResults(commits.queue, commits.answers, 2, Duration.ofSeconds(5));

  private Next failed(List<Sequence> batch, Throwable error) {
    return given(results.failed(batch, error, 0, SECOND));
  }

  private Next executed(List<Sequence> batch, Set<String> won) {
    return given(results.executed(batch, won));
  }

  private Next given(Next next) {
    commits.answers.give();
    return next;
  }

  private List<Sequence> sentAgain(Next next) {
    commits.queue.addFirst(((Next.SendAgain) next).chains());
    return commits.send();
  }

  private static ErrorCode code(Future<Outcome> outcome) {
    return ((SkeinException) outcome.cause()).code();
  }

  @Test
  void who_won_is_committed_and_who_did_not_has_lost() {
    var a = commits.propose("a", 1);
    var b = commits.propose("b", 1);
    var batch = commits.send();

    assertThat(executed(batch, Set.of("b"))).isInstanceOf(Next.Nothing.class);

    assertThat(a.result()).isEqualTo(Outcome.LOST);
    assertThat(b.result()).isEqualTo(Outcome.COMMITTED);
    assertThat(commits.queue.isEmpty()).isTrue();
  }

  @Test
  void of_a_chain_the_state_that_was_written_is_the_one_of_the_last() {
    var first = commits.propose("a", 2);
    var second = commits.propose("a", 3);

    executed(commits.send(), Set.of("a"));

    assertThat(first.result()).isEqualTo(Outcome.COMMITTED);
    assertThat(second.result()).isEqualTo(Outcome.COMMITTED);
    assertThat(commits.written).containsOnlyKeys(3L);
    assertThat(Objects.requireNonNull(commits.written.get(3L)).bytes())
        .isEqualTo(InstanceCodec.encode(Samples.transition("a", 3).next()));
  }

  @Test
  void of_a_chain_that_lost_each_is_abandoned() {
    var first = commits.propose("a", 2);
    var second = commits.propose("a", 3);

    executed(commits.send(), Set.of());

    assertThat(first.result()).isEqualTo(Outcome.ABANDONED);
    assertThat(second.result()).isEqualTo(Outcome.ABANDONED);
  }

  @Test
  void what_may_have_lost_to_itself_is_asked_for() {
    var a = commits.propose("a", 1);
    var b = commits.propose("b", 1);
    var again = sentAgain(failed(commits.send(), unanswered));

    var next = executed(again, Set.of("b"));

    assertThat(next).isEqualTo(new Next.AskForFate(List.of(again.getFirst())));
    assertThat(a.isComplete()).isFalse();
    assertThat(b.result()).isEqualTo(Outcome.COMMITTED);
    given(results.fateKnown(again.getFirst(), Fate.COMMITTED));
    assertThat(a.result()).isEqualTo(Outcome.COMMITTED);
  }

  @Test
  void what_failed_for_certain_is_not_asked_for_when_it_loses() {
    var a = commits.propose("a", 1);
    var again = sentAgain(failed(commits.send(), deadlock));

    assertThat(executed(again, Set.of())).isInstanceOf(Next.Nothing.class);
    assertThat(a.result()).isEqualTo(Outcome.LOST);
  }

  @Test
  void a_fate_that_is_open_is_asked_for_until_the_attempts_are_used_up() {
    var a = commits.propose("a", 1);
    var batch = commits.send();
    failed(batch, unanswered);

    var next = given(results.fateKnown(batch.getFirst(), Fate.OPEN));
    assertThat(((Next.SendAgain) next).chains()).isEqualTo(batch);
    assertThat(a.isComplete()).isFalse();

    sentAgain(next);
    next = given(results.fateKnown(batch.getFirst(), Fate.OPEN));
    assertThat(((Next.SendAgain) next).chains()).isEmpty();
    assertThat(code(a)).isEqualTo(ErrorCode.OUTCOME_UNKNOWN);
    assertThat(commits.queue.isEmpty()).isTrue();
  }

  @Test
  void what_is_lost_for_certain_after_all_is_told_so() {
    var a = commits.propose("a", 1);
    var batch = commits.send();
    failed(batch, unanswered);

    given(results.fateKnown(batch.getFirst(), Fate.LOST));

    assertThat(a.result()).isEqualTo(Outcome.LOST);
  }

  @Test
  void an_error_of_the_data_splits_a_batch_and_fails_a_proposal_that_is_alone() {
    var a = commits.propose("a", 1);
    var b = commits.propose("b", 1);
    var batch = commits.send();

    assertThat(failed(batch, tooLong)).isInstanceOf(Next.SendHalves.class);
    assertThat(a.isComplete()).isFalse();
    assertThat(failed(batch.subList(0, 1), tooLong)).isInstanceOf(Next.Nothing.class);

    assertThat(a.cause()).hasRootCauseMessage(tooLong.getMessage());
    assertThat(b.isComplete()).isFalse();
  }

  @Test
  void a_chain_that_cannot_be_written_is_abandoned_for_one_of_them_is_bad() {
    var first = commits.propose("a", 2);
    var second = commits.propose("a", 3);

    failed(commits.send(), tooLong);

    assertThat(first.result()).isEqualTo(Outcome.ABANDONED);
    assertThat(second.result()).isEqualTo(Outcome.ABANDONED);
  }

  @Test
  void an_error_of_the_data_after_an_attempt_without_an_answer_says_nothing_about_that_one() {
    var a = commits.propose("a", 1);
    var again = sentAgain(failed(commits.send(), unanswered));

    assertThat(failed(again, tooLong)).isEqualTo(new Next.AskForFate(again));
    assertThat(a.isComplete()).isFalse();
  }

  @Test
  void an_error_of_the_database_is_repeated_until_the_attempts_are_used_up() {
    var a = commits.propose("a", 1);
    var next = failed(commits.send(), deadlock);
    assertThat(((Next.SendAgain) next).error()).isSameAs(deadlock);

    next = failed(sentAgain(next), deadlock);

    assertThat(((Next.SendAgain) next).chains()).isEmpty();
    assertThat(code(a)).isEqualTo(ErrorCode.STORAGE_UNAVAILABLE);
  }

  @Test
  void nothing_is_repeated_once_closed() {
    var a = commits.propose("a", 1);
    var batch = commits.send();
    results.close();

    assertThat(((Next.SendAgain) failed(batch, deadlock)).chains()).isEmpty();
    assertThat(code(a)).isEqualTo(ErrorCode.STORAGE_UNAVAILABLE);
  }

  /** The statement took 2 of the 5 seconds: another one fits for what has waited less than 3. */
  @Test
  void a_silent_database_is_waited_for_by_what_may_have_been_written_and_by_what_is_young() {
    var gone = new IllegalStateException("no connection");
    long now = 10 * SECOND;
    commits.propose("a", 1, 4 * SECOND);
    failed(commits.send(), unanswered);
    var old = commits.propose("b", 1, 7 * SECOND - 1);
    commits.propose("c", 1, 7 * SECOND);
    var batch = commits.send();
    var unsent = commits.propose("d", 1, 7 * SECOND - 1);
    var young = commits.propose("e", 1, 7 * SECOND);

    var next = given(results.failed(batch, gone, now - 2 * SECOND, now));

    assertThat(QueuedCommits.shown(((Next.SendAgain) next).chains())).containsExactly("c@1");
    assertThat(code(old)).isEqualTo(ErrorCode.STORAGE_UNAVAILABLE);
    assertThat(code(unsent)).isEqualTo(ErrorCode.STORAGE_UNAVAILABLE);
    assertThat(young.isComplete()).isFalse();
  }

  @Test
  void what_may_have_been_written_is_repeated_however_old() {
    var a = commits.propose("a", 1, 0);
    var batch = commits.send();
    long late = 60 * SECOND;

    var next = given(results.failed(batch, unanswered, late - SECOND, late));
    assertThat(((Next.SendAgain) next).chains()).isEqualTo(batch);
    next = given(results.fateUnknown(batch.getFirst(), unanswered, late, late + SECOND));

    assertThat(((Next.SendAgain) next).chains()).isEqualTo(batch);
    assertThat(a.isComplete()).isFalse();
  }

  @Test
  void who_is_answered_may_propose_more_and_is_answered_in_the_same_turn() {
    var order = new ArrayList<String>();
    commits
        .propose("a", 2)
        .onComplete(first -> {
          order.add("a " + first.result());
          commits.propose("a", 5).onComplete(second -> order.add("a again " + second.result()));
          commits.answers.give();
        });
    commits.propose("b", 1).onComplete(first -> order.add("b " + first.result()));
    var batch = commits.send();
    commits.propose("a", 3);

    executed(batch, QueuedCommits.ids(batch));

    assertThat(order).containsExactly("a COMMITTED", "a again ABANDONED", "b COMMITTED");
  }
}
