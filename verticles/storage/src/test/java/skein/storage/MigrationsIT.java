package skein.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import skein.model.Recurrence;
import skein.model.Schedule;
import skein.model.Timer;

@ExtendWith(TestDatabase.class)
class MigrationsIT {
  @Test
  void five_nodes_may_start_at_once_on_an_empty_database() {
    for (int round = 0; round < 5; round++) {
      var database = TestDatabase.empty();
      var runs = IntStream.range(0, 5).mapToObj(_ -> new Migrations(database).run()).toList();

      var found = Future.all(runs).await().<Integer>list();

      assertThat(found).containsOnlyOnce(0).contains(Migrations.NEWEST);
      assertThat(versions(database)).isEqualTo(Migrations.NEWEST);
    }
  }

  @Test
  void a_newer_schema_is_refused_and_left_alone(Database database) {
    database.run("age", "insert into schema_version (version) values ($1)", Tuple.of(999)).await();

    assertThatThrownBy(() -> new Migrations(database).run().await())
        .hasMessageContaining("version 999")
        .hasMessageContaining("knows " + Migrations.NEWEST);
  }

  @Test
  void a_newer_schema_that_says_it_is_compatible_is_used_as_it_is(Database database) {
    database
        .run(
            "add",
            "insert into schema_version (version, compatible_with) values ($1, $2)",
            Tuple.of(999, Migrations.NEWEST))
        .await();

    assertThat(new Migrations(database).run().await()).isEqualTo(999);
  }

  @Test
  void the_newest_schema_serves_the_version_before() {
    assertThat(MigrationScripts.compatibleWith(Migrations.NEWEST)).isEqualTo(Migrations.NEWEST - 1);
    assertThat(MigrationScripts.compatibleWith(7)).isEqualTo(7);
  }

  @Test
  void a_migration_lets_those_go_first_who_use_its_tables() throws InterruptedException {
    var database = TestDatabase.empty();
    atVersion2(database);
    var user = database.connection(Map.of()).await();
    user.query("begin; lock table workflow_definitions in row exclusive mode").execute().await();

    var migration = new Migrations(database, Duration.ofMillis(200), 100).run();
    Thread.sleep(600);
    var others = new ArrayList<Long>();
    for (int i = 0; i < 5; i++) {
      long since = System.nanoTime();
      database.run("use", "select count(*) from workflow_definitions", Tuple.tuple()).await();
      others.add(System.nanoTime() - since);
    }
    boolean waited = !migration.isComplete();
    user.query("commit").execute().await();
    user.close().await();

    assertThat(migration.await()).isEqualTo(2);
    assertThat(waited).isTrue();
    assertThat(others).allMatch(nanos -> nanos < Duration.ofSeconds(2).toNanos());
    assertThat(versions(database)).isEqualTo(Migrations.NEWEST);
  }

  @Test
  void definitions_from_before_version_3_are_found_by_type_name_and_by_what_they_use() {
    var database = TestDatabase.empty();
    atVersion2(database);
    define(database, "kid-v1", "kid", "my kid_flow", USABLE);
    define(database, "plain-v1", "plain", "Plain", "{'root':{'type':'Elsa.Sequence','id':'s'}}");
    define(
        database,
        "user-v1",
        "user",
        null,
        "{'root':{'type':'Elsa.If','id':'i','then':{'type':'Elsa.Sequence','id':'s',"
            + "'activities':[{'type':'MyKidFlow','id':'k'}]}}}");
    define(
        database,
        "other-v1",
        "other",
        null,
        "{'root':{'type':'Old','id':'k','workflowDefinitionId':'kid',"
            + "'workflowDefinitionVersionId':'gone'}}");

    new Migrations(database).run().await();

    var store = new DefinitionStore(database);
    var kid = store.findByType("MyKidFlow", 1, TenantScope.ALL).await();
    assertThat(kid).isNotNull();
    assertThat(kid.ref().definitionId()).isEqualTo("kid");
    assertThat(store.findByType("Plain", 1, TenantScope.ALL).await()).isNull();
    assertThat(store.users("kid").await()).containsExactly("other-v1", "user-v1");
    assertThat(store.users("plain").await()).isEmpty();
  }

  private static final String USABLE =
      "{'options':{'usableAsActivity':true},'root':{'type':'Elsa.WriteLine','id':'w'}}";

  @Test
  void triggers_by_the_clock_from_before_version_7_become_schedules_that_keep_their_rhythm() {
    var database = TestDatabase.empty();
    atVersion2(database);
    trigger(database, "A", "Elsa.Cron", "{'cronExpression':'0 0 * * * *'}", "1798794000000");
    trigger(
        database,
        "B",
        "Elsa.Timer",
        "{'startAt':'2026-03-01T10:00:00.123456Z','interval':'PT1H'}",
        "1798794000123");
    trigger(database, "C", "Elsa.StartAt", "{'executeAt':'2020-01-01T00:00:00Z'}", null);
    trigger(database, "D", "Elsa.Event", "{'eventName':'go'}", null);

    new Migrations(database).run().await();

    var store = new ScheduleStore(database);
    var page =
        store.page(new ScheduleStore.Query("def", null, null, 0, 10), TenantScope.ALL).await();
    assertThat(page.schedules())
        .extracting(Schedule::id)
        .containsExactly(id("A"), id("B"), id("C"));
    var timer = page.schedules().get(1);
    assertThat(timer.timetable().recurrence())
        .isEqualTo(
            new Recurrence.Interval(
                Duration.ofHours(1), Instant.parse("2026-03-01T10:00:00.123Z")));
    assertThat(timer.target().activityId()).isEqualTo("activity");
    assertThat(page.schedules().get(2).state().nextAt()).isNull();
    var due =
        new TimerStore(database)
            .due(TimerShard.ONLY, Duration.ofDays(10_000), Instant.EPOCH, "", 10)
            .await();
    assertThat(due)
        .extracting(Timer::kind, Timer::id, Timer::instanceId)
        .containsExactly(
            tuple(Timer.Kind.Schedule, id("A") + "@1798794000000", Schedule.laneOf(id("A"))),
            tuple(Timer.Kind.Schedule, id("B") + "@1798794000123", Schedule.laneOf(id("B"))));
    assertThat(((Map<?, ?>) Objects.requireNonNull(due.get(1).payload())).get("at"))
        .isEqualTo(String.valueOf(timer.state().nextAt()));
  }

  private static String id(String letter) {
    return letter.repeat(64);
  }

  private static void trigger(
      Database database, String letter, String name, String payload, @Nullable String millis) {
    database
        .run(
            "trigger",
            """
            insert into triggers (id, workflow_definition_id, workflow_definition_version_id,
                version, activity_id, name, hash, payload)
            values ($1, 'def', 'v', 1, 'activity', $2, $1, $3::text::json)
            """,
            Tuple.of(id(letter), name, payload.replace('\'', '"')))
        .await();
    if (millis != null) {
      database
          .run(
              "timer",
              """
              insert into timers (id, due_at, workflow_instance_id, kind, payload)
              values ($1::text || '@' || $2::text,
                'epoch'::timestamptz + $2::text::bigint * interval '1 millisecond', 'i', 'Trigger',
                '{"definitionId":"def"}')
              """,
              Tuple.of(id(letter), millis))
          .await();
    }
  }

  private static void atVersion2(Database database) {
    at(2, database);
  }

  private static void at(int version, Database database) {
    var connection = database.connection(Map.of()).await();
    connection.query("create schema " + database.options().schema()).execute().await();
    for (int i = 1; i <= version; i++) {
      connection.query(MigrationScripts.script(i)).execute().await();
    }
    connection
        .query(
            """
            create table schema_version (
              version int primary key,
              applied_at timestamptz not null default now(),
              compatible_with int
            );
            insert into schema_version (version) select generate_series(1, %d)
            """
                .formatted(version))
        .execute()
        .await();
    connection.close().await();
  }

  /** The first version that takes the locks of two tables for longer than a moment. */
  private static final int BEFORE_TENANTS = 27;

  @Test
  void a_migration_that_is_given_up_for_a_deadlock_is_tried_again() {
    var database = TestDatabase.empty();
    at(BEFORE_TENANTS, database);
    var user = database.connection(Map.of()).await();
    user.query("set deadlock_timeout = '1min'; begin; select from workflow_definitions")
        .execute()
        .await();

    var migration = new Migrations(database, Duration.ofSeconds(3), 1).run();
    awaitWaiting(database);
    // The migration has locked the instances, and waits for the definitions.
    user.query("select from workflow_instances").execute().await();
    user.query("commit").execute().await();
    user.close().await();

    assertThat(migration.await()).isEqualTo(BEFORE_TENANTS);
    assertThat(versions(database)).isEqualTo(Migrations.NEWEST);
  }

  /** Until a statement waits for the lock of a table of this schema. */
  private static void awaitWaiting(Database database) {
    var sql =
        "select count(*) from pg_locks l join pg_class c on c.oid = l.relation"
            + " where not l.granted and c.relnamespace = current_schema()::regnamespace";
    long end = System.nanoTime() + Duration.ofSeconds(20).toNanos();
    while (TestDatabase.number(database, sql) == 0) {
      assertThat(System.nanoTime()).as("nothing waits").isLessThan(end);
    }
  }

  @Test
  void a_migration_that_gets_no_locks_ends_with_what_to_do() {
    var database = TestDatabase.empty();
    at(BEFORE_TENANTS, database);
    var user = database.connection(Map.of()).await();
    user.query("begin; select from workflow_definitions").execute().await();

    assertThatThrownBy(() -> new Migrations(database, Duration.ofMillis(20), 2).run().await())
        .isInstanceOf(SchemaLockedException.class)
        .hasMessageContaining("Version 28 of the schema was tried 3 times")
        .hasMessageContaining("upgrades.migration-retries-max");
    assertThat(versions(database)).isEqualTo(BEFORE_TENANTS);

    user.query("commit").execute().await();
    user.close().await();
    assertThat(new Migrations(database).run().await()).isEqualTo(BEFORE_TENANTS);
  }

  @Test
  void indexes_of_tenants_are_built_while_commits_go_on_and_again_after_an_interruption() {
    var database = TestDatabase.empty();
    at(Migrations.TENANT_INDEXES - 1, database);
    database
        .run(
            "leave one that is of no use",
            "create index workflow_instances_tenant on workflow_instances (id)",
            Tuple.tuple())
        .await();
    var user = database.connection(Map.of()).await();
    user.query("begin; update workflow_instances set name = 'x' where false").execute().await();

    var migration = new Migrations(database, Duration.ofMillis(50), 0).run();
    awaitBuilding(database);
    for (int i = 0; i < 5; i++) {
      database.run("use", INSTANCE, Tuple.of("i" + i, i % 2 == 0 ? "acme" : "")).await();
    }
    assertThat(migration.isComplete()).isFalse();
    user.query("commit").execute().await();
    user.close().await();

    assertThat(migration.await()).isEqualTo(Migrations.TENANT_INDEXES - 1);
    assertThat(
            TestDatabase.texts(
                database,
                "select c.relname || ' ' || i.indisvalid from pg_index i"
                    + " join pg_class c on c.oid = i.indexrelid"
                    + " where c.relnamespace = current_schema()::regnamespace"
                    + " and c.relname like '%\\_tenant' order by 1"))
        .containsExactly(
            "bookmarks_tasks_tenant true",
            "schedules_tenant true",
            "workflow_instances_tenant true");
    assertThat(new TenantStore(database).isUsed().await()).isTrue();
  }

  @Test
  void what_an_attempt_before_has_made_is_neither_made_again_nor_locked() {
    var database = TestDatabase.empty();
    at(Migrations.TENANT_INDEXES - 1, database);
    for (var step : MigrationScripts.steps(MigrationScripts.script(Migrations.TENANT_INDEXES))) {
      database.run("make", step.sql(), Tuple.tuple()).await();
    }
    var indexes =
        "select relname || ' ' || oid from pg_class where relname like '%\\_tenant'"
            + " and relnamespace = current_schema()::regnamespace order by 1";
    var made = TestDatabase.texts(database, indexes);
    assertThat(made).hasSize(3);
    var user = database.connection(Map.of()).await();
    user.query("begin; lock table bookmarks, schedules in row exclusive mode").execute().await();

    var found = new Migrations(database, Duration.ofMillis(50), 0).run().await();

    user.query("commit").execute().await();
    user.close().await();
    assertThat(found).isEqualTo(Migrations.TENANT_INDEXES - 1);
    assertThat(versions(database)).isEqualTo(Migrations.NEWEST);
    assertThat(TestDatabase.texts(database, indexes)).isEqualTo(made);
  }

  @Test
  void statements_outside_transactions_are_the_lines_without_comments() {
    var steps =
        MigrationScripts.steps(
            """
            -- Outside transactions: all.

            -- Unless there: t.c
            alter table t add column c text;
            -- Unless valid: t_c (c, d)
            create index concurrently t_c on t (c, d)
              where c is not null;
            select 1;
            """);

    assertThat(steps)
        .extracting(MigrationScripts.Step::sql)
        .containsExactly(
            "alter table t add column c text;",
            "create index concurrently t_c on t (c, d)\n  where c is not null;",
            "select 1;");
    assertThat(steps.get(0).names().getString(0)).isEqualTo("t");
    assertThat(steps.get(0).names().getString(1)).isEqualTo("c");
    assertThat(steps.get(1).names().getString(0)).isEqualTo("t_c");
    assertThat(steps.get(1).names().getString(1)).isEqualTo("(c, d)");
    assertThat(steps.get(0).unless()).isNotNull().isNotEqualTo(steps.get(1).unless());
    assertThat(steps.get(2).unless()).isNull();
  }

  @Test
  void rows_that_version_28_wrote_for_tenants_say_whose_they_are() {
    var database = TestDatabase.empty();
    at(28, database);
    for (var id : List.of("mother", "child")) {
      database.run("add", INSTANCE, Tuple.of(id, "acme")).await();
    }
    database.run("add", INSTANCE, Tuple.of("plain", "")).await();
    database.run("add", INSTANCE, Tuple.of("stranger", "globex")).await();
    for (var id : List.of("mother", "plain")) {
      change(
          database,
          "insert into bookmarks (id, workflow_instance_id, name, hash, created_at, execution)"
              + " select $1 || '-' || n, $1, name, 'h' || n, now(), n"
              + " from unnest(array['Skein.UserTask', 'Elsa.Event']) with ordinality as b (name, n)",
          id);
    }
    define(database, "heard-1", "heard", "Heard", "{'root':{'type':'Elsa.Event','id':'e'}}");
    change(database, "update workflow_definitions set tenant_id = $1", "acme");
    change(
        database,
        "insert into schedules (id, instance_id, definition_id, origin, rule, policies, target,"
            + " revision, created_at, updated_at, tenant_id)"
            + " values ('nightly', 'lane', 'heard', 'Api', '{}', '{}', '{}', 1, now(), now(), $1)",
        "globex");
    timer(database, "done-child", "mother", "ChildDone", "{'execution':1,'child':{'n':1e2}}");
    timer(database, "done-unborn", "stranger", "ChildDone", "{'execution':1}");
    timer(database, "done-plain", "plain", "ChildDone", "{'execution':1}");
    timer(database, "done-told", "mother", "ChildDone", "{'execution':1,'tenant':'initech'}");
    timer(database, "e/t", "t1", "Trigger", "{ 'versionId':'heard-1','sealed':'AAAA'}");
    timer(database, "e/gone", "t2", "Trigger", "{'versionId':'gone-1'}");
    timer(database, "s@1", "s1", "ScheduleStart", "{'scheduleId':'nightly'}");
    timer(database, "run", "mother", "Start", null);

    new Migrations(database).run().await();

    assertThat(
            TestDatabase.texts(
                database,
                "select id || ' ' || coalesce(task_tenant, 'none') from bookmarks order by id"))
        .containsExactly("mother-1 acme", "mother-2 none", "plain-1 none", "plain-2 none");
    assertThat(
            TestDatabase.texts(
                database,
                "select id || ' ' || coalesce(payload ->> 'tenant', 'none') from timers"
                    + " order by id collate \"C\""))
        .containsExactly(
            "done-child acme",
            "done-plain none",
            "done-told initech",
            "done-unborn globex",
            "e/gone none",
            "e/t acme",
            "run none",
            "s@1 globex");
    assertThat(
            TestDatabase.texts(
                database, "select payload::text from timers where id = 'done-child'"))
        .containsExactly("{\"tenant\":\"acme\",\"execution\":1,\"child\":{\"n\":1e2}}");
  }

  private static void change(Database database, String sql, String parameter) {
    database.run("change", sql, Tuple.of(parameter)).await();
  }

  private static void timer(
      Database database, String id, String instanceId, String kind, @Nullable String payload) {
    database
        .run(
            "add",
            "insert into timers (id, due_at, workflow_instance_id, kind, payload)"
                + " values ($1, now(), $2, $3, $4::text::json)",
            Tuple.of(id, instanceId, kind, payload == null ? null : payload.replace('\'', '"')))
        .await();
  }

  private static final String INSTANCE =
      """
      insert into workflow_instances (id, definition_id, definition_version_id, version, status,
          incident_count, revision, created_at, updated_at, state, tenant_id)
      values ($1, 'd', 'd-1', 1, 'Suspended', 0, 1, now(), now(), '', $2)
      """;

  /** Until the migration drops or builds an index, which waits for what is open. */
  private static void awaitBuilding(Database database) {
    var sql =
        "select count(*) from pg_stat_activity"
            + " where query like '%index concurrently%workflow_instances_tenant%'"
            + " and wait_event_type = 'Lock' and pid <> pg_backend_pid()";
    long end = System.nanoTime() + Duration.ofSeconds(20).toNanos();
    while (TestDatabase.number(database, sql) == 0) {
      assertThat(System.nanoTime()).as("nothing is built").isLessThan(end);
    }
  }

  @Test
  void a_database_without_tenants_is_not_used_by_any(Database database) {
    assertThat(new TenantStore(database).isUsed().await()).isFalse();
    for (var table : List.of("workflow_definitions", "schedules", "identity_users")) {
      assertThat(TenantStore.USED).contains("from " + table + " where tenant_id <> ''");
    }
  }

  private static void define(
      Database database, String id, String definitionId, @Nullable String name, String json) {
    database
        .run(
            "define",
            """
            insert into workflow_definitions (id, definition_id, version, name, is_latest,
                is_published, created_at, content)
            values ($1, $2, 1, $3, true, true, now(), $4)
            """,
            Tuple.of(id, definitionId, name, json.replace('\'', '"')))
        .await();
  }

  @Test
  void a_server_that_is_too_old_is_refused_with_both_versions(Database database) {
    assertThat(new Migrations(database).checkVersion().await()).matches("\\d+\\.\\d+.*");
    assertThat(Migrations.checkVersion(120022, "12.22").await()).isEqualTo("12.22");
    assertThatThrownBy(() -> Migrations.checkVersion(110022, "11.22").await())
        .isInstanceOf(Migrations.DatabaseTooOldException.class)
        .hasMessageContaining("PostgreSQL 11.22 is older than 12");
  }

  @Test
  void a_database_with_durable_settings_is_accepted(Database database) {
    new Migrations(database).checkDurability().await();

    assertThat(database.options().schema()).startsWith("test");
  }

  @Test
  void every_column_of_time_is_stored_with_its_zone(Database database) {
    assertThat(
            TestSql.texts(
                database,
                "select c.table_name || '.' || c.column_name from information_schema.columns c"
                    + " join information_schema.tables t using (table_schema, table_name)"
                    + " where c.table_schema = current_schema() and t.table_type = 'BASE TABLE'"
                    + " and (c.data_type like 'timestamp%' or c.data_type like 'time %')"
                    + " and c.data_type <> 'timestamp with time zone'"))
        .isEmpty();
    assertThat(
            TestDatabase.number(
                database,
                "select count(*) from information_schema.columns where table_schema ="
                    + " current_schema() and data_type = 'timestamp with time zone'"))
        .isGreaterThan(20);
  }

  @Test
  void tables_whose_rows_end_in_any_order_are_vacuumed_when_a_tenth_is_dead(Database database) {
    assertThat(storageOptions(database, "bookmarks"))
        .containsOnly("autovacuum_vacuum_scale_factor=0.1", "autovacuum_vacuum_cost_delay=0");
    assertThat(storageOptions(database, "idempotency_keys"))
        .containsOnly("autovacuum_vacuum_scale_factor=0.1", "fillfactor=50");
    assertThat(storageOptions(database, "timers"))
        .as("dead timers lie where the leader begins to read")
        .contains("autovacuum_vacuum_scale_factor=0.02");
  }

  private static String[] storageOptions(Database database, String table) {
    return database
        .run("read", "select reloptions from pg_class where oid = $1::regclass", Tuple.of(table))
        .await()
        .iterator()
        .next()
        .getArrayOfStrings(0);
  }

  @Test
  void the_journal_has_a_partition_for_each_day_ahead(Database database) {
    var today = LocalDate.of(2031, 5, 1);

    new JournalPartitions(database).prepare(today, 2).await();
    new JournalPartitions(database).prepare(today, 3).await();

    assertThat(
            database
                .run(
                    "count",
                    "select 1 from pg_tables where schemaname = $1 and tablename like 'journal_2031%'",
                    Tuple.of(database.options().schema()))
                .await()
                .size())
        .isEqualTo(4);
  }

  private static long versions(Database database) {
    return database
        .run("count", "select count(*) from schema_version", Tuple.tuple())
        .await()
        .iterator()
        .next()
        .getLong(0);
  }
}
