package skein.storage;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.api.SoftAssertions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import skein.model.AuditEntry;
import skein.model.BookmarkId;
import skein.model.InstanceId;
import skein.model.Timer;
import skein.model.Transition;
import skein.model.WorkflowStatus;
import skein.storage.JournalStore.Filter;

/** No statement looks at more when the tables have grown to a million rows. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Tag("long")
class PlansIT {
  private static final int ROWS = Integer.getInteger("skein.rows", 1_000_000);
  private static final String ID = id(ROWS / 2);
  private static final List<String> LARGE =
      List.of("workflow_instances", "bookmarks", "timers", "journal_rest", "idempotency_keys");

  /** A session that plans once. */
  private static final String[] KEEPING = {
    "plan_cache_mode = force_generic_plan", "enable_seqscan = off", "jit = off"
  };

  /** A session that plans again each time: it sees how large the tables are. */
  private static final String[] PLANNING = {
    "plan_cache_mode = force_custom_plan", "enable_seqscan = off", "jit = off"
  };

  /** Statements of the hot path whose plans may be kept from when the tables were empty. */
  private static final Set<String> KEPT =
      Set.of(
          "read instances",
          "revision of a commit",
          "has landed",
          "due",
          "due, of a shard",
          "is due",
          "lease jobs",
          "extend a lease",
          "holder of a lease",
          "put off",
          "postpone",
          "delete",
          "read schedules",
          "claim a key",
          "claim a new key",
          "find a key",
          "holds a key",
          "keep an answer",
          "keep a reply",
          "release a key");

  /** One instance, schedule and task in a thousand are of it. */
  private static final TenantScope ACME = TenantScope.of("acme");

  /** Two instances, ten rows and twenty entries of indexes, a few pages for each of them. */
  private static final int COMMIT_BLOCKS = 400;

  private static final long MEGABYTE = 1_000_000;

  private final Map<String, Plan.Prepared> preparedEarly = new LinkedHashMap<>();
  private Database database;
  private SqlConnection early;
  private SqlConnection committing;
  private Plan.Prepared commit;

  /** {@code blocks}: as many pages it may look at. */
  private record Statement(String name, int blocks, String sql, Tuple parameters) {}

  @BeforeAll
  void fill() {
    database = TestDatabase.migrated();
    var session = Plan.session(database, "synchronous_commit = off");
    // It refers to one of them.
    Plan.run(session, "alter table instance_notes set unlogged");
    for (var table : LARGE) {
      // What is tried here is how statements are planned, not how they are logged.
      Plan.run(session, "alter table " + table + " set unlogged");
      Plan.run(session, "alter table " + table + " set (autovacuum_enabled = false)");
    }
    Plan.run(session, "analyze");
    new ShardIndex(database).prepare(16).await();
    early = Plan.session(database, KEEPING);
    for (var statement : statements()) {
      var prepared = Plan.prepare(early, statement.sql(), statement.parameters());
      prepared.execute();
      preparedEarly.put(statement.name(), prepared);
    }
    Plan.run(session, FEW);
    var settings =
        CommitStatement.PLANNER.entrySet().stream().map(e -> e.getKey() + "=" + e.getValue());
    committing = Plan.session(database, settings.toArray(String[]::new));
    commit = prepareCommit(committing);
    commit.execute();
    for (var sql : FILL.replace(":rows", String.valueOf(ROWS)).split(";", -1)) {
      Plan.run(session, sql);
    }
    session.close().await();
  }

  @AfterAll
  void stop() {
    early.close().await();
    committing.close().await();
  }

  /** Everything a commit can consist of, about rows that are there once the tables are filled. */
  private static Plan.Prepared prepareCommit(SqlConnection session) {
    var next = Samples.transition(ID, 2);
    var ended =
        new Transition(
            next.next(),
            CLAIM,
            Transition.Guard.consumes(ID + "-1"),
            List.of(Samples.bookmark(ID, 2)),
            List.of(new BookmarkId(new InstanceId(ID), 1)),
            List.of(timer("i-new-1")),
            List.of(ID + "-1"),
            next.journal(),
            List.of(new AuditEntry("token.resume", "OK", ID, ID + "-1", null)),
            List.of(),
            new Transition.Kept("k" + ID, new byte[] {1}, true));
    var guard =
        new Transition.Guard(
            null, null, "d7-3", null, new Transition.Activation("only", "c" + ROWS));
    var begun = Samples.transition("i-new", 1).withGuard(guard);
    var batch =
        List.of(
            Chain.of(Samples.proposal(begun), Buffer.buffer("a")),
            Chain.of(Samples.proposal(ended), Buffer.buffer("b")));
    var parts = CommitStatement.parts(batch);
    return Plan.prepare(
        session,
        CommitStatement.sql(parts),
        CommitParameters.of(parts, batch, "n1", JournalText.CLEAR));
  }

  private static Timer timer(String id) {
    return new Timer(id, Samples.NOW, new InstanceId("i-new"), Timer.Kind.Bookmark, null);
  }

  @Test
  @Order(1)
  void a_commit_keeps_a_good_plan_from_when_the_tables_held_next_to_nothing() {
    assertThat(CommitStatement.Part.values()).hasSize(11);

    var plan = commit.execute();

    assertThat(plan.scanned()).as(plan.text()).isEmpty();
    assertThat(plan.blocks()).as(plan.text()).isBetween(20L, (long) COMMIT_BLOCKS);
  }

  @Test
  @Order(1)
  void what_names_an_id_keeps_a_good_plan_from_when_the_tables_were_empty() {
    assertFlat(
        statements().stream().filter(statement -> KEPT.contains(statement.name())).toList(),
        statement -> Objects.requireNonNull(preparedEarly.get(statement.name())).execute());
  }

  @Test
  @Order(2)
  void a_session_that_plans_anew_needs_no_statistics() {
    assertFlat(
        statements(),
        statement -> Plan.of(database, statement.sql(), statement.parameters(), PLANNING));
  }

  @Test
  @Order(3)
  void plans_made_for_full_tables_are_flat_whatever_the_settings() {
    var session = Plan.session(database);
    Plan.run(session, "vacuum analyze");
    session.close().await();

    for (var mode : List.of("force_custom_plan", "force_generic_plan")) {
      var setting = "plan_cache_mode = " + mode;
      assertFlat(
          statements(),
          statement -> Plan.of(database, statement.sql(), statement.parameters(), setting));
    }
  }

  @Test
  @Order(1)
  void what_goes_with_an_instance_is_found_by_keys_when_the_tables_have_grown() {
    assertFoundByKeys(early);
  }

  @Test
  @Order(4)
  void what_goes_with_an_instance_is_found_by_keys_in_a_session_of_anybody() {
    var session = Plan.session(database);
    assertFoundByKeys(session);
    session.close().await();
  }

  /** The plan of a statement does not tell what its triggers looked at. */
  private static void assertFoundByKeys(SqlConnection session) {
    Plan.run(session, "begin");
    var before = rows(session);
    Plan.run(session, "delete from workflow_instances where id = '" + ID + "'");
    var after = rows(session);
    Plan.run(session, "rollback");

    assertThat(after.read() - before.read()).isZero();
    assertThat(after.fetched() - before.fetched()).isLessThan(20);
    assertThat(after.deleted() - before.deleted()).as("row, bookmark, timer, journal").isEqualTo(4);
  }

  /** As many rows this session has read one by one, has fetched by an index, and has deleted. */
  private record Rows(long read, long fetched, long deleted) {}

  private static Rows rows(SqlConnection session) {
    var sql =
        """
        select sum(seq_tup_read)::int8, sum(idx_tup_fetch)::int8, sum(n_tup_del)::int8
          from pg_stat_xact_user_tables where schemaname = current_schema
        """;
    var row = session.query(sql).execute().await().iterator().next();
    return new Rows(row.getLong(0), row.getLong(1), row.getLong(2));
  }

  private interface Run {
    Plan of(Statement statement);
  }

  private static void assertFlat(List<Statement> statements, Run run) {
    var softly = new SoftAssertions();
    for (var statement : statements) {
      var plan = run.of(statement);
      softly
          .assertThat(plan.scanned())
          .as(statement.name() + " " + plan.text())
          .doesNotContainAnyElementsOf(LARGE);
      softly
          .assertThat(plan.blocks())
          .as(statement.name() + " " + plan.text())
          .isLessThanOrEqualTo(statement.blocks());
    }
    softly.assertAll();
  }

  private static List<Statement> statements() {
    return Stream.of(
            ofInstances(),
            ofRetention(),
            ofTimers(),
            ofStimuliAndTasks(),
            ofJobs(),
            ofLists(),
            ofDefinitions(),
            ofInvariants(),
            ofKeys())
        .flatMap(List::stream)
        .toList();
  }

  private static List<Statement> ofInstances() {
    var ids = new String[] {ID, id(7), id(ROWS - 7)};
    return List.of(
        new Statement("read instances", 16, InstanceReads.FIND, Tuple.of(ids, 1 << 20)),
        new Statement("read a journal", 12, InstanceStore.JOURNAL, Tuple.of(ID, 1_000_000)),
        new Statement("page of a journal", 12, JournalStore.PAGE, journal()),
        new Statement("journal after an entry", 80, JournalStore.AFTER, journalAfter()),
        new Statement(
            "texts of a journal",
            16,
            JournalStore.ALL_TEXTS,
            Tuple.of(ID, 1_000, 100, new UUID[0])),
        new Statement(
            "newer texts of a journal",
            80,
            JournalStore.NEWER_TEXTS,
            Tuple.of(ID, 1_000, 100, new UUID[0], 1L)),
        new Statement("snapshot for a command", 20, InstanceStore.SNAPSHOT, Tuple.of(ID, CLAIM)),
        new Statement("fate of a commit", 20, CommitSession.FATE, Tuple.of(ID, 1, CLAIM, 0, CLAIM)),
        new Statement(
            "children", 16, InstanceStore.UNFINISHED_CHILDREN, Tuple.of(id(1), 500, "acme")),
        new Statement("delete", 60, InstanceStore.DELETE, Tuple.of(ID)));
  }

  private static List<Statement> ofRetention() {
    var middle = Database.timestamp(Instant.parse("2026-01-01T00:00:00Z").plusSeconds(ROWS / 2));
    var seen =
        Tuple.tuple()
            .addValue(new String[] {ID, id(7), id(ROWS - 7)})
            .addValue(new Long[] {1L, 1L, 1L})
            .addValue(new UUID[] {null, null, null});
    return List.of(
        new Statement(
            "look for old instances", 1_500, RetentionStore.WALK, Tuple.of(middle, 60.0, 100)),
        new Statement("delete old instances", 80, RetentionStore.DELETE, seen),
        new Statement("forget tokens", 20, TokenStore.FORGET_EXPIRED, Tuple.of(100)));
  }

  private static Tuple journal() {
    return JournalStore.match(new InstanceId(ID), Filter.ALL)
        .addInteger(50)
        .addInteger(0)
        .addInteger(1_000_000);
  }

  private static Tuple journalAfter() {
    return JournalStore.match(new InstanceId(ID), Filter.ALL)
        .addLong(1L)
        .addInteger(50)
        .addInteger(1_000_000);
  }

  private static Tuple whole(IntStream rows, long bytesMax) {
    return Tuple.of(rows.mapToObj(n -> id(n) + "-1").toArray(String[]::new), bytesMax);
  }

  private static List<Statement> ofTimers() {
    var beginning = Database.timestamp(Instant.parse("0001-01-01T00:00:00Z"));
    var middle = Database.timestamp(Instant.parse("2020-01-01T00:00:00Z"));
    return List.of(
        new Statement("due", 40, TimerStore.DUE, due(beginning, "")),
        new Statement("due, a later page", 1_100, TimerStore.DUE, due(middle, id(500) + "-1")),
        new Statement("due, of a shard", 80, OF_SHARD, due(beginning, "")),
        new Statement("due, a later page of a shard", 80, OF_SHARD, due(middle, id(500) + "-1")),
        // A thousand instances, each by its primary key.
        new Statement(
            "due, with definitions, a later page",
            6_500,
            TimerStore.dueWithDefinitions(TimerShard.ONLY),
            due(middle, id(500) + "-1")),
        new Statement(
            "due, with definitions, of a shard",
            6_500,
            TimerStore.dueWithDefinitions(new TimerShard(3, 16)),
            due(beginning, "")),
        // Three pages of the key and one of the row for each; the plan counts what a recursive
        // query reads twice.
        new Statement("timer", 8, TimerPayloads.WHOLE, whole(IntStream.of(500), MEGABYTE)),
        new Statement(
            "timers", 410, TimerPayloads.WHOLE, whole(IntStream.range(500, 550), MEGABYTE)),
        // The first one has a payload, which reaches the bound.
        new Statement(
            "timers, up to a bound",
            8,
            TimerPayloads.WHOLE,
            whole(IntStream.concat(IntStream.of(100_000), IntStream.range(500, 549)), 1)),
        new Statement("leaders", 40, SchedulerStore.leaders(1), Tuple.of(1)),
        new Statement("leaders of shards", 400, SchedulerStore.leaders(16), Tuple.of(16)),
        timers("all", null, 0),
        timers("of an instance", new InstanceId(ID), 0),
        new Statement(
            "note a failure", 40, DeadLetterStore.FAILED, Tuple.of(ID + "-1", "INTERNAL", "x")),
        new Statement("forget failures", 8, DeadLetterStore.FORGET, Tuple.of(1_000)),
        new Statement("dead letters", 40, DeadLetterStore.LIST, Tuple.of(3, null, 50, 0)),
        new Statement("dead letter", 40, DeadLetterStore.FIND, Tuple.of(3, ID + "-1")),
        new Statement("is due", 8, TimerStore.IS_DUE, Tuple.of(ID + "-1")),
        new Statement("postpone", 40, TimerStore.BACK_OFF, Tuple.of(ID + "-1", 2.0, 30.0)),
        new Statement(
            "put off", 40, TimerStore.EXTEND_DEADLINE, Tuple.of(new String[] {ID + "-1"}, 30.0)),
        new Statement(
            "put off one by one",
            40,
            TimerStore.PUT_OFF,
            Tuple.tuple().addValue(new String[] {ID + "-1"}).addValue(new Double[] {30.0})),
        new Statement("overdue", 1_100, TimerStore.OVERDUE, Tuple.of(30.0, 10_000)),
        new Statement(
            "withdraw schedules",
            60,
            TriggerRows.DROP_SCHEDULES,
            Tuple.of("d7").addValue(new String[] {"s-8"})),
        new Statement(
            "read schedules",
            60,
            ScheduleStore.READ,
            Tuple.tuple().addValue(new String[] {"lane-7", "lane-8"})),
        new Statement(
            "started runs",
            40,
            ScheduleStore.STARTED,
            Tuple.tuple().addValue(new String[] {ID}).addValue(new String[] {"run-" + ID})));
  }

  private static Statement timers(String name, @Nullable InstanceId instance, int skip) {
    var query = new TimerList.Query(List.of(), instance, null, null, skip, 50);
    var statement = TimerList.Statement.of(query);
    return new Statement("timers " + name, 400, statement.page(), statement.pageParameters(query));
  }

  private static final String OF_SHARD = TimerStore.due(new TimerShard(3, 16));

  private static Tuple due(@Nullable Object after, String id) {
    return Tuple.of(5.0, after, id, 1_000, DeferredPayload.BYTES_MAX);
  }

  /** All instances wait for one event, each with a correlation of its own. */
  private static List<Statement> ofStimuliAndTasks() {
    return List.of(
        new Statement("waiting, two of all", 8, StimulusStore.WAITING, Tuple.of("Event", 2)),
        new Statement(
            "waiting, correlated",
            8,
            StimulusStore.WAITING_CORRELATED,
            Tuple.of("Event", "c77", 100_001)),
        new Statement(
            "waiting, of an instance",
            8,
            StimulusStore.WAITING_IN_INSTANCE,
            Tuple.of("Event", ID, null, 2)),
        new Statement("waiting, first", 16, StimulusStore.FIRST_WAITING, hashes()),
        new Statement(
            "waiting, first correlated",
            16,
            StimulusStore.FIRST_CORRELATED,
            hashes().addString("c77")),
        new Statement(
            "waiting, first of an instance",
            16,
            StimulusStore.FIRST_IN_INSTANCE,
            hashes().addString(ID).addString(null)),
        new Statement("triggers", 8, StimulusStore.TRIGGERS, Tuple.of("hash7")),
        new Statement("task", 12, TaskStore.FIND, Tuple.of(ID + "-1")),
        tasks("tasks of a person", 700, List.of("user:u7"), TenantScope.ALL),
        tasks("tasks of all", 300, List.of(), TenantScope.ALL),
        tasks("tasks of a tenant", 300, List.of(), ACME));
  }

  private static Tuple hashes() {
    return Tuple.tuple().addValue(new String[] {"none", "Event"}).addInteger(2);
  }

  private static Statement tasks(
      String name, int blocks, List<String> subjects, TenantScope scope) {
    var query = new TaskStore.Query(subjects, null, List.of(), null, 0, 20);
    var statement = TaskStore.statement(query, scope);
    return new Statement(
        name, blocks, statement.page(), statement.pageParameters(query, ReadLimit.OF_HEAP));
  }

  /**
   * A tenth are jobs, of one type and a hundred definitions; one in a hundred of them is leased.
   * What the lease has looked at is counted wherever a later part of it reads that: it is 900 in
   * truth.
   */
  private static List<Statement> ofJobs() {
    var job = id(ROWS / 2 + 3) + "-1";
    var order = new JobRows.Order(List.of("charge"), "w1", 10, Duration.ofSeconds(30), 1_000);
    return List.of(
        new Statement("lease jobs", 5_000, JobStore.LEASE, JobStore.leaseParameters(order)),
        new Statement("extend a lease", 30, JobStore.EXTEND, Tuple.of(job, OTHER_CLAIM, 30.0)),
        new Statement("holder of a lease", 8, JobStore.HOLDER, Tuple.of(job)),
        new Statement(
            "count jobs",
            3 * JobStore.COUNT_MAX,
            JobStore.QUEUES,
            Tuple.of(JobStore.COUNT_MAX).addString(null)));
  }

  private static List<Statement> ofLists() {
    var all = new ArrayList<Statement>();
    add(all, "all", query(List.of(), null, null, null, List.of(), true));
    add(all, "all, oldest first", query(List.of(), null, null, null, List.of(), false));
    add(all, "of a definition", query(List.of("d7"), null, null, null, List.of(), true));
    add(all, "of a correlation", query(List.of(), "c77", null, null, List.of(), true));
    add(all, "of a parent", query(List.of(), null, id(1), null, List.of(), true));
    add(all, "with incidents", query(List.of(), null, null, true, List.of(), true));
    add(
        all,
        "of a frequent status",
        query(List.of(), null, null, null, List.of(WorkflowStatus.Suspended), true));
    add(all, "of a tenant", query(List.of(), null, null, null, List.of(), true), ACME);
    add(
        all,
        "of a tenant, oldest first",
        query(List.of(), null, null, null, List.of(), false),
        ACME);
    var schedules = new ScheduleStore.Query(null, null, null, 0, 50);
    all.add(
        new Statement(
            "schedules of a tenant",
            20,
            ScheduleStore.page(ACME),
            ScheduleStore.pageParameters(schedules, ACME, ReadLimit.OF_HEAP)));
    all.add(new Statement("look for tenants", 400, TenantStore.USED, Tuple.tuple()));
    all.add(
        new Statement(
            "newest, by definition", 1_500, OverviewStore.BY_DEFINITION, Tuple.of(1_000)));
    all.add(
        new Statement(
            "newest, over time",
            1_500,
            OverviewStore.SERIES,
            OverviewStore.seriesParameters(1_000, 60, null)));
    all.add(
        new Statement(
            "newest of a definition, over time",
            1_500,
            OverviewStore.SERIES,
            OverviewStore.seriesParameters(1_000, 60, "d7")));
    var usage = new ActivityUsageStore.Query("d7", null, Instant.EPOCH);
    all.add(
        new Statement(
            "use of activities",
            25_000, // of 1,000 instances
            ActivityUsageStore.USAGE,
            ActivityUsageStore.parameters(usage, 1_000)));
    var scan = new InstanceScan.Query("d7", false, TenantScope.ALL);
    var position =
        new InstanceScan.Position(
            Instant.parse("2026-01-01T00:00:00Z").plusSeconds(ROWS / 2), new InstanceId(ID));
    all.add(
        new Statement(
            "scan a definition",
            4 * InstanceScan.ROWS_MAX,
            InstanceScan.FIRST,
            InstanceScan.parameters(scan, null)));
    all.add(
        new Statement(
            "scan on",
            4 * InstanceScan.ROWS_MAX,
            InstanceScan.NEXT,
            InstanceScan.parameters(scan, position)));
    return all;
  }

  private static void add(List<Statement> all, String name, InstanceQuery query) {
    add(all, name, query, TenantScope.ALL);
  }

  private static void add(
      List<Statement> all, String name, InstanceQuery query, TenantScope scope) {
    var search = InstanceSearch.of(query, scope);
    all.add(new Statement("list " + name, 80, search.page(), search.pageParameters()));
    all.add(new Statement("count " + name, 2_000, search.count(), search.countParameters()));
  }

  private static InstanceQuery query(
      List<String> definitionIds,
      @Nullable String correlationId,
      @Nullable String parentId,
      @Nullable Boolean hasIncidents,
      List<WorkflowStatus> statuses,
      boolean descending) {
    return new InstanceQuery(
        new InstanceQuery.Named(definitionIds, List.of(), null, correlationId, null, parentId),
        statuses,
        hasIncidents,
        null,
        List.of(),
        new InstanceQuery.Window(InstanceQuery.Order.Created, descending, 0, 50));
  }

  private static List<Statement> ofDefinitions() {
    var published = " where definition_id = $1 and is_published";
    return List.of(
        new Statement("published", 8, DefinitionStore.COLUMNS + published, Tuple.of("d7")),
        new Statement("version", 8, DefinitionStore.COLUMNS + " where id = $1", Tuple.of("d7-1")));
  }

  /** Pages of a hundred rows, of which each is looked at with all that could excuse it. */
  private static List<Statement> ofInvariants() {
    var names = new String[] {"Elsa.Event"};
    var suspects = new String[] {ID + "-1", id(7) + "-1"};
    var middle = Database.timestamp(Instant.parse("2020-01-01T00:00:00Z"));
    return List.of(
        new Statement("scan instances", 1_600, InvariantQueries.INSTANCES, Tuple.of(ID, 100, 0.0)),
        new Statement(
            "scan instances again",
            80,
            InvariantQueries.INSTANCES_AGAIN,
            Tuple.of(new String[] {ID, id(7)}, 0.0, 10_000)),
        new Statement(
            "scan histories", 2_000, InvariantQueries.HISTORIES, Tuple.of(ID, 100, 1_000)),
        new Statement(
            "scan histories again",
            40,
            InvariantQueries.HISTORIES_AGAIN,
            Tuple.of(suspects, 1_000)),
        new Statement(
            "scan bookmarks", 900, InvariantQueries.BOOKMARKS, Tuple.of(ID + "-1", 100, 0.0)),
        new Statement(
            "scan bookmarks again", 40, InvariantQueries.BOOKMARKS_AGAIN, strings(suspects)),
        new Statement(
            "scan timed", 900, InvariantQueries.TIMED, Tuple.of(ID + "-1", 100, 0.0, names)),
        new Statement("scan timed again", 40, InvariantQueries.TIMED_AGAIN, strings(suspects)),
        new Statement("scan timers", 900, InvariantQueries.TIMERS, Tuple.of(ID + "-1", 100)),
        new Statement("scan timers again", 40, InvariantQueries.TIMERS_AGAIN, strings(suspects)),
        new Statement(
            "scan overdue",
            140,
            SchedulerInvariantQueries.OVERDUE,
            Tuple.of(5.0, middle, id(500), 100)),
        new Statement(
            "scan overdue again",
            40,
            SchedulerInvariantQueries.OVERDUE_AGAIN,
            strings(suspects).addDouble(5.0)),
        new Statement(
            "scan schedules", 800, SchedulerInvariantQueries.SCHEDULES, Tuple.of("s-5", 100, 0.0)),
        new Statement(
            "scan schedules again",
            40,
            SchedulerInvariantQueries.SCHEDULES_AGAIN,
            strings("s-7", "s-8")),
        new Statement(
            "scan runs", 1_600, SchedulerInvariantQueries.RUNS, Tuple.of("s-5", 100, 0.0)),
        new Statement(
            "scan runs again", 60, SchedulerInvariantQueries.RUNS_AGAIN, strings("s-7", "s-8")),
        new Statement(
            "scan leases",
            200,
            SchedulerInvariantQueries.LEASES,
            Tuple.of("", new String[] {"n1"}, 100)),
        new Statement(
            "look for a scan",
            40,
            PassStore.look(PassStore.Kind.SCANNER),
            Tuple.of("n1", "n1", 300.0, 30.0, 3.0)));
  }

  private static Tuple strings(String... texts) {
    return Tuple.tuple().addValue(texts);
  }

  private static List<Statement> ofKeys() {
    var members = new String[] {"n1"};
    var body = Buffer.buffer("a");
    var key = "k" + ID;
    return List.of(
        new Statement("claim a key", 30, KeyStore.CLAIM, claim(key, OTHER_CLAIM, members)),
        new Statement("claim a key once more", 40, KeyStore.CLAIM, claim(key, CLAIM, members)),
        new Statement("claim a new key", 40, KeyStore.CLAIM, claim("new", CLAIM, members)),
        new Statement("find a key", 8, KeyStore.FIND, Tuple.of(key).addValue(members)),
        new Statement("holds a key", 8, KeyStore.HOLDS, Tuple.of(key, CLAIM)),
        new Statement(
            "keep an answer", 20, KeyStore.FINISH, Tuple.of(key, CLAIM, 200, "{}", body, true)),
        new Statement("keep a reply", 20, KeyStore.FINISH_REPLY, Tuple.of(key, CLAIM, body, true)),
        new Statement("release a key", 30, KeyStore.RELEASE, Tuple.of(key, CLAIM)),
        new Statement("revoke a key", 40, KeyStore.REVOKE, Tuple.of(key, "print", CLAIM, "n1")),
        new Statement(
            "renew keys",
            40,
            KeyStore.RENEW,
            Tuple.tuple()
                .addValue(new String[] {key, "none"})
                .addValue(new UUID[] {CLAIM, CLAIM})
                .addDouble(10.0)),
        new Statement("remove expired keys", 1_500, KeyStore.REMOVE_EXPIRED, Tuple.of(100)));
  }

  private static Tuple claim(String key, UUID claim, String[] members) {
    return Tuple.of(key, "print", claim, "n1").addValue(members).addDouble(300.0).addDouble(60.0);
  }

  private static final UUID CLAIM = UUID.fromString("00000000-0000-0000-0000-000000000001");
  private static final UUID OTHER_CLAIM = UUID.fromString("00000000-0000-0000-0000-000000000002");

  private static String id(int n) {
    return "i%09d".formatted(n);
  }

  /** A table that is no longer empty, whatever the statistics say, and is about to grow. */
  private static final String FEW =
      """
      insert into workflow_instances (id, definition_id, definition_version_id, version, status,
          incident_count, revision, created_at, updated_at, state)
        select 'few' || n, 'd', 'd-1', 1, 'Completed', 0, 1, now(), now(), '\\x00'
          from generate_series(1, 200) n
      """;

  /** A thousandth is overdue and all at one instant, the rest is due tomorrow and later. */
  private static final String FILL =
      """
      insert into workflow_definitions (id, definition_id, version, name, is_latest, is_published,
          created_at, content)
        select 'd' || d || '-' || v, 'd' || d, v, 'D' || d, v = 3, v = 3, now(), '{}'
          from generate_series(0, 999) d, generate_series(1, 3) v;
      insert into triggers (id, workflow_definition_id, workflow_definition_version_id, version,
          activity_id, name, hash, payload)
        select 't' || n, 'd' || n, 'd' || n || '-3', 3, 'a', 'Elsa.Event', 'hash' || n, '{}'
          from generate_series(0, 2999) n;
      insert into schedules (id, instance_id, definition_id, origin, rule, policies, target,
          running_instance_id, revision, created_at, updated_at, tenant_id)
        select 's-' || n, 'lane-' || n, 'd' || n, 'Trigger', '{}', '{}', '{}',
               'i' || lpad((n + 1)::text, 9, '0'), 1, now(), now(),
               case when n % 1000 = 0 then 'acme' else '' end
          from generate_series(0, 2999) n;
      insert into workflow_instances (id, definition_id, definition_version_id, version, status,
          correlation_id, parent_id, incident_count, revision, created_at, updated_at, state,
          tenant_id)
        select 'i' || lpad(n::text, 9, '0'), 'd' || n % 1000, 'd' || n % 1000 || '-3', 3,
               'Suspended', case when n % 10 = 7 then 'c' || n end,
               case when n % 100000 = 0 then 'i000000001' end,
               case when n % 50000 = 0 then 1 else 0 end, 1,
               timestamptz '2026-01-01 00:00:00Z' + n * interval '1 second', now(), '\\x00',
               case when n % 1000 = 0 then 'acme' else '' end
          from generate_series(1, :rows) n;
      insert into bookmarks (id, workflow_instance_id, name, hash, correlation_id, created_at,
          subjects, task, task_tenant, job_queue, job, job_worker, job_lease)
        select 'i' || lpad(n::text, 9, '0') || '-1', 'i' || lpad(n::text, 9, '0'), 'Elsa.Event',
               'Event', 'c' || n, timestamptz '2026-01-01 00:00:00Z' + n * interval '1 second',
               case when n % 10 = 0 then array['user:u' || n / 10 % 1000] end,
               case when n % 10 = 0 then '{}'::json end,
               case when n % 1000 = 0 then 'acme' end,
               case when n % 10 = 3 then 'charge/d' || n % 1000 end,
               case when n % 10 = 3 then '{"type": "charge", "payload": 1, "attempt": 1}'::json end,
               case when n % 1000 = 3 then 'w' || n % 7000 end,
               case when n % 1000 = 3 then '00000000-0000-0000-0000-000000000002'::uuid end
          from generate_series(1, :rows) n;
      insert into timers (id, due_at, workflow_instance_id, kind, payload)
        select 'i' || lpad(n::text, 9, '0') || '-1',
               case when n <= :rows / 1000 then timestamptz '2020-01-01 00:00:00Z'
                    else now() + interval '1 day' + n * interval '1 second' end,
               'i' || lpad(n::text, 9, '0'), case when n % 100000 = 0 then 'Trigger' else 'Bookmark' end,
               case when n % 100000 = 0 then '{"definitionId": "d7"}'::json end
          from generate_series(1, :rows) n;
      insert into journal (workflow_instance_id, revision, at, commit_id, node, entries)
        select 'i' || lpad(n::text, 9, '0'), 1, now(), '00000000-0000-0000-0000-000000000001', 'n1', '[]'
          from generate_series(1, :rows) n;
      insert into idempotency_keys (key, fingerprint, claim, node, claimed_until, expires_at)
        select 'ki' || lpad(n::text, 9, '0'), 'print', '00000000-0000-0000-0000-000000000001', 'n1',
               now() + interval '1 hour',
               now() + case when n <= :rows / 1000 then interval '-1 hour' else interval '1 day' end
          from generate_series(1, :rows) n
      """;
}
