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
    var options =
        new CommitOptions(
            new CommitOptions.Batches(max, bytesMax, 1, 1, 200),
            1_000,
            new CommitOptions.Retries(10, 20),
            1_000_000);
    var committer =
        new Committer(
            loop,
            List.of(target),
            options,
            Duration.ofSeconds(5),
            Format::newest,
            new DatabaseMetrics());
    loop.execute(() -> proposals.forEach(each -> outcomes.add(committer.commit(each))));
    settle();
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
  void what_is_not_answered_goes_in_halves_and_those_in_halves() {
    commit(64, 1 << 20, ofDifferentInstances(65, 10));
    answer(target::commit); // The first went alone.

    var sizes = new ArrayList<Integer>();
    for (int i = 0; i < 4; i++) {
      sizes.add(target.last().size());
      answer(target::staySilent);
    }
    assertThat(sizes).containsExactly(64, 32, 16, 16);

    while (!target.open.isEmpty()) {
      answer(target::commit);
    }
    assertThat(target.written.stream().skip(2))
        .allSatisfy(batch -> assertThat(batch).hasSizeLessThanOrEqualTo(32));
    assertThat(outcomes).allSatisfy(each -> assertThat(each.result()).isEqualTo(Outcome.COMMITTED));
  }
}
