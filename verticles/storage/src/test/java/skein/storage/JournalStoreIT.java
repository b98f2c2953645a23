package skein.storage;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import skein.model.ErrorCode;
import skein.model.InstanceId;
import skein.model.JournalEntry;
import skein.model.SkeinException;
import skein.model.Transition;
import skein.storage.ExecutionStore.Executions;
import skein.storage.JournalStore.Filter;

@Tag("alone")
@ExtendWith(TestDatabase.class)
class JournalStoreIT {
  private static final InstanceId ID = new InstanceId("i1");
  private static final int LINES = 10_000;
  private static final int REPEATED = 5;
  private static final int TIMES_MAX = 40;

  @Test
  void a_page_is_cut_from_all_bursts_in_order(Database database, Vertx vertx) {
    var journal = committed(database, vertx);

    var page = journal.page(ID, Filter.ALL, 1, 3).await();

    assertThat(page.total()).isEqualTo(7);
    assertThat(page.entries()).extracting(JournalEntry::sequence).containsExactly(2L, 3L, 4L);
    assertThat(journal.page(ID, Filter.ALL, 100, 3).await().total()).isEqualTo(7);
    assertThat(journal.page(new InstanceId("other"), Filter.ALL, 0, 3).await().total()).isZero();
  }

  @Test
  void filters_restrict_together(Database database, Vertx vertx) {
    var journal = committed(database, vertx);
    var filter =
        new Filter(List.of("w"), List.of("Workflow1:w"), List.of("Elsa.End"), List.of("Started"));

    var page = journal.page(ID, filter, 0, 10).await();

    assertThat(page.entries()).extracting(JournalEntry::sequence).containsExactly(2L, 6L);
    assertThat(
            journal
                .page(ID, new Filter(List.of(), List.of(), List.of("Elsa.w"), List.of()), 0, 10)
                .await()
                .total())
        .isEqualTo(3);
  }

  @Test
  void entries_after_a_sequence_begin_within_a_burst_or_with_the_next(
      Database database, Vertx vertx) {
    var journal = committed(database, vertx);
    var of = new Filter(List.of("w"), List.of(), List.of(), List.of());

    assertThat(after(journal, Filter.ALL, 0, 3)).containsExactly(1L, 2L, 3L);
    assertThat(after(journal, Filter.ALL, 2, 3)).containsExactly(3L, 4L, 5L);
    assertThat(after(journal, Filter.ALL, 4, 9)).containsExactly(5L, 6L, 7L);
    assertThat(after(journal, Filter.ALL, 7, 9)).isEmpty();
    assertThat(after(journal, of, 2, 2)).containsExactly(3L, 6L);
    assertThat(journal.after(new InstanceId("other"), Filter.ALL, 0, 9).await()).isEmpty();
  }

  @Test
  void the_first_entry_of_each_burst_is_known_whatever_its_instant(Database database, Vertx vertx) {
    for (int revision = 1; revision <= 3; revision++) {
      commit(
          database,
          vertx,
          transition(
              revision,
              entry(2L * revision - 1, 1, 0, "a", "Started", Samples.NOW),
              entry(2L * revision, 1, 0, "a", "Suspended", Samples.NOW)));
    }
    var journal = new JournalStore(database);

    assertThat(LongStream.rangeClosed(0, 7).filter(n -> journal.beginsBurst(ID, n).await()))
        .containsExactly(1L, 3L, 5L);
    assertThat(journal.beginsBurst(new InstanceId("other"), 1).await()).isFalse();
  }

  @Test
  void the_first_migration_is_found(Database database, Vertx vertx) {
    var journal = committed(database, vertx);
    assertThat(journal.firstMigration(ID).await()).isNull();

    for (int sequence = 8; sequence <= 9; sequence++) {
      var migrated = entry(sequence, 0, 0, "Workflow1", "Migrated", Samples.NOW);
      commit(database, vertx, transition(sequence - 5, migrated));
    }

    var found = requireNonNull(journal.firstMigration(ID).await());
    assertThat(found.sequence()).isEqualTo(8);
  }

  @Test
  void every_entry_is_found_after_the_one_before_it(Database database, Vertx vertx) {
    var random = new Random(17);
    var sizes = IntStream.range(0, 60).map(_ -> random.nextInt(5)).toArray();
    long sequence = 0;
    for (int revision = 1; revision <= sizes.length; revision++) {
      var entries = new JournalEntry[sizes[revision - 1]];
      boolean ofOnePiece = random.nextBoolean();
      for (int i = 0; i < entries.length; i++) {
        sequence++;
        var at = Samples.NOW.plusSeconds(ofOnePiece ? revision : sequence);
        entries[i] = entry(sequence, 1, 0, "a", "Started", at);
      }
      commit(database, vertx, transition(revision, entries));
    }
    var journal = new JournalStore(database);

    for (long before = 0; before < sequence; before++) {
      assertThat(after(journal, Filter.ALL, before, 2))
          .containsExactlyElementsOf(
              LongStream.rangeClosed(before + 1, Math.min(before + 2, sequence)).boxed().toList());
    }
  }

  /** Restricts nothing, but has the database unpack the lines. */
  private static final Filter UNPACKED =
      new Filter(List.of(), List.of(), List.of("Elsa.nobody"), List.of());

  @Test
  void pages_are_the_same_whoever_cuts_them(Database database, Vertx vertx) {
    var journal = drawn(database, vertx, new Random(29), 40);
    int total = (int) journal.page(ID, UNPACKED, 0, 1).await().total();

    for (int skip = 0; skip <= total + 1; skip += 3) {
      for (int take : List.of(1, 7, 1_000)) {
        assertThat(journal.page(ID, Filter.ALL, skip, take).await())
            .as("%d from %d", take, skip)
            .isEqualTo(journal.page(ID, UNPACKED, skip, take).await());
        assertThat(journal.after(ID, Filter.ALL, skip, take).await())
            .as("%d after %d", take, skip)
            .isEqualTo(journal.after(ID, UNPACKED, skip, take).await());
      }
    }
  }

  @Test
  void journals_of_more_rows_than_are_cut_here_are_paged_alike(Database database, Vertx vertx) {
    int revisions = JournalStore.CUT_ROWS_MAX + 20;
    var journal = drawn(database, vertx, new Random(31), revisions);
    long total = journal.page(ID, UNPACKED, 0, 1).await().total();

    assertThat(journal.page(ID, Filter.ALL, (int) total - 5, 10).await())
        .isEqualTo(journal.page(ID, UNPACKED, (int) total - 5, 10).await());
    assertThat(journal.after(ID, Filter.ALL, 1, 5_000).await())
        .isEqualTo(journal.after(ID, UNPACKED, 1, 5_000).await())
        .hasSize((int) total - 1);
  }

  @Test
  void the_next_page_of_a_large_burst_does_not_read_all_of_it_again(
      Database database, Vertx vertx) {
    int lines = 4_000;
    var small = entry(1, 1, 0, "a", "Started", Samples.NOW);
    var large = new JournalEntry[lines];
    for (int i = 0; i < lines; i++) {
      large[i] = entry(2 + i, 1, 0, "a" + i % 9, "Started", Samples.NOW.plusSeconds(1));
    }
    commit(database, vertx, transition(1, small));
    commit(database, vertx, transition(2, large));
    var journal = new JournalStore(database);
    assertThat(journal.page(ID, Filter.ALL, 0, 10).await().total()).isEqualTo(1 + lines);
    database
        .run(
            "change what was kept",
            "update journal set entries = jsonb_set(entries::jsonb, '{of}', '[]')::json"
                + " where revision = 2",
            Tuple.tuple())
        .await();

    var next = journal.page(ID, Filter.ALL, 10, 100).await();
    var newer = journal.after(ID, Filter.ALL, 3_990, 100).await();

    assertThat(next.total()).isEqualTo(1 + lines);
    assertThat(next.entries()).hasSize(100).allMatch(entry -> entry.activityId().startsWith("a"));
    assertThat(newer).extracting(JournalEntry::sequence).first().isEqualTo(3_991L);
    assertThat(newer).hasSize(11);

    commit(database, vertx, transition(3, entry(2 + lines, 1, 0, "b", "Started", Samples.NOW)));
    assertThat(journal.page(ID, Filter.ALL, lines, 100).await().entries())
        .extracting(JournalEntry::activityId)
        .last()
        .isEqualTo("b");
    database.run("drop it", "delete from journal", Tuple.tuple()).await();
    assertThat(journal.page(ID, Filter.ALL, 10, 100).await().total()).isZero();
  }

  /** Bursts in both forms, some of them empty, with messages, data and names or without. */
  private static JournalStore drawn(Database database, Vertx vertx, Random random, int revisions) {
    var commits = commits(database, vertx);
    long sequence = 0;
    for (int revision = 1; revision <= revisions; revision++) {
      var entries = new JournalEntry[random.nextInt(5)];
      boolean ofOnePiece = random.nextBoolean();
      for (int i = 0; i < entries.length; i++) {
        sequence++;
        var at = Samples.NOW.plusSeconds(ofOnePiece ? revision : sequence);
        var named = "a" + random.nextInt(4);
        entries[i] =
            new JournalEntry(
                sequence,
                at,
                random.nextInt(9),
                random.nextInt(3),
                named,
                "Workflow1:" + named,
                "Elsa." + named,
                random.nextInt(1, 3),
                random.nextBoolean() ? "name [" + i + "]\"," : null,
                "Started",
                random.nextBoolean() ? "said {" + i + "}" : null,
                random.nextBoolean() ? Map.of("state", Map.of("of", List.of(i))) : Map.of());
      }
      commits.accept(transition(revision, entries));
    }
    return new JournalStore(database);
  }

  private static List<Long> after(JournalStore journal, Filter filter, long sequence, int take) {
    return journal.after(ID, filter, sequence, take).await().stream()
        .map(JournalEntry::sequence)
        .toList();
  }

  @Test
  void the_last_entry_of_an_activity_is_the_newest(Database database, Vertx vertx) {
    var journal = committed(database, vertx);

    var last = journal.last(ID, "w").await();

    assertThat(last).isNotNull();
    assertThat(last.sequence()).isEqualTo(7);
    assertThat(journal.last(ID, "nobody").await()).isNull();
  }

  @Test
  void executions_are_chosen_by_their_last_word(Database database, Vertx vertx) {
    committed(database, vertx);
    var ended = new Executions(List.of(), List.of(), true);
    var open = new Executions(List.of("w"), List.of(), false);

    assertThat(new ExecutionStore(database).countExecutions(ID, Executions.ALL).await())
        .isEqualTo(3);
    assertThat(new ExecutionStore(database).countExecutions(ID, ended).await()).isEqualTo(1);
    assertThat(new ExecutionStore(database).executions(ID, ended, 0, 10).await())
        .extracting(JournalEntry::execution)
        .containsExactly(2, 2);
    assertThat(new ExecutionStore(database).executions(ID, open, 0, 10).await())
        .extracting(JournalEntry::sequence)
        .containsExactly(6L, 7L);
    assertThat(new ExecutionStore(database).executions(ID, Executions.ALL, 1, 1).await())
        .extracting(JournalEntry::execution)
        .containsOnly(2);
    assertThat(new ExecutionStore(database).executions(ID, List.of(1, 3)).await()).hasSize(4);
  }

  @Test
  void what_is_more_than_one_request_may_read_is_refused(Database database, Vertx vertx) {
    var all = committed(database, vertx);
    int most = all.page(ID, SOME, 0, 3).await().entries().size() * 250;
    var journal = new JournalStore(database, new ReadLimit(most));
    var executions = new ExecutionStore(database, new ReadLimit(most));

    assertThat(journal.page(ID, SOME, 0, 2).await().entries()).hasSize(2);
    assertThat(executions.executions(ID, List.of(2)).await()).hasSize(2);
    assertThat(executions.executionSummaries(ID, Executions.ALL, 0, 1).await())
        .allSatisfy(entry -> assertThat(entry.data()).isEmpty());
    assertThat(
            Stream.of(
                journal.page(ID, SOME, 0, 10),
                journal.after(ID, SOME, 0, 10),
                executions.executions(ID, Executions.ALL, 0, 10),
                executions.executionSummaries(ID, Executions.ALL, 0, 10),
                executions.executions(ID, List.of(1, 2, 3)),
                new InstanceStore(database, new ReadLimit(100)).journal(ID),
                new InstanceStore(database, new ReadLimit(100)).checkJournals(List.of(ID))))
        .allSatisfy(reading ->
            assertThatThrownBy(reading::await)
                .isInstanceOfSatisfying(
                    SkeinException.class,
                    e -> assertThat(e.code()).isEqualTo(ErrorCode.TOO_LARGE)));
    new InstanceStore(database).checkJournals(List.of(ID)).await();
  }

  /** All, but not for those who cut pages out of texts. */
  private static final Filter SOME = new Filter(List.of(), List.of(), List.of("None"), List.of());

  @Test
  void stats_count_each_activity(Database database, Vertx vertx) {
    committed(database, vertx);

    var stats = new ExecutionStore(database).stats(ID, List.of("Workflow1:w")).await();

    assertThat(stats)
        .containsExactly(new ExecutionStore.Stats("w", "Workflow1:w", 2, 1, true, false));
    assertThat(new ExecutionStore(database).stats(ID, List.of()).await()).hasSize(2);
    assertThat(new ExecutionStore(database).parents(ID).await())
        .isEqualTo(Map.of(0, 0, 1, 0, 2, 1, 3, 1));
  }

  @Test
  void nothing_is_told_of_an_instance_that_was_deleted(Database database, Vertx vertx) {
    var journal = committed(database, vertx);

    TestSql.loseInstances(database, ID);
    assertThat(TestDatabase.number(database, "select count(*) from journal")).isPositive();

    assertThat(journal.page(ID, Filter.ALL, 0, 3).await().total()).isZero();
    assertThat(journal.after(ID, Filter.ALL, 0, 3).await()).isEmpty();
    assertThat(journal.last(ID, "w").await()).isNull();
    assertThat(new ExecutionStore(database).countExecutions(ID, Executions.ALL).await()).isZero();
    assertThat(new ExecutionStore(database).executions(ID, List.of(1, 3)).await()).isEmpty();
    assertThat(new ExecutionStore(database).stats(ID, List.of()).await()).isEmpty();
    assertThat(new ExecutionStore(database).parents(ID).await()).isEmpty();
  }

  /** Ten times as many: ten times the work, where parsing the text for each line was a hundred. */
  @Test
  void what_is_read_costs_in_proportion_to_the_burst(Database database, Vertx vertx) {
    var few = new InstanceId("few");
    var many = new InstanceId("many");
    commit(database, vertx, burst(few, LINES / 10));
    commit(database, vertx, burst(many, LINES));
    var journal = new JournalStore(database);
    var last = new Filter(List.of("a" + (LINES - 1)), List.of(), List.of(), List.of());

    assertThat(journal.page(many, Filter.ALL, LINES - 2, 10).await().entries())
        .extracting(JournalEntry::activityId)
        .containsExactly("a" + (LINES - 2), "a" + (LINES - 1));
    assertThat(journal.page(many, last, 0, 10).await().entries())
        .extracting(JournalEntry::sequence)
        .containsExactly((long) LINES);
    assertThat(new ExecutionStore(database).countExecutions(many, Executions.ALL).await())
        .isEqualTo(LINES);
    for (var each :
        Map.<String, Function<InstanceId, Future<?>>>of(
                "page", id -> journal.page(id, Filter.ALL, 0, 100),
                "page after an entry", id -> journal.after(id, Filter.ALL, LINES / 20, 100),
                "filtered page", id -> journal.page(id, last, 0, 100),
                "executions",
                    id -> new ExecutionStore(database).executions(id, Executions.ALL, 0, 100),
                "stats", id -> new ExecutionStore(database).stats(id, List.of()),
                "parents", new ExecutionStore(database)::parents)
            .entrySet()) {
      double tenth = millis(() -> each.getValue().apply(few).await());
      double all = millis(() -> each.getValue().apply(many).await());
      System.out.printf(
          "[measured] %s: %.1f ms, of ten times as many %.1f ms%n", each.getKey(), tenth, all);
      assertThat(all).as(each.getKey()).isLessThan(Math.max(tenth, 1) * TIMES_MAX);
    }
  }

  private static double millis(Runnable work) {
    double best = Double.MAX_VALUE;
    for (int i = 0; i < REPEATED; i++) {
      long since = System.nanoTime();
      work.run();
      best = Math.min(best, (System.nanoTime() - since) / 1e6);
    }
    return best;
  }

  /** Of one instant, each line about another activity. */
  private static Transition burst(InstanceId id, int lines) {
    var entries =
        IntStream.range(0, lines)
            .mapToObj(i -> entry(i + 1, i + 1, 0, "a" + i, "Started", Samples.NOW))
            .toArray(JournalEntry[]::new);
    return transition(id, 1, entries);
  }

  /** A root that runs one activity twice: the first time it ends, the second time it waits. */
  private static JournalStore committed(Database database, Vertx vertx) {
    commit(
        database,
        vertx,
        transition(
            1,
            entry(1, 1, 0, "root", "Started"),
            entry(2, 2, 1, "w", "Started"),
            entry(3, 2, 1, "w", "Completed"),
            entry(4, 0, 0, "Workflow1", "Suspended")));
    commit(
        database,
        vertx,
        transition(
            2,
            entry(5, 1, 0, "root", "Resumed"),
            entry(6, 3, 1, "w", "Started"),
            entry(7, 3, 1, "w", "Suspended")));
    return new JournalStore(database);
  }

  private static void commit(Database database, Vertx vertx, Transition transition) {
    commits(database, vertx).accept(transition);
  }

  private static Consumer<Transition> commits(Database database, Vertx vertx) {
    var context = vertx.getOrCreateContext();
    var options =
        new CommitOptions(
            new CommitOptions.Batches(50, 2, 8, 200),
            100,
            new CommitOptions.Retries(5, 20),
            1_000_000);
    var committer = new AtomicReference<@Nullable Committer>();
    return transition -> {
      Promise<Proposal.Outcome> promise = Promise.promise();
      context.runOnContext(_ -> {
        if (committer.get() == null) {
          committer.set(new Committer(vertx, context, database, options, "test"));
        }
        requireNonNull(committer.get()).commit(Samples.proposal(transition)).onComplete(promise);
      });
      assertThat(promise.future().await()).isEqualTo(Proposal.Outcome.COMMITTED);
    };
  }

  private static Transition transition(long revision, JournalEntry... entries) {
    return transition(ID, revision, entries);
  }

  private static Transition transition(InstanceId id, long revision, JournalEntry... entries) {
    return new Transition(
        Samples.instance(id.value(), revision),
        UUID.randomUUID(),
        Transition.Guard.NONE,
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        List.of(entries),
        List.of(),
        List.of());
  }

  private static JournalEntry entry(
      long sequence, int execution, int parent, String activity, String event) {
    return entry(sequence, execution, parent, activity, event, Samples.NOW.plusSeconds(sequence));
  }

  private static JournalEntry entry(
      long sequence, int execution, int parent, String activity, String event, Instant at) {
    return new JournalEntry(
        sequence,
        at,
        execution,
        parent,
        activity,
        "Workflow1:" + activity,
        "Elsa." + activity,
        1,
        null,
        event,
        null,
        Map.of());
  }
}
