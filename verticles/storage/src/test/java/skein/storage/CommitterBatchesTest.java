package skein.storage;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import skein.codecs.Format;
import skein.loop.EventLoop;
import skein.loop.Simulator;
import skein.metrics.DatabaseMetrics;
import skein.model.JournalEntry;
import skein.model.Labels;
import skein.model.Transition;
import skein.storage.Proposal.Outcome;

/** What goes into one statement. */
class CommitterBatchesTest {
  private static final int LARGE = 2_000;

  private final Simulator simulator = new Simulator(1);
  private final Target target = new Target();
  private final List<Future<Outcome>> outcomes = new ArrayList<>();

  /** Answers when it is told to. */
  private static final class Target implements CommitTarget {
    final List<List<Chain>> written = new ArrayList<>();
    final ArrayDeque<Promise<Set<String>>> open = new ArrayDeque<>();

    @Override
    public Future<Void> open() {
      return Future.succeededFuture();
    }

    @Override
    public Future<Set<String>> write(List<Chain> batch) {
      written.add(batch);
      Promise<Set<String>> answer = Promise.promise();
      open.add(answer);
      return answer.future();
    }

    List<Chain> last() {
      return written.getLast();
    }

    void commit() {
      var ids = new HashSet<String>();
      last().forEach(chain -> ids.add(chain.id().value()));
      open.remove().complete(ids);
    }

    void staySilent() {
      open.remove().fail(new CommitSession.Unanswered(new IllegalStateException("silence")));
    }

    @Override
    public Future<Fate> fateOf(Chain chain) {
      return Future.succeededFuture(Fate.OPEN);
    }

    @Override
    public void close() {}
  }

  private void commit(int max, long bytesMax, List<Proposal> proposals) {
    var loop = simulator.newLoop("loop");
    var committer =
        committer(loop, new CommitOptions.Batches(max, bytesMax, 1, 1, 200), List.of(target));
    inOneTurn(loop, () -> proposals.forEach(each -> outcomes.add(committer.commit(each))));
  }

  private void inOneTurn(EventLoop loop, Runnable task) {
    loop.execute(task);
    settle();
  }

  private static Committer committer(
      EventLoop loop, CommitOptions.Batches batches, List<Target> targets) {
    return new Committer(
        loop,
        targets,
        new CommitOptions(batches, 1_000, new CommitOptions.Retries(10, 20), 1_000_000),
        Duration.ofSeconds(5),
        Format::newest,
        new DatabaseMetrics());
  }

  private Committer onOne(EventLoop loop) {
    return committer(loop, new CommitOptions.Batches(100, 1 << 20, 1, 1, 200), List.of(target));
  }

  /** With two connections, of which the other one is used for four or more. */
  private static Committer onTwo(EventLoop loop, Target first, Target second) {
    return committer(
        loop, new CommitOptions.Batches(100, 1 << 20, 2, 4, 200), List.of(first, second));
  }

  private void settle() {
    long until = simulator.now() + Duration.ofMillis(300).toNanos();
    while (simulator.step(until)) {
      // until nothing is left to do
    }
  }

  private void answer(Runnable how) {
    how.run();
    settle();
  }

  private static List<Proposal> ofDifferentInstances(int count, int chars) {
    var labels = new Labels("x".repeat(chars), null, null);
    return IntStream.range(0, count)
        .mapToObj(i -> Samples.transition(Samples.instance("i" + (1_000 + i), 1, labels)))
        .map(Samples::proposal)
        .toList();
  }

  private static Proposal withJournal(
      long revision, @Nullable UUID builtOn, UUID stateId, int chars) {
    var sample = Samples.transition("i1", revision);
    var entry =
        new JournalEntry(
            revision,
            Samples.NOW,
            1,
            0,
            "a",
            "a",
            "Elsa.WriteLine",
            1,
            null,
            "Started",
            null,
            Map.of("state", Map.of("Text", "x".repeat(chars))));
    var transition =
        new Transition(
            sample.next(),
            sample.commitId(),
            Transition.Guard.NONE,
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            List.of(entry),
            List.of(),
            List.of());
    return new Proposal(transition, builtOn, stateId, null);
  }

  @Test
  void a_statement_takes_no_more_once_it_has_so_many_bytes() {
    commit(100, 10L * LARGE, ofDifferentInstances(40, LARGE));
    while (!target.open.isEmpty()) {
      answer(target::commit);
    }

    assertThat(target.written).allSatisfy(batch -> assertThat(batch).hasSizeBetween(1, 10));
    assertThat(target.written).hasSizeLessThan(8);
    assertThat(outcomes)
        .hasSize(40)
        .allSatisfy(each -> assertThat(each.result()).isEqualTo(Outcome.COMMITTED));
  }

  @Test
  void one_that_is_too_much_goes_alone() {
    commit(100, 100, ofDifferentInstances(3, LARGE));
    while (!target.open.isEmpty()) {
      answer(target::commit);
    }

    assertThat(target.written).hasSize(3);
    assertThat(outcomes).allSatisfy(each -> assertThat(each.result()).isEqualTo(Outcome.COMMITTED));
  }

  @Test
  void a_chain_is_cut_where_its_journals_are_too_much_and_stays_in_order() {
    var states = IntStream.range(0, 31).mapToObj(_ -> UUID.randomUUID()).toList();
    commit(
        100,
        10L * LARGE,
        IntStream.range(1, 31)
            .mapToObj(i -> withJournal(i + 1, states.get(i - 1), states.get(i), LARGE))
            .toList());
    while (!target.open.isEmpty()) {
      answer(target::commit);
    }

    var revisions = new ArrayList<Long>();
    for (var batch : target.written) {
      assertThat(batch).hasSize(1);
      assertThat(batch.getFirst().proposals()).hasSizeLessThanOrEqualTo(10);
      batch.getFirst().transitions().forEach(each -> revisions.add(each.next().revision()));
    }
    assertThat(revisions).hasSize(30).isSorted().doesNotHaveDuplicates();
    assertThat(target.written).hasSizeLessThan(8);
  }

  @Test
  void while_there_is_enough_for_all_connections_none_takes_more_than_its_share() {
    var other = new Target();
    var loop = simulator.newLoop("loop");
    var committer = onTwo(loop, target, other);
    var proposals = ofDifferentInstances(60, 10);

    inOneTurn(loop, () -> committer.commit(proposals.getFirst()));
    assertThat(target.last()).hasSize(1);
    inOneTurn(loop, () -> proposals.subList(1, 4).forEach(committer::commit));
    assertThat(other.written).isEmpty(); // Three are not worth a statement of their own.
    inOneTurn(loop, () -> proposals.subList(4, 60).forEach(committer::commit));
    assertThat(other.last()).hasSize(30); // of 60

    answer(target::commit);
    assertThat(target.last()).hasSize(29);
  }

  @Test
  void one_instance_is_not_made_to_share_with_none() {
    var other = new Target();
    var loop = simulator.newLoop("loop");
    var committer = onTwo(loop, target, other);
    var states = IntStream.range(0, 41).mapToObj(_ -> UUID.randomUUID()).toList();

    inOneTurn(
        loop,
        () ->
            IntStream.range(1, 41)
                .mapToObj(i -> withJournal(i + 1, states.get(i - 1), states.get(i), 10))
                .forEach(committer::commit));

    assertThat(target.last()).hasSize(1);
    assertThat(target.last().getFirst().proposals()).hasSize(40);
    assertThat(other.written).isEmpty();
  }

  @Test
  void what_waits_is_sent_before_the_answers_are_given() {
    var loop = simulator.newLoop("loop");
    var committer = onOne(loop);
    var proposals = ofDifferentInstances(2, 10);
    var sentBefore = new ArrayList<Integer>();

    inOneTurn(
        loop,
        () ->
            committer
                .commit(proposals.getFirst())
                .onComplete(_ -> sentBefore.add(target.written.size())));
    inOneTurn(loop, () -> committer.commit(proposals.getLast()));
    answer(target::commit);

    assertThat(sentBefore).containsExactly(2);
  }

  @Test
  void a_proposer_that_throws_keeps_no_other_from_its_answer() {
    var loop = simulator.newLoop("loop");
    var committer = onOne(loop);
    var proposals = ofDifferentInstances(2, 10);

    inOneTurn(
        loop,
        () -> {
          outcomes.add(
              committer.commit(
                  proposals.getFirst(),
                  _ -> {
                    throw new IllegalStateException("a mistake");
                  }));
          outcomes.add(committer.commit(proposals.getLast()));
        });
    answer(target::commit);

    assertThat(outcomes)
        .hasSize(2)
        .allSatisfy(each -> assertThat(each.result()).isEqualTo(Outcome.COMMITTED));
  }

  @Test
  void what_would_leave_too_little_for_the_other_connection_goes_at_once() {
    var other = new Target();
    var loop = simulator.newLoop("loop");
    var committer = onTwo(loop, target, other);

    inOneTurn(loop, () -> ofDifferentInstances(7, 10).forEach(committer::commit));

    assertThat(target.last()).hasSize(7);
    assertThat(other.written).isEmpty();
  }

  @Test
  void what_is_proposed_in_one_turn_goes_together_also_when_answers_are_given() {
    var loop = simulator.newLoop("loop");
    var committer = onOne(loop);
    var proposals = ofDifferentInstances(20, 10);

    inOneTurn(
        loop,
        () ->
            IntStream.range(0, 10)
                .forEach(i ->
                    committer
                        .commit(proposals.get(i))
                        .onComplete(_ -> outcomes.add(committer.commit(proposals.get(i + 10))))));
    assertThat(target.last()).hasSize(10);
    answer(target::commit);
    assertThat(target.last()).hasSize(10);
    answer(target::commit);

    assertThat(outcomes)
        .hasSize(10)
        .allSatisfy(each -> assertThat(each.result()).isEqualTo(Outcome.COMMITTED));
  }

  @Test
  void what_is_not_answered_goes_in_halves_and_those_in_halves() {
    commit(64, 1 << 20, ofDifferentInstances(64, 10));

    var sizes = new ArrayList<Integer>();
    for (int i = 0; i < 4; i++) {
      sizes.add(target.last().size());
      answer(target::staySilent);
    }
    assertThat(sizes).containsExactly(64, 32, 16, 16);

    while (!target.open.isEmpty()) {
      answer(target::commit);
    }
    assertThat(target.written.stream().skip(1))
        .allSatisfy(batch -> assertThat(batch).hasSizeLessThanOrEqualTo(32));
    assertThat(outcomes).allSatisfy(each -> assertThat(each.result()).isEqualTo(Outcome.COMMITTED));
  }
}
