package skein.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import skein.model.BookmarkId;
import skein.model.ErrorCode;
import skein.model.SkeinException;
import skein.storage.TaskStore.Query;

class TaskStoreIT {
  private static final int TASKS = 100_000;
  private static final int BATCH = 5_000;

  @Test
  void among_many_tasks_those_of_a_person_are_found_by_the_index() {
    var database = TestDatabase.migrated();
    fill(database);
    var mine = new Query(List.of("user:u7", "group:g3"), null, List.of(), null, 0, 10);
    var claimed = new Query(List.of(), "claimed:u7", List.of(), null, 0, 10);

    assertThat(plan(database, mine)).contains("bookmarks_subjects").doesNotContain("Seq Scan on b");
    assertThat(plan(database, claimed)).contains("bookmarks_subjects");

    var tasks = new TaskStore(database);
    var page = tasks.page(mine, TenantScope.ALL).await();
    assertThat(page.items()).hasSize(10);
    assertThat(page.total()).isEqualTo(TASKS / 1_000 + TASKS / 500);
    assertThat(page.items().getFirst().task()).containsKey("taskId");
    assertThat(page.items().getFirst().definitionId()).isEqualTo("checks");
    assertThat(tasks.page(claimed, TenantScope.ALL).await().total()).isEqualTo(TASKS / 1_000 / 10);
    var due = Instant.parse("2026-01-01T00:00:30Z");
    assertThat(
            tasks
                .page(
                    new Query(List.of("user:u7"), null, List.of("checks"), due, 0, 10),
                    TenantScope.ALL)
                .await()
                .total())
        .isEqualTo(1);
    assertThat(
            tasks
                .page(new Query(List.of(), null, List.of("other"), null, 0, 10), TenantScope.ALL)
                .await()
                .total())
        .isZero();
  }

  @Test
  void what_is_no_due_date_fails_no_list() {
    var database = TestDatabase.migrated();
    run(
        database,
        """
        insert into workflow_instances (id, definition_id, definition_version_id, version, status,
            incident_count, revision, created_at, updated_at, state)
        values ('i', 'checks', 'checks-v1', 1, 'Suspended', 0, 1, now(), now(), '')
        """);
    run(
        database,
        """
        insert into bookmarks (id, workflow_instance_id, name, hash, created_at, subjects, task)
        select 'i-' || n, 'i', 'Skein.UserTask', 'h', now(), array['user:ann'],
               json_build_object('taskId', 'i-' || n, 'dueAt', due)
          from unnest(array['2026-05-01T10:00:00Z', '2026-05-01T10:00:00.500Z',
                            '2026-05-01T10:00:01Z', '+1000000000-12-31T23:59:59Z', 'soon', null])
               with ordinality as d (due, n)
        """);
    var tasks = new TaskStore(database);

    for (var expected :
        Map.of(
                "2026-05-01T10:00:00Z", 0,
                "2026-05-01T10:00:00.250Z", 1,
                "2026-05-01T10:00:00.500Z", 1,
                "2026-05-01T10:00:00.500001Z", 2,
                "2026-05-01T10:00:02Z", 3,
                "+10000-01-01T00:30:00Z", 3)
            .entrySet()) {
      var before = Instant.parse(expected.getKey());
      var query = new Query(List.of("user:ann"), null, List.of(), before, 0, 10);
      assertThat(
              tasks.page(query, TenantScope.ALL).await().items().stream()
                  .filter(item -> !String.valueOf(item.task().get("dueAt")).startsWith("+")))
          .as(expected.getKey())
          .hasSize(expected.getValue());
    }
  }

  @Test
  void a_task_that_cannot_be_read_fails_no_list() {
    var database = TestDatabase.migrated();
    run(
        database,
        """
        insert into workflow_instances (id, definition_id, definition_version_id, version, status,
            incident_count, revision, created_at, updated_at, state)
        values ('i', 'checks', 'checks-v1', 1, 'Suspended', 0, 1, now(), now(), '')
        """);
    run(
        database,
        """
        insert into bookmarks (id, workflow_instance_id, name, hash, created_at, subjects, task)
        select 'i-' || n, 'i', 'Skein.UserTask', 'h', now(), array['user:ann'], task::json
          from unnest(array[repeat('{"form":', 501) || '1' || repeat('}', 501),
                            '{"taskId": "i-2", "title": "good"}'])
               with ordinality as t (task, n)
        """);
    var tasks = new TaskStore(database);

    var page =
        tasks
            .page(new Query(List.of("user:ann"), null, List.of(), null, 0, 10), TenantScope.ALL)
            .await();

    assertThat(page.items())
        .extracting(TaskStore.Task::task)
        .containsExactly(Map.of("taskId", "i-1"), Map.of("taskId", "i-2", "title", "good"));
    assertThatThrownBy(() -> tasks.find(BookmarkId.parse("i-1")).await())
        .isInstanceOfSatisfying(
            SkeinException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.TOO_DEEP));
  }

  private static String plan(Database database, Query query) {
    var statement = TaskStore.statement(query, TenantScope.ALL);
    var explain = "explain " + statement.page();
    var rows =
        database
            .run("explain", explain, statement.pageParameters(query, ReadLimit.OF_HEAP))
            .await();
    var plan = new StringBuilder();
    rows.forEach(row -> plan.append(row.getString(0)).append('\n'));
    return plan.toString();
  }

  /** Of 1,000 people and 500 groups; a tenth of the tasks is claimed. */
  private static void fill(Database database) {
    run(
        database,
        """
        insert into workflow_instances (id, definition_id, definition_version_id, version, status,
            incident_count, revision, created_at, updated_at, state)
        select 'i' || n, 'checks', 'checks-v1', 1, 'Suspended', 0, 1, now(), now(), ''
          from generate_series(0, 999) n
        """);
    for (int first = 0; first < TASKS; first += BATCH) {
      run(
          database,
          """
          insert into bookmarks (id, workflow_instance_id, name, hash, created_at, subjects, task)
          select 'i' || n %% 1000 || '-' || n + 1, 'i' || n %% 1000, 'Skein.UserTask', 'h' || n,
                 timestamptz '2026-01-01 00:00:00Z' + make_interval(secs => n),
                 array['user:u' || n %% 1000, 'group:g' || (n + 250) %% 500]
                   || case when n %% 10000 < 1000 then array['claimed:u' || n %% 1000]
                           else array[]::text[] end,
                 json_build_object('taskId', 'i' || n %% 1000 || '-' || n + 1, 'dueAt',
                   timestamptz '2026-01-01 00:00:00Z' + make_interval(secs => n))
            from generate_series(%d, %d) n
          """
              .formatted(first, first + BATCH - 1));
    }
    run(database, "analyze bookmarks");
    run(database, "analyze workflow_instances");
  }

  private static void run(Database database, String sql) {
    database.run("fill", sql, Tuple.tuple()).await();
  }
}
