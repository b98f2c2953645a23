package skein.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.sqlclient.Tuple;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import skein.codecs.InstanceCodec;
import skein.codecs.JsonLimits;
import skein.model.Bookmark;
import skein.model.BookmarkId;
import skein.model.ErrorCode;
import skein.model.InstanceId;
import skein.model.Labels;
import skein.model.SkeinException;
import skein.model.Timer;
import skein.model.Transition;
import skein.model.WorkflowInstance;
import skein.storage.Proposal.Outcome;

@ExtendWith(TestDatabase.class)
class CommitterIT {
  private static final CommitOptions OPTIONS =
      new CommitOptions(
          new CommitOptions.Batches(50, 2, 8, 200),
          10_000,
          new CommitOptions.Retries(5, 20),
          1_000_000);

  @Test
  void of_two_transitions_from_one_revision_one_is_committed(Database database, Vertx vertx) {
    var first = committer(database, vertx);
    var second = committer(database, vertx);
    first.commit(Samples.transition("i1", 1)).await();

    var one = first.commit(Samples.transition("i1", 2));
    var other = second.commit(Samples.transition("i1", 2));

    assertThat(List.of(one.await(), other.await()))
        .containsExactlyInAnyOrder(Outcome.COMMITTED, Outcome.LOST);
    assertThat(count(database, "journal where revision = 2")).isEqualTo(1);
  }

  @Test
  void a_transition_that_lost_leaves_nothing_behind(Database database, Vertx vertx) {
    var committer = committer(database, vertx);
    committer.commit(Samples.transition("i1", 1)).await();

    var stale =
        new Transition(
            Samples.instance("i1", 3),
            Samples.transition("i1", 3).commitId(),
            Transition.Guard.NONE,
            List.of(Samples.bookmark("i1", 1)),
            List.of(),
            List.of(timer("i1-1", Samples.NOW)),
            List.of(),
            List.of(Samples.entry(3)),
            List.of(),
            List.of());

    assertThat(committer.commit(stale).await()).isEqualTo(Outcome.LOST);
    assertThat(count(database, "bookmarks")).isZero();
    assertThat(count(database, "timers")).isZero();
    assertThat(count(database, "journal")).isEqualTo(1);
  }

  @Test
  void a_start_with_a_taken_id_is_a_conflict(Database database, Vertx vertx) {
    var committer = committer(database, vertx);

    assertThat(committer.commit(Samples.transition("i1", 1)).await()).isEqualTo(Outcome.COMMITTED);
    assertThat(committer.commit(Samples.transition("i1", 1)).await()).isEqualTo(Outcome.LOST);
  }

  @Test
  void what_was_committed_is_read_back(Database database, Vertx vertx) {
    committer(database, vertx).commit(Samples.transition("i1", 1)).await();

    var store = new InstanceStore(database);
    var id = new InstanceId("i1");

    assertThat(store.find(id).await()).isEqualTo(Samples.instance("i1", 1));
    assertThat(store.journal(id).await()).containsExactly(Samples.entry(1));
    assertThat(store.find(new InstanceId("i2")).await()).isNull();
  }

  @Test
  void transitions_of_one_instance_that_wait_together_are_one_row_and_a_journal_each(
      Database database, Vertx vertx) {
    var committer = committer(database, vertx);
    committer.commit(Samples.transition("i1", 1)).await();

    var outcomes =
        LongStream.rangeClosed(2, 120)
            .mapToObj(revision -> committer.commit(Samples.transition("i1", revision)))
            .toList();

    outcomes.forEach(outcome -> assertThat(outcome.await()).isEqualTo(Outcome.COMMITTED));
    var stored = new InstanceStore(database).find(new InstanceId("i1")).await();
    assertThat(stored).isEqualTo(Samples.instance("i1", 120));
    assertThat(count(database, "journal")).isEqualTo(120);
    assertThat(count(database, "(select distinct xmin::text from journal) as commits"))
        .isLessThan(60);
  }

  @Test
  void a_bookmark_that_is_rewritten_and_burnt_in_one_row_is_gone(Database database, Vertx vertx) {
    var committer = committer(database, vertx);
    var bookmark = Samples.bookmark("i1", 1);
    committer.commit(Samples.transition("i1", 1)).await();
    committer.commit(changing(2, List.of(bookmark), List.of())).await();
    assertThat(count(database, "bookmarks")).isEqualTo(1);

    var outcomes =
        committer.commitInOneTurn(
            Samples.transition("other", 1),
            changing(3, List.of(bookmark), List.of()),
            changing(4, List.of(), List.of(bookmark.id())));

    assertThat(all(outcomes)).containsOnly(Outcome.COMMITTED);
    assertThat(count(database, "bookmarks")).isZero();
  }

  @Test
  void a_task_that_is_written_again_says_whose_it_is(Database database, Vertx vertx) {
    var committer = committer(database, vertx);
    var plain = Samples.bookmark("i1", 1);
    var task =
        new Bookmark(
            plain.id(),
            "Skein.UserTask",
            plain.hash(),
            Map.of("subjects", List.of("user:ann")),
            plain.activityId(),
            plain.nodeId(),
            plain.execution(),
            plain.createdAt(),
            null,
            null,
            null);
    committer.commit(ofTenant(changing(1, List.of(task), List.of()))).await();
    assertThat(count(database, "bookmarks where task_tenant = 'acme'")).isEqualTo(1);
    TestSql.change(database, "update bookmarks set task_tenant = null"); // As version 28 does.

    committer.commit(ofTenant(changing(2, List.of(task), List.of()))).await();

    assertThat(count(database, "bookmarks where task_tenant = 'acme'")).isEqualTo(1);
  }

  private static Transition ofTenant(Transition transition) {
    return new Transition(
        transition.next().of("acme"),
        transition.commitId(),
        transition.guard(),
        transition.made(),
        List.of(),
        List.of(),
        List.of(),
        transition.journal(),
        List.of(),
        List.of());
  }

  @Test
  void an_execution_waits_once_for_the_same(Database database, Vertx vertx) {
    var committer = committer(database, vertx);
    var first = Samples.bookmark("i1", 1);
    var second = Samples.bookmark("i1", 2, first.execution());
    assertThat(second.hash()).isEqualTo(first.hash());
    assertThat(second.execution()).isEqualTo(first.execution());
    committer.commit(Samples.transition("i1", 1)).await();
    committer.commit(changing(2, List.of(first), List.of())).await();

    var twice = committer.commit(changing(3, List.of(second), List.of()));
    var neighbour = committer.commit(Samples.transition("other", 1));

    assertThatThrownBy(twice::await).hasStackTraceContaining("bookmarks_once");
    assertThat(neighbour.await()).isEqualTo(Outcome.COMMITTED);
    assertThat(count(database, "journal")).isEqualTo(3);
    var instead = committer.commit(changing(3, List.of(second), List.of(first.id())));
    assertThat(instead.await()).isEqualTo(Outcome.COMMITTED);
    assertThat(count(database, "bookmarks where id = 'i1-2'")).isEqualTo(1);
    assertThat(count(database, "bookmarks")).isEqualTo(1);
  }

  private static Transition changing(long revision, List<Bookmark> made, List<BookmarkId> burnt) {
    var plain = Samples.transition("i1", revision);
    return new Transition(
        plain.next(),
        plain.commitId(),
        plain.guard(),
        made,
        burnt,
        List.of(),
        List.of(),
        plain.journal(),
        List.of(),
        List.of());
  }

  @Test
  void of_proposals_that_are_sent_together_all_are_decided_anew_when_one_loses(
      Database database, Vertx vertx) {
    var committer = committer(database, vertx);
    committer.commit(Samples.transition("i1", 1)).await();
    var early = Transition.Guard.notBefore(Instant.now().plusSeconds(60));

    var outcomes =
        committer.commitInOneTurn(
            Samples.transition("other", 1),
            Samples.transition("i1", 2),
            Samples.transition("i1", 3).withGuard(early),
            Samples.transition("i1", 4));

    assertThat(all(outcomes))
        .containsExactly(
            Outcome.COMMITTED, Outcome.ABANDONED, Outcome.ABANDONED, Outcome.ABANDONED);
    assertThat(count(database, "journal where workflow_instance_id = 'i1'")).isEqualTo(1);
    // Alone, each gets what is its own.
    assertThat(committer.commit(Samples.transition("i1", 2)).await()).isEqualTo(Outcome.COMMITTED);
    assertThat(committer.commit(Samples.transition("i1", 3).withGuard(early)).await())
        .isEqualTo(Outcome.LOST);
  }

  @Test
  void of_proposals_that_are_sent_together_all_are_decided_anew_when_one_cannot_be_written(
      Database database, Vertx vertx) {
    var committer = committer(database, vertx);
    committer.commit(Samples.transition("i1", 1)).await();
    var bad = Samples.transition("i1", 3).withTimersMade(List.of(timer("nul\0", Samples.NOW)));

    var outcomes =
        committer.commitInOneTurn(
            Samples.transition("other", 1),
            Samples.transition("i1", 2),
            bad,
            Samples.transition("i1", 4));

    assertThat(all(outcomes))
        .containsExactly(
            Outcome.COMMITTED, Outcome.ABANDONED, Outcome.ABANDONED, Outcome.ABANDONED);
    assertThat(committer.commit(Samples.transition("i1", 2)).await()).isEqualTo(Outcome.COMMITTED);
    assertThatThrownBy(() -> committer.commit(bad).await())
        .isInstanceOf(IllegalStateException.class);
    var stored = new InstanceStore(database).find(new InstanceId("i1")).await();
    assertThat(stored).isEqualTo(Samples.instance("i1", 2));
  }

  @Test
  void what_was_built_on_a_state_that_lost_is_not_committed_though_its_revision_is_there(
      Database database, Vertx vertx) {
    var one = committer(database, vertx);
    var other = committer(database, vertx);
    var first = Samples.proposal(Samples.transition("i1", 1));
    one.propose(first).await();
    var winner = Proposal.of(Samples.transition("i1", 2), first.state(), UUID.randomUUID(), null);
    var loser = Proposal.of(Samples.transition("i1", 2), first.state(), UUID.randomUUID(), null);
    assertThat(other.propose(winner).await()).isEqualTo(Outcome.COMMITTED);

    var onLoser = Proposal.of(Samples.transition("i1", 3), loser.state(), UUID.randomUUID(), null);

    assertThat(one.propose(onLoser).await()).isEqualTo(Outcome.LOST);
    assertThat(count(database, "journal where workflow_instance_id = 'i1'")).isEqualTo(2);
    var onWinner =
        Proposal.of(Samples.transition("i1", 3), winner.state(), UUID.randomUUID(), null);
    assertThat(one.propose(onWinner).await()).isEqualTo(Outcome.COMMITTED);
  }

  @Test
  void what_is_not_built_on_what_is_under_way_is_abandoned_unsent(Database database, Vertx vertx) {
    var committer = committer(database, vertx);
    var first = Samples.proposal(Samples.transition("i1", 1));
    committer.propose(first).await();

    var second = Proposal.of(Samples.transition("i1", 2), first.state(), UUID.randomUUID(), null);
    var other = Proposal.of(Samples.transition("i1", 2), first.state(), UUID.randomUUID(), null);

    var outcomes = committer.proposeInOneTurn(List.of(second, other));

    assertThat(all(outcomes)).containsExactly(Outcome.COMMITTED, Outcome.ABANDONED);
  }

  @Test
  void a_state_without_an_id_is_named_by_its_revision(Database database, Vertx vertx) {
    var committer = committer(database, vertx);
    committer.commit(Samples.transition("i1", 1)).await();
    TestDatabase.number(
        database,
        "with changed as (update workflow_instances set state_id = null returning 1)"
            + " select count(*) from changed");
    var store = new InstanceStore(database);

    var stored = store.state(new InstanceId("i1")).await();

    assertThat(stored).isNotNull();
    assertThat(stored == null ? "" : stored.id()).isNull();
    var next = Proposal.of(Samples.transition("i1", 2), stored, UUID.randomUUID(), null);
    assertThat(committer.propose(next).await()).isEqualTo(Outcome.COMMITTED);
    assertThat(committer.propose(next).await()).isEqualTo(Outcome.LOST);
  }

  @Test
  void one_state_that_is_too_large_does_not_fail_those_before_it(Database database, Vertx vertx) {
    int bytes = InstanceCodec.encode(Samples.instance("i1", 3)).length;
    var committer =
        committer(
            database,
            vertx,
            new CommitOptions(
                new CommitOptions.Batches(50, 2, 8, 200),
                10_000,
                new CommitOptions.Retries(5, 20),
                bytes));
    committer.commit(Samples.transition("i1", 1)).await();
    var label = new Labels("x".repeat(1_000), null, null);

    var outcomes =
        committer.commitInOneTurn(
            Samples.transition("i2", 1),
            Samples.transition("i1", 2),
            Samples.transition(Samples.instance("i1", 3, label)));

    assertThat(all(outcomes.subList(0, 2))).containsOnly(Outcome.COMMITTED);
    assertThatThrownBy(outcomes.getLast()::await)
        .isInstanceOfSatisfying(
            SkeinException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.STATE_TOO_LARGE));
    assertThat(new InstanceStore(database).find(new InstanceId("i1")).await())
        .isEqualTo(Samples.instance("i1", 2));
  }

  @Test
  void a_state_that_cannot_be_encoded_fails_alone(Database database, Vertx vertx) {
    var committer = committer(database, vertx);
    var unwritable = Samples.transition(withInput("b", Map.of("x", new AtomicLong())));

    var outcomes =
        committer.commitInOneTurn(
            Samples.transition("a", 1), unwritable, Samples.transition("c", 1));

    assertThatThrownBy(outcomes.get(1)::await).isInstanceOf(RuntimeException.class);
    assertThat(outcomes.get(0).await()).isEqualTo(Outcome.COMMITTED);
    assertThat(outcomes.get(2).await()).isEqualTo(Outcome.COMMITTED);
    assertThat(committer.commit(Samples.transition("b", 1)).await()).isEqualTo(Outcome.COMMITTED);
  }

  @Test
  void what_is_nested_too_deep_for_a_column_fails_alone_and_for_good(
      Database database, Vertx vertx) {
    var committer = committer(database, vertx);
    Object deep = List.of();
    for (int i = 0; i <= JsonLimits.DEPTH_CEILING; i++) {
      deep = List.of(deep);
    }

    var outcomes =
        committer.commitInOneTurn(
            Samples.transition("a", 1),
            withTimer("b", deep),
            withTimer("c", new AtomicLong()),
            Samples.transition("d", 1));

    assertThat(outcomes.get(0).await()).isEqualTo(Outcome.COMMITTED);
    assertThatThrownBy(outcomes.get(1)::await)
        .isInstanceOfSatisfying(
            SkeinException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.TOO_DEEP));
    assertThatThrownBy(outcomes.get(2)::await).isInstanceOf(IllegalStateException.class);
    assertThat(outcomes.get(3).await()).isEqualTo(Outcome.COMMITTED);
  }

  private static Transition withTimer(String id, Object payload) {
    var timer = new Timer(id + "-1", Samples.NOW, new InstanceId(id), Timer.Kind.Bookmark, payload);
    return new Transition(
        Samples.instance(id, 1),
        UUID.randomUUID(),
        Transition.Guard.NONE,
        List.of(),
        List.of(),
        List.of(timer),
        List.of(),
        List.of(Samples.entry(1)),
        List.of(),
        List.of());
  }

  private static WorkflowInstance withInput(String id, Map<String, @Nullable Object> input) {
    var sample = Samples.instance(id, 1);
    return new WorkflowInstance(
        sample.id(),
        sample.definition(),
        sample.status(),
        sample.revision(),
        sample.labels(),
        sample.timing(),
        sample.counters(),
        sample.pending(),
        input,
        sample.output(),
        sample.results(),
        sample.executions(),
        sample.bookmarks(),
        sample.shelved(),
        sample.incidents(),
        sample.fingerprint());
  }

  @Test
  void a_timer_does_not_fire_early_by_the_databases_clock(Database database, Vertx vertx) {
    var committer = committer(database, vertx);
    committer.commit(Samples.transition("i1", 1)).await();
    var early = Transition.Guard.notBefore(Instant.now().plusSeconds(60));
    var due = Transition.Guard.notBefore(Instant.now().minusSeconds(60));

    assertThat(committer.commit(Samples.transition("i1", 2).withGuard(early)).await())
        .isEqualTo(Outcome.LOST);
    assertThat(committer.commit(Samples.transition("i1", 2).withGuard(due)).await())
        .isEqualTo(Outcome.COMMITTED);
  }

  @Test
  void an_expired_token_commits_nothing(Database database, Vertx vertx) {
    var committer = committer(database, vertx);
    committer.commit(Samples.transition("i1", 1)).await();
    var expired = Transition.Guard.notAfter(Instant.now().minusMillis(1));

    assertThat(committer.commit(Samples.transition("i1", 2).withGuard(expired)).await())
        .isEqualTo(Outcome.LOST);
  }

  @Test
  void a_start_of_a_version_that_is_not_published_commits_nothing(Database database, Vertx vertx) {
    var stale = Transition.Guard.published("order-1");

    assertThat(
            committer(database, vertx).commit(Samples.transition("i1", 1).withGuard(stale)).await())
        .isEqualTo(Outcome.LOST);
  }

  @Test
  void one_transition_that_cannot_be_written_does_not_fail_its_neighbours(
      Database database, Vertx vertx) {
    var committer = committer(database, vertx);
    var bad = Samples.transition("bad", 1).withTimersMade(List.of(timer("nul\0", Samples.NOW)));

    var good = new ArrayList<Future<Outcome>>();
    for (int i = 0; i < 20; i++) {
      good.add(committer.commit(Samples.transition("good" + i, 1)));
    }
    var refused = committer.commit(bad);
    for (int i = 20; i < 40; i++) {
      good.add(committer.commit(Samples.transition("good" + i, 1)));
    }

    for (var outcome : good) {
      assertThat(outcome.await()).isEqualTo(Outcome.COMMITTED);
    }
    assertThatThrownBy(refused::await).isInstanceOf(IllegalStateException.class);
    assertThat(count(database, "workflow_instances")).isEqualTo(40);
  }

  @Test
  void a_commit_whose_answer_is_lost_is_neither_lost_nor_doubled(Database database, Vertx vertx) {
    var committer = committer(database, vertx);
    var outcomes =
        IntStream.range(0, 200)
            .mapToObj(i -> {
              if (i % 40 == 20) {
                kill(database);
              }
              return committer.commit(Samples.transition("i" + i, 1));
            })
            .toList();

    for (var outcome : outcomes) {
      assertThat(outcome.await()).isEqualTo(Outcome.COMMITTED);
    }
    assertThat(count(database, "workflow_instances")).isEqualTo(200);
    assertThat(count(database, "journal")).isEqualTo(200);
  }

  @Test
  void a_plan_made_for_an_empty_table_is_not_kept_while_it_grows(Database database, Vertx vertx) {
    var committer = committer(database, vertx);
    database.run("empty", "analyze workflow_instances", Tuple.tuple()).await();
    committer.commit(Samples.transition("first", 1)).await();
    committer.commit(Samples.transition("first", 2)).await();

    for (int i = 0; i < 1_500; i++) {
      committer.commit(Samples.transition("i" + i, 1)).await();
      committer.commit(Samples.transition("i" + i, 2)).await();
    }

    // each update looks up its row; with the first plan it would read all rows there are
    assertThat(rowsReadByIndex(database)).isLessThan(1_500 * 100);
  }

  private static long rowsReadByIndex(Database database) {
    var sql =
        """
        select sum(pg_stat_get_tuples_returned(indexrelid))::int8 from pg_index
         where indrelid = 'workflow_instances'::regclass
        """;
    long read = 0;
    for (int i = 0; i < 20; i++) { // sessions tell what they did after a moment
      var rows = database.run("statistics", sql, Tuple.tuple()).await();
      read = Math.max(read, rows.iterator().next().getLong(0));
      pause(100);
    }
    return read;
  }

  private static void pause(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void a_full_queue_refuses_and_writes_nothing(Database database, Vertx vertx) {
    var small =
        new CommitOptions(
            new CommitOptions.Batches(1, 1, 1, 200),
            1,
            new CommitOptions.Retries(5, 20),
            1_000_000);
    var committer = committer(database, vertx, small);

    var all =
        IntStream.range(0, 50)
            .mapToObj(i -> committer.commit(Samples.transition("i" + i, 1)))
            .toList();

    long committed =
        all.stream()
            .filter(f -> f.transform(r -> Future.succeededFuture(r.succeeded())).await())
            .count();
    assertThat(committed).isLessThan(50);
    assertThat(count(database, "workflow_instances")).isEqualTo(committed);
  }

  private static void kill(Database database) {
    database
        .run(
            "kill",
            """
            select pg_terminate_backend(pid) from pg_stat_activity
             where query like '%as materialized%' and pid <> pg_backend_pid()
            """,
            Tuple.tuple())
        .await();
  }

  private static Timer timer(String id, Instant dueAt) {
    return new Timer(id, dueAt, new InstanceId("i1"), Timer.Kind.Bookmark, null);
  }

  private static long count(Database database, String table) {
    return database
        .run("count", "select count(*) from " + table, Tuple.tuple())
        .await()
        .iterator()
        .next()
        .getLong(0);
  }

  @Test
  void a_silent_database_is_given_up_and_who_then_commits_more_is_answered_too(Vertx vertx)
      throws Exception {
    try (var silent = new ServerSocket(0, 100, InetAddress.getLoopbackAddress())) {
      var database = silentDatabase(vertx, silent.getLocalPort());
      var one =
          new CommitOptions(
              new CommitOptions.Batches(1, 1, 1, 200),
              10_000,
              new CommitOptions.Retries(3, 20),
              1_000_000);
      var context = vertx.getOrCreateContext();
      var committer = new Committer(vertx, context, database, one, "test");
      var all = new ConcurrentLinkedQueue<Future<ErrorCode>>();

      context.runOnContext(_ ->
          IntStream.range(0, 60)
              .forEach(i ->
                  all.add(
                      refusal(committer, "i" + i)
                          .onSuccess(_ -> all.add(refusal(committer, "j" + i))))));

      var codes = new ArrayList<ErrorCode>();
      while (codes.size() < 120) {
        var next = all.poll();
        if (next == null) {
          Thread.sleep(10);
        } else {
          codes.add(next.await(10, TimeUnit.SECONDS));
        }
      }
      assertThat(codes).containsOnly(ErrorCode.STORAGE_UNAVAILABLE);
      database.close().await();
    }
  }

  private static Future<ErrorCode> refusal(Committer committer, String id) {
    return committer
        .commit(Samples.proposal(Samples.transition(id, 1)))
        .map(ErrorCode.INTERNAL)
        .otherwise(e -> ((SkeinException) e).code());
  }

  /** It takes connections and says nothing. */
  private static Database silentDatabase(Vertx vertx, int port) {
    var soon = Duration.ofMillis(300);
    return new Database(
        vertx,
        new Database.Options(
            new Database.Login("postgresql://postgres@127.0.0.1:" + port + "/postgres"),
            "none",
            new Database.PoolLimits(1, 10),
            new Database.Timeouts(soon, soon),
            new Database.Reads(1, 10, 1 << 20)));
  }

  private static OnContext committer(Database database, Vertx vertx) {
    return committer(database, vertx, OPTIONS);
  }

  /** A committer that may be called from the test's thread. */
  private static OnContext committer(Database database, Vertx vertx, CommitOptions options) {
    var context = vertx.getOrCreateContext();
    var committer = new Committer(vertx, context, database, options, "test");
    return proposals -> {
      var promises = proposals.stream().map(_ -> Promise.<Outcome>promise()).toList();
      context.runOnContext(_ -> {
        for (int i = 0; i < proposals.size(); i++) {
          committer.commit(proposals.get(i)).onComplete(promises.get(i));
        }
      });
      return promises.stream().map(Promise::future).toList();
    };
  }

  private interface OnContext {
    /** The first is sent at once, alone; the others wait for it together. */
    List<Future<Outcome>> proposeInOneTurn(List<Proposal> proposals);

    default List<Future<Outcome>> commitInOneTurn(Transition... transitions) {
      return proposeInOneTurn(Stream.of(transitions).map(Samples::proposal).toList());
    }

    default Future<Outcome> propose(Proposal proposal) {
      return proposeInOneTurn(List.of(proposal)).getFirst();
    }

    default Future<Outcome> commit(Transition transition) {
      return propose(Samples.proposal(transition));
    }
  }

  private static List<Outcome> all(List<Future<Outcome>> outcomes) {
    return outcomes.stream().map(outcome -> outcome.await()).toList();
  }
}
