package skein.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import skein.model.ErrorCode;
import skein.model.InstanceId;
import skein.model.SkeinException;

/** Lists whose rows workflows and their callers make large. */
class PageSizesIT {
  private static final int LARGE = 2_000;
  private static final ReadLimit LIMIT = new ReadLimit(3_000);

  private final Database database = TestDatabase.migrated();

  @Test
  void tasks_are_listed_as_far_as_one_request_may_read_and_at_least_one() {
    run(
        """
        insert into workflow_instances (id, definition_id, definition_version_id, version, status,
            revision, incident_count, created_at, updated_at, state)
        values ('i', 'd', 'd:1', 1, 'Suspended', 1, 0, now(), now(), '')
        """);
    run(
        """
        insert into bookmarks (id, workflow_instance_id, name, hash, created_at, subjects, task)
        select 'i-' || n, 'i', 'Skein.UserTask', 'h' || n, now(), '{user:u}',
               json_build_object('title', repeat('x', $1))
          from generate_series(1, 3) n
        """,
        LARGE);
    var tasks = new TaskStore(database, LIMIT);

    assertThat(tasks.page(tasks(0, 1), TenantScope.ALL).await().items()).hasSize(1);
    assertThat(tasks.page(tasks(2, 1), TenantScope.ALL).await().items()).hasSize(1);
    refused(tasks.page(tasks(0, 3), TenantScope.ALL));
    assertThat(new TaskStore(database).page(tasks(0, 3), TenantScope.ALL).await().items())
        .hasSize(3);
  }

  private static TaskStore.Query tasks(int skip, int take) {
    return new TaskStore.Query(List.of("user:u"), null, List.of(), null, skip, take);
  }

  @Test
  void schedules_are_listed_as_far_as_one_request_may_read_and_at_least_one() {
    ScheduleRows.add(database, "s", 3, "d", "PT1H", "Skip", Instant.EPOCH, 1);
    run(
        """
        update schedules set target = json_build_object('v', 1, 'definitionId', 'd', 'input',
            json_build_object('text', repeat('x', $1)))
        """,
        LARGE);
    var schedules = new ScheduleStore(database, LIMIT);

    assertThat(schedules.page(schedules(1, 1), TenantScope.ALL).await().schedules()).hasSize(1);
    refused(schedules.page(schedules(0, 3), TenantScope.ALL));
    assertThat(new ScheduleStore(database).page(schedules(0, 3), TenantScope.ALL).await().total())
        .isEqualTo(3);
  }

  private static ScheduleStore.Query schedules(int skip, int take) {
    return new ScheduleStore.Query(null, null, null, skip, take);
  }

  @Test
  void timers_are_listed_without_what_they_carry() {
    run(
        """
        insert into timers (id, due_at, workflow_instance_id, kind, payload)
        values ('start-i', now(), 'i', 'Start', json_build_object('text', repeat('x', $1)))
        """,
        LARGE);
    var timers = new TimerList(database);

    var listed = timers.page(new TimerList.Query(List.of(), null, null, null, 0, 10)).await();

    assertThat(listed.items())
        .singleElement()
        .satisfies(entry -> assertThat(entry.timer().payload()).isNull());
    assertThat(timers.find("start-i").await())
        .isNotNull()
        .satisfies(entry -> assertThat(entry.timer().payload()).isNotNull());
  }

  @Test
  void a_plan_shows_some_of_its_jobs_and_how_far_all_are() {
    var plans = new AlterationStore(database);
    var ids = List.of(new InstanceId("a"), new InstanceId("b"), new InstanceId("c"));
    plans.submit("p", List.of(), ids, TenantScope.ALL, null).await();
    run("delete from timers where workflow_instance_id in ('a', 'b')");

    var plan = plans.find("p", 1, 1).await();

    assertThat(plan).isNotNull();
    assertThat(plan.progress()).isEqualTo(new AlterationStore.Progress(3, true, false));
    assertThat(plan.jobs())
        .containsExactly(new AlterationStore.Job(new InstanceId("b"), false, null, null));
  }

  private static void refused(Future<?> reading) {
    assertThatThrownBy(reading::await)
        .isInstanceOfSatisfying(
            SkeinException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.TOO_LARGE));
  }

  private void run(String sql, Object... parameters) {
    database.run("prepare", sql, Tuple.from(parameters)).await();
  }
}
