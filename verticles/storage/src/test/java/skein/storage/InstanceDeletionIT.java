package skein.storage;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import skein.model.InstanceId;
import skein.model.Timer;
import skein.model.Transition;
import skein.storage.RetentionStore.Aged;
import skein.storage.RetentionStore.Candidate;

/** The rows of an instance are deleted with it, by any client and beside any concurrent commit. */
@ExtendWith(TestDatabase.class)
class InstanceDeletionIT {
  private static final InstanceId ID = new InstanceId("i1");
  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  /** Records of what people did, and of schedules: bounded by their age, or by their own. */
  private static final Set<String> NOT_THE_INSTANCES =
      Set.of("audit_log.workflow_instance_id", "alteration_jobs.workflow_instance_id");

  @Test
  void a_deletion_beside_a_commit_leaves_nothing_of_it(Database database) {
    assertNothingIsLeftBeside(database, () -> new InstanceStore(database).delete(ID));
  }

  @Test
  void sql_by_hand_beside_a_commit_leaves_nothing_of_it(Database database) {
    assertNothingIsLeftBeside(
        database,
        () ->
            database.run(
                "delete",
                "delete from workflow_instances where status = 'Suspended'",
                Tuple.tuple()));
  }

  private static void assertNothingIsLeftBeside(Database database, Supplier<Future<?>> deletion) {
    begin(database, "i1");
    begin(database, "i10");
    var committing = database.connection(CommitStatement.PLANNER).await();
    var transaction = committing.begin().await();
    assertThat(commit(committing, burst("i1", 2))).containsExactly("i1");

    var deleting = deletion.get();
    awaitWaiting(database);
    transaction.commit().await();
    deleting.await();
    committing.close().await();

    assertThat(left(database, "i1")).isEmpty();
  }

  @Test
  void what_is_another_instances_stays(Database database) {
    begin(database, "i1");
    begin(database, "i10");

    assertThat(new InstanceStore(database).delete(ID).await()).isTrue();

    assertThat(left(database, "i1")).isEmpty();
    assertThat(left(database, "i10"))
        .containsExactlyInAnyOrder(
            "workflow_instances.id",
            "bookmarks.workflow_instance_id",
            "timers.workflow_instance_id",
            "journal.workflow_instance_id");
    assertThat(new InstanceStore(database).delete(ID).await()).isFalse();
  }

  @Test
  void many_are_deleted_by_one_statement(Database database) {
    TestSql.change(
        database,
        """
        insert into workflow_instances (id, definition_id, definition_version_id, version, status,
            incident_count, revision, created_at, updated_at, finished_at, state)
        select 'm' || n, 'd', 'd1', 1, 'Completed', 0, 1, now(), now(), now(), '' from
            generate_series(1, 1201) n
        """);
    TestSql.change(
        database,
        """
        insert into journal (workflow_instance_id, revision, at, commit_id, node, entries)
        select id, 1, now(), md5(random()::text)::uuid, 'n', '[]' from workflow_instances
        """);

    assertThat(TestSql.change(database, "delete from workflow_instances where id <> 'm7'"))
        .isEqualTo(1_200);

    assertThat(TestDatabase.number(database, "select count(*) from journal")).isOne();
  }

  @Test
  void one_that_goes_on_after_it_was_seen_stays(Database database) {
    ended(database, "i1");
    try (var store = RetentionStore.open(database, TIMEOUT).await()) {
      var seen = walk(store);
      var committing = database.connection(CommitStatement.PLANNER).await();
      assertThat(commit(committing, burst("i1", 2))).containsExactly("i1");
      committing.close().await();

      assertThat(store.delete(seen).await()).isEmpty();
    }

    assertThat(left(database, "i1")).contains("workflow_instances.id");
  }

  @Test
  void one_that_is_being_committed_to_is_passed_over_and_not_waited_for(Database database) {
    ended(database, "i1");
    ended(database, "i2");
    var committing = database.connection(CommitStatement.PLANNER).await();
    var transaction = committing.begin().await();
    assertThat(commit(committing, burst("i1", 2))).containsExactly("i1");

    try (var store = RetentionStore.open(database, TIMEOUT).await()) {
      assertThat(store.delete(walk(store)).await()).containsExactly("i2");
    }
    transaction.commit().await();
    committing.close().await();

    assertThat(left(database, "i1")).contains("workflow_instances.id");
    assertThat(left(database, "i2")).isEmpty();
  }

  @Test
  void one_that_waits_stays_though_a_pass_names_it(Database database) {
    begin(database, "i1");
    try (var store = RetentionStore.open(database, TIMEOUT).await()) {
      var seen = walk(store);
      assertThat(seen).singleElement().extracting(Candidate::ended).isNull();

      assertThat(store.delete(seen).await()).isEmpty();
    }

    assertThat(left(database, "i1")).contains("workflow_instances.id");
  }

  @Test
  void of_two_that_delete_the_same_at_once_each_instance_goes_by_one(Database database) {
    for (int i = 0; i < 40; i++) {
      ended(database, "i" + i);
    }
    try (var one = RetentionStore.open(database, TIMEOUT).await();
        var other = RetentionStore.open(database, TIMEOUT).await()) {
      var seen = walk(one);
      var first = one.delete(seen);
      var second = other.delete(seen);

      var gone = new ArrayList<>(first.await());
      gone.addAll(second.await());
      assertThat(gone).hasSize(40).doesNotHaveDuplicates();
    }
    assertThat(TestDatabase.number(database, "select count(*) from journal")).isZero();
  }

  @Test
  void a_commit_that_comes_after_the_deletion_writes_nothing(Database database) {
    ended(database, "i1");
    try (var store = RetentionStore.open(database, TIMEOUT).await()) {
      assertThat(store.delete(walk(store)).await()).containsExactly("i1");
    }
    var committing = database.connection(CommitStatement.PLANNER).await();

    assertThat(commit(committing, burst("i1", 2))).isEmpty();

    committing.close().await();
    assertThat(left(database, "i1")).isEmpty();
  }

  @Test
  void families_go_when_all_of_them_have_ended(Database database) {
    for (var id : List.of("p", "c", "q", "d")) {
      ended(database, id);
    }
    parent(database, "c", "p");
    parent(database, "d", "q");
    TestSql.change(
        database, "update workflow_instances set finished_at = null where id in ('p', 'd')");
    try (var store = RetentionStore.open(database, TIMEOUT).await()) {
      assertThat(walk(store))
          .filteredOn(Candidate::isAttached)
          .extracting(Candidate::id)
          .containsExactlyInAnyOrder("c", "q");
      assertThat(store.delete(walk(store)).await()).isEmpty();

      TestSql.change(database, "update workflow_instances set finished_at = now()");
      assertThat(store.delete(walk(store)).await()).containsExactlyInAnyOrder("p", "c", "q", "d");
    }
  }

  @Test
  void instances_of_two_tenants_are_no_family_though_one_names_the_other(Database database) {
    for (var id : List.of("p", "c", "q", "d")) {
      ended(database, id);
    }
    parent(database, "c", "p");
    parent(database, "d", "q");
    TestSql.change(
        database, "update workflow_instances set finished_at = null where id in ('p', 'd')");
    TestSql.change(
        database, "update workflow_instances set tenant_id = 'acme' where id in ('c', 'd')");
    try (var store = RetentionStore.open(database, TIMEOUT).await()) {
      assertThat(walk(store)).noneMatch(Candidate::isAttached);
      assertThat(store.delete(walk(store)).await()).containsExactlyInAnyOrder("c", "q");
    }

    var instances = new InstanceStore(database);
    assertThat(instances.unfinishedChildren(new InstanceId("q"), 10).await())
        .as("of a parent that is gone")
        .containsExactly(new InstanceId("d"));
    begin(database, "q");
    assertThat(instances.unfinishedChildren(new InstanceId("q"), 10).await()).isEmpty();
    TestSql.change(database, "update workflow_instances set tenant_id = 'acme' where id = 'q'");
    assertThat(instances.unfinishedChildren(new InstanceId("q"), 10).await())
        .containsExactly(new InstanceId("d"));
  }

  @Test
  void an_instance_is_cancelled_for_its_own_tenant_alone(Database database) {
    begin(database, "i1");
    TestSql.change(
        database, "update workflow_instances set status = 'Cancelled', tenant_id = 'acme'");
    var instances = new InstanceStore(database);

    assertThat(instances.isCancelled(ID, "acme").await()).isTrue();
    assertThat(instances.isCancelled(ID, "globex").await()).isFalse();
    assertThat(instances.isCancelled(ID, "").await()).isFalse();
  }

  @Test
  void an_instance_that_waits_for_nothing_is_found_though_another_tenants_names_it(
      Database database) {
    begin(database, "p");
    begin(database, "c");
    parent(database, "c", "p");
    TestSql.change(database, "delete from bookmarks where workflow_instance_id = 'p'");
    TestSql.change(database, "delete from timers where workflow_instance_id = 'p'");
    var queries = new InvariantQueries(database);
    assertThat(stuck(queries)).isEmpty();

    TestSql.change(database, "update workflow_instances set tenant_id = 'acme' where id = 'c'");

    assertThat(stuck(queries)).containsExactly("p");
    assertThat(queries.instancesAgain(List.of("p"), Duration.ZERO).await()).hasSize(1);
  }

  private static List<String> stuck(InvariantQueries queries) {
    return queries.instances("", 100, Duration.ZERO).await().suspects().stream()
        .map(Suspect::id)
        .toList();
  }

  private static void parent(Database database, String child, String parent) {
    TestSql.change(
        database, "update workflow_instances set parent_id = $2 where id = $1", child, parent);
  }

  @Test
  void the_walk_sees_each_old_instance_once(Database database) {
    for (int i = 0; i < 7; i++) {
      ended(database, "w" + i);
    }
    TestSql.change(
        database,
        "update workflow_instances set created_at = '2020-01-01Z'::timestamptz"
            + " + (right(id, 1)::int / 2) * interval '1 day'");
    try (var store = RetentionStore.open(database, TIMEOUT).await()) {
      var found = new ArrayList<String>();
      var after = RetentionStore.BEGINNING;
      while (true) {
        var page = store.walk(after, Duration.ofDays(1), 2).await();
        if (page.isEmpty()) {
          break;
        }
        page.forEach(candidate -> found.add(candidate.id()));
        after = page.getLast().createdAt();
      }

      assertThat(found).containsExactlyInAnyOrder("w0", "w1", "w2", "w3", "w4", "w5", "w6");
      assertThat(store.walk(RetentionStore.BEGINNING, Duration.ofDays(36_500), 2).await())
          .isEmpty();
    }
  }

  @Test
  void old_audit_lines_and_plans_go_a_slice_at_a_time(Database database) {
    TestSql.change(
        database,
        "insert into audit_log (at, action, outcome, node) select now() - n * interval '1 day', 'a',"
            + " 'OK', 'n' from generate_series(0, 4) n");
    TestSql.change(
        database,
        "insert into alteration_plans select 'p' || n, '[]', now() - n * interval '1 day' from"
            + " generate_series(0, 2) n");
    TestSql.change(
        database,
        "insert into alteration_jobs (id, plan_id, workflow_instance_id, status, created_at)"
            + " select id || ':i', id, 'i', 'Pending', created_at from alteration_plans");
    TestSql.change(
        database,
        "insert into timers (id, due_at, workflow_instance_id, kind)"
            + " values ('alter-p2:i', now(), 'i', 'Alter')");
    var half = Duration.ofHours(12);
    try (var store = RetentionStore.open(database, TIMEOUT).await()) {
      assertThat(store.delete(Aged.AUDIT, half, 3).await()).isEqualTo(3);
      assertThat(store.delete(Aged.AUDIT, half, 3).await()).isEqualTo(1);
      assertThat(store.delete(Aged.ALTERATION_JOBS, half, 9).await()).isEqualTo(1);
      assertThat(store.delete(Aged.ALTERATION_PLANS, half, 9).await()).isEqualTo(1);
    }

    assertThat(TestSql.texts(database, "select id from alteration_plans order by id"))
        .containsExactly("p0", "p2");
    assertThat(TestDatabase.number(database, "select count(*) from audit_log")).isOne();
  }

  @Test
  void a_day_of_the_journal_is_dropped_when_it_is_old_and_empty_and_free(Database database) {
    var partitions = new JournalPartitions(database);
    partitions.prepare(LocalDate.of(2020, 1, 1), 1).await();
    partitions.prepare(LocalDate.now(ZoneOffset.UTC), 0).await();
    TestSql.change(
        database,
        "insert into journal (workflow_instance_id, revision, at, commit_id, node, entries)"
            + " values ('i', 1, '2020-01-01 12:00Z', md5(random()::text)::uuid, 'n', '[]')");
    var patience = Duration.ofMillis(50);
    try (var store = RetentionStore.open(database, TIMEOUT).await()) {
      assertThat(store.smallDays().await()).containsExactly("journal_20200101", "journal_20200102");
      assertThat(store.dropDay("journal_20200101", patience).await()).isFalse();
      var reader = database.connection(Map.of()).await();
      reader.query("begin; select count(*) from journal").execute().await();
      assertThat(store.dropDay("journal_20200102", patience).await()).isFalse();
      reader.query("commit").execute().await();
      reader.close().await();

      assertThat(store.dropDay("journal_20200102", patience).await()).isTrue();
      assertThat(store.smallDays().await()).containsExactly("journal_20200101");
    }
  }

  private static List<Candidate> walk(RetentionStore store) {
    return store.walk(RetentionStore.BEGINNING, Duration.ZERO, 100).await();
  }

  private static void begin(Database database, String id) {
    var connection = database.connection(CommitStatement.PLANNER).await();
    assertThat(commit(connection, burst(id, 1))).containsExactly(id);
    connection.close().await();
  }

  /** As a burst leaves an instance, ended, but for the state. */
  private static void ended(Database database, String id) {
    begin(database, id);
    TestSql.change(
        database,
        "update workflow_instances set status = 'Faulted', finished_at = now() where id = $1",
        id);
  }

  private static Set<String> commit(SqlConnection connection, Transition transition) {
    var batch = List.of(Chain.of(Samples.proposal(transition), Buffer.buffer("state")));
    var parts = CommitStatement.parts(batch);
    var rows =
        connection
            .preparedQuery(CommitStatement.sql(parts))
            .execute(CommitParameters.of(parts, batch, "n1", JournalText.CLEAR))
            .await();
    var won = rows.iterator().next().getArrayOfStrings(0);
    return won == null ? Set.of() : Set.of(won);
  }

  /** It makes a bookmark and its timer. */
  private static Transition burst(String id, int revision) {
    var timer =
        new Timer(id + "-" + revision, Samples.NOW, new InstanceId(id), Timer.Kind.Bookmark, null);
    return new Transition(
        Samples.instance(id, revision),
        UUID.randomUUID(),
        Transition.Guard.NONE,
        List.of(Samples.bookmark(id, revision)),
        List.of(),
        List.of(timer),
        List.of(),
        List.of(Samples.entry(revision)),
        List.of(),
        List.of());
  }

  /** Until a session waits for a row of the instances. */
  private static void awaitWaiting(Database database) {
    var waiting = "select count(*) from pg_locks where not granted and locktype = 'transactionid'";
    long end = System.nanoTime() + TIMEOUT.toNanos();
    while (TestDatabase.number(database, waiting) == 0) {
      assertThat(System.nanoTime()).isLessThan(end);
    }
  }

  /** Every column of every table that names instances, where it names this one. */
  private static List<String> left(Database database, String id) {
    var columns =
        TestSql.texts(
            database,
            """
            select c.table_name || '.' || c.column_name
              from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
             where c.table_schema = current_schema and t.table_type = 'BASE TABLE'
               and c.table_name !~ '^journal_'
               and (c.column_name like '%instance_id' or c.table_name || '.' || c.column_name = 'workflow_instances.id')
             order by 1
            """);
    assertThat(columns).contains("journal.workflow_instance_id", "timers.workflow_instance_id");
    var left = new ArrayList<String>();
    for (var column : columns) {
      var parts = column.split("\\.", 2);
      var sql = "select count(*) from %s where %s = $1".formatted(parts[0], parts[1]);
      if (!NOT_THE_INSTANCES.contains(column) && TestDatabase.number(database, sql, id) > 0) {
        left.add(column);
      }
    }
    return left;
  }
}
