package skein.storage;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import skein.model.InstanceId;
import skein.model.JournalEntry;
import skein.model.Transition;
import skein.storage.JournalStore.Executions;
import skein.storage.JournalStore.Filter;

@ExtendWith(TestDatabase.class)
class JournalStoreIT {
  private static final InstanceId ID = new InstanceId("i1");

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
  void the_last_entry_of_an_activity_is_the_newest(Database database, Vertx vertx) {
    var journal = committed(database, vertx);

    var last = journal.last(ID, "w").await();

    assertThat(last).isNotNull();
    assertThat(last.sequence()).isEqualTo(7);
    assertThat(journal.last(ID, "nobody").await()).isNull();
  }

  @Test
  void executions_are_chosen_by_their_last_word(Database database, Vertx vertx) {
    var journal = committed(database, vertx);
    var ended = new Executions(List.of(), List.of(), true);
    var open = new Executions(List.of("w"), List.of(), false);

    assertThat(journal.countExecutions(ID, Executions.ALL).await()).isEqualTo(3);
    assertThat(journal.countExecutions(ID, ended).await()).isEqualTo(1);
    assertThat(journal.executions(ID, ended, 0, 10).await())
        .extracting(JournalEntry::execution)
        .containsExactly(2, 2);
    assertThat(journal.executions(ID, open, 0, 10).await())
        .extracting(JournalEntry::sequence)
        .containsExactly(6L, 7L);
    assertThat(journal.executions(ID, Executions.ALL, 1, 1).await())
        .extracting(JournalEntry::execution)
        .containsOnly(2);
    assertThat(journal.executions(ID, List.of(1, 3)).await()).hasSize(4);
  }

  @Test
  void stats_count_each_activity(Database database, Vertx vertx) {
    var journal = committed(database, vertx);

    var stats = journal.stats(ID, List.of("Workflow1:w")).await();

    assertThat(stats)
        .containsExactly(new JournalStore.Stats("w", "Workflow1:w", 2, 1, true, false));
    assertThat(journal.stats(ID, List.of()).await()).hasSize(2);
    assertThat(journal.parents(ID).await()).isEqualTo(Map.of(0, 0, 1, 0, 2, 1, 3, 1));
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
    var context = vertx.getOrCreateContext();
    var options = new Committer.Options(50, 2, 8, 200, 100, 5, 20, 1_000_000);
    Promise<Committer.Outcome> promise = Promise.promise();
    context.runOnContext(_ ->
        new Committer(vertx, context, database, options, "test")
            .commit(Samples.proposal(transition))
            .onComplete(promise));
    assertThat(promise.future().await()).isEqualTo(Committer.Outcome.COMMITTED);
  }

  private static Transition transition(long revision, JournalEntry... entries) {
    return new Transition(
        Samples.instance(ID.value(), revision),
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
    return new JournalEntry(
        sequence,
        Samples.NOW.plusSeconds(sequence),
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
