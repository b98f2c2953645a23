package skein.decisions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static skein.burst.Workflows.ID;
import static skein.burst.Workflows.NOW;
import static skein.burst.Workflows.activity;
import static skein.burst.Workflows.event;
import static skein.burst.Workflows.graph;
import static skein.burst.Workflows.graphOf;
import static skein.burst.Workflows.line;
import static skein.burst.Workflows.literal;
import static skein.burst.Workflows.sequence;
import static skein.burst.Workflows.start;
import static skein.burst.Workflows.trigger;
import static skein.burst.Workflows.waiting;
import static skein.decisions.Decisions.LATER;
import static skein.decisions.Decisions.assertObsolete;
import static skein.decisions.Decisions.assertRefused;
import static skein.decisions.Decisions.committed;
import static skein.decisions.Decisions.decide;
import static skein.decisions.Decisions.fire;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import skein.activities.ChildOrder;
import skein.activities.Json;
import skein.burst.Burst;
import skein.burst.Workflows;
import skein.graph.Graph;
import skein.messages.Command;
import skein.model.AuditEntry;
import skein.model.DerivedIds;
import skein.model.Effect;
import skein.model.ErrorCode;
import skein.model.InstanceId;
import skein.model.Parent;
import skein.model.Schedule;
import skein.model.Timer;
import skein.model.Transition;
import skein.model.WorkflowInstance;
import skein.model.WorkflowStatus;

class DecideTimerTest {
  private static final Graph WAITING = sequence(event("e", "go") + "," + line("after", "after"));
  private static final Graph DELAYED =
      sequence(activity("Delay", "d", "'timeSpan':" + literal("TimeSpan", "'01:00:00'")));
  private static final String TRIGGERED_MEMBERS =
      "'root':{'type':'Elsa.Sequence','id':'seq','activities':["
          + activity(
              "Event", "e", "'canStartWorkflow':true,'eventName':" + literal("String", "'go'"))
          + ","
          + event("next", "more")
          + "]}";
  private static final Graph TRIGGERED = graph(TRIGGERED_MEMBERS);
  private static final Graph WAITS_FOR_CHILD =
      sequence(
          activity(
              "ExecuteWorkflow",
              "x",
              "'workflowDefinitionId':"
                  + literal("String", "'kid'")
                  + ",'waitForCompletion':"
                  + literal("Boolean", "true")));
  private static final InstanceId OTHER = new InstanceId("i2");

  private static Timer timer(String id, Timer.Kind kind, @Nullable Object payload) {
    return new Timer(id, NOW, ID, kind, payload);
  }

  private static Timer with(Timer timer, String key, @Nullable Object value) {
    var payload = new HashMap<String, @Nullable Object>();
    if (timer.payload() instanceof Map<?, ?> members) {
      members.forEach((name, member) -> payload.put(String.valueOf(name), member));
    }
    payload.put(key, value);
    return new Timer(timer.id(), timer.dueAt(), timer.instanceId(), timer.kind(), payload);
  }

  private static WorkflowInstance cancelled(Graph graph) {
    return committed(decide(new Command.Cancel(ID), start(graph).next(), graph)).next();
  }

  // Bookmarks

  private static Timer bookmarkTimer(WorkflowInstance waiting, Instant dueAt) {
    var id = waiting.bookmarks().getFirst().id().toString();
    return new Timer(id, dueAt, ID, Timer.Kind.Bookmark, null);
  }

  @Test
  void a_bookmark_that_is_due_is_resumed_not_before_it_is() {
    var waiting = start(DELAYED).next();
    var due = NOW.plus(Duration.ofHours(1));

    var atTime = committed(fire(bookmarkTimer(waiting, due), waiting, DELAYED));
    var putOff = committed(fire(bookmarkTimer(waiting, due.plusSeconds(9)), waiting, DELAYED));
    var others = committed(fire(bookmarkTimer(waiting, NOW), waiting, DELAYED));

    assertThat(atTime.next().status()).isEqualTo(WorkflowStatus.Completed);
    assertThat(atTime.guard()).isEqualTo(Transition.Guard.notBefore(due));
    assertThat(putOff.guard()).isEqualTo(Transition.Guard.notBefore(due.plusSeconds(9)));
    assertThat(others.guard()).isEqualTo(Transition.Guard.notBefore(due));
  }

  @Test
  void a_bookmark_without_a_due_time_has_that_of_its_timer() {
    var waiting = start(WAITING).next();

    assertThat(committed(fire(bookmarkTimer(waiting, LATER), waiting, WAITING)).guard())
        .isEqualTo(Transition.Guard.notBefore(LATER));
  }

  @Test
  void the_timer_of_a_bookmark_that_is_gone_is_obsolete() {
    var waiting = start(DELAYED).next();
    var timer = bookmarkTimer(waiting, NOW);

    assertObsolete(fire(timer, null, DELAYED), timer, null);
    assertObsolete(fire(timer, cancelled(DELAYED), DELAYED), timer, null);
  }

  // Events

  @Test
  void an_event_resumes_who_waits_for_it_and_takes_its_timer_along() {
    var waiting = start(WAITING).next();
    var id = waiting(waiting, "e").id();
    var timer = EventTimers.resume("ev", id, Map.of("by", "kim"));

    var resumed = committed(fire(timer, waiting, WAITING));

    assertThat(timer.id()).isEqualTo("ev/" + id);
    assertThat(timer.instanceId()).isEqualTo(ID);
    assertThat(resumed.burnt()).containsExactly(id);
    assertThat(resumed.next().results().get("e")).isEqualTo(Map.of("Result", Map.of("by", "kim")));
    assertThat(resumed.timersDone()).contains(timer.id());
    assertThat(resumed.guard()).isEqualTo(Transition.Guard.NONE);
    assertObsolete(fire(timer, resumed.next(), WAITING), timer, null);
    assertObsolete(fire(timer, null, null), timer, null);
  }

  // Accepted starts

  @Test
  void an_accepted_instance_is_run_once() {
    var start = new Command.Start(ID, "d1", null, Workflows.request(Map.of()), true, false);
    var pending = committed(decide(start, null, WAITING)).next();
    var timer = timer("start-" + ID, Timer.Kind.Start, null);

    var run = committed(fire(timer, pending, WAITING));

    assertThat(run.next().status()).isEqualTo(WorkflowStatus.Suspended);
    assertThat(run.timersDone()).containsExactly(timer.id());
    assertObsolete(fire(timer, run.next(), WAITING), timer, null);
    assertObsolete(fire(timer, null, WAITING), timer, null);
  }

  @Test
  void an_instance_whose_version_was_deleted_is_faulted() {
    var waiting = start(WAITING).next();
    var timer = EventTimers.resume("ev", waiting(waiting, "e").id(), null);

    var failed = committed(fire(timer, waiting, null));

    assertThat(failed.next().status()).isEqualTo(WorkflowStatus.Faulted);
    assertThat(failed.next().incidents().getFirst().type()).isEqualTo("DefinitionDeleted");
    assertThat(failed.timersDone()).contains(timer.id());
    var ended = cancelled(WAITING);
    assertObsolete(fire(timer, ended, null), timer, null);
  }

  // Triggers

  private static Timer triggerTimer(String versionId, @Nullable String correlationId, int causes) {
    var trigger = new EventTimers.Triggered("d1:e", "d1", versionId, "e");
    return EventTimers.start("ev", "", trigger, correlationId, Map.of("by", "kim"), causes);
  }

  @Test
  void an_event_starts_one_instance_at_its_trigger() {
    var timer = triggerTimer("d1-v1", "c", 2);

    var started = committed(fire(timer, null, TRIGGERED));

    assertThat(timer).isEqualTo(triggerTimer("d1-v1", "c", 2));
    assertThat(started.next().id()).isEqualTo(timer.instanceId());
    assertThat(started.next().labels().correlationId()).isEqualTo("c");
    assertThat(started.next().results().get("e")).isEqualTo(Map.of("Result", Map.of("by", "kim")));
    assertThat(started.timersDone()).containsExactly(timer.id());
    assertThat(started.guard())
        .isEqualTo(Transition.Guard.published("d1-v1").andNotBefore(timer.dueAt()));
    assertObsolete(fire(timer, started.next(), TRIGGERED), timer, null);
    assertObsolete(fire(timer, null, null), timer, null);
  }

  @Test
  void a_newer_version_is_started_if_it_still_has_the_trigger() {
    var stillThere =
        Workflows.BURST.triggers(TRIGGERED, Decisions.context().inputs()).getFirst().id();
    var older =
        EventTimers.start(
            "ev", "", new EventTimers.Triggered(stillThere, "d1", "d1-v0", "e"), null, null, 0);
    var gone = triggerTimer("d1-v0", null, 0);

    assertThat(committed(fire(older, null, TRIGGERED)).next().status())
        .isEqualTo(WorkflowStatus.Suspended);
    assertObsolete(fire(gone, null, TRIGGERED), gone, null);
  }

  @Test
  void an_event_on_its_way_starts_no_definition_that_is_another_tenants_now() {
    var timer = triggerTimer("d1-v1", null, 0);
    var ofAcme =
        EventTimers.start(
            "ev", "acme", new EventTimers.Triggered("d1:e", "d1", "d1-v1", "e"), null, null, 0);
    var definition = graphOf("acme", TRIGGERED_MEMBERS);

    var started = committed(fire(ofAcme, null, definition));

    assertThat(started.next().definition().tenant()).isEqualTo("acme");
    assertThat(ofAcme.instanceId().value())
        .startsWith("t")
        .isNotEqualTo(timer.instanceId().value());
    assertObsolete(fire(timer, null, definition), timer, null);
    assertObsolete(fire(ofAcme, null, TRIGGERED), ofAcme, null);
  }

  @Test
  void a_trigger_without_a_stimulus_gets_the_time_it_was_due() {
    var payload =
        Json.members(
            "definitionId", "d1", "versionId", "d1-v1", "triggerId", "t", "activityId", "e");
    var timer = new Timer("t@1", NOW, OTHER, Timer.Kind.Trigger, payload);

    var started = committed(fire(timer, null, TRIGGERED));

    assertThat(started.next().results().get("e"))
        .isEqualTo(Map.of("Result", Map.of("dueAt", NOW.toString())));
    assertThat(started.next().labels().correlationId()).isNull();
  }

  // Schedules

  private static Timer scheduled(@Nullable Object notice) {
    var payload =
        Json.members(
            "scheduleId",
            "s1",
            "at",
            NOW.toString(),
            "definitionId",
            "d1",
            "input",
            Map.of("n", 1L),
            "correlationId",
            "c",
            "notice",
            notice);
    return new Timer("run-" + OTHER, NOW, OTHER, Timer.Kind.ScheduleStart, payload);
  }

  @Test
  void a_schedule_starts_the_published_version_with_its_input() {
    var timer = scheduled(true);

    var started = committed(fire(timer, null, WAITING));

    assertThat(started.next().id()).isEqualTo(OTHER);
    assertThat(started.next().input()).isEqualTo(Map.of("n", 1L));
    assertThat(started.next().labels().correlationId()).isEqualTo("c");
    assertThat(started.next().labels().parent()).isEqualTo(Parent.schedule(Schedule.laneOf("s1")));
    assertThat(started.guard()).isEqualTo(Transition.Guard.published("d1-v1"));
    assertThat(started.timersDone()).containsExactly(timer.id());
    assertThat(committed(fire(scheduled(null), null, WAITING)).next().labels().parent()).isNull();
  }

  @Test
  void a_schedule_of_a_version_starts_it_whatever_is_published() {
    var timer = with(scheduled(true), "versionId", "d1-v1");

    assertThat(committed(fire(timer, null, WAITING)).guard()).isEqualTo(Transition.Guard.NONE);
  }

  @Test
  void a_schedule_starts_at_the_activity_it_names() {
    var timer = with(scheduled(null), "activityId", "e");

    var started = committed(fire(timer, null, TRIGGERED));

    assertThat(started.next().results().get("e"))
        .isEqualTo(Map.of("Result", Map.of("dueAt", NOW.toString(), "scheduleId", "s1")));
  }

  @Test
  void an_occurrence_that_starts_nothing_is_told_to_its_schedule() {
    var timer = scheduled(true);
    var elsewhere = with(timer, "activityId", "nowhere");

    assertObsolete(
        fire(timer, null, null),
        timer,
        ScheduleNews.notStarted(timer, "Workflow definition d1 is not published", LATER));
    assertObsolete(
        fire(elsewhere, null, WAITING),
        elsewhere,
        ScheduleNews.notStarted(elsewhere, "The definition has no activity nowhere", LATER));
  }

  @Test
  void an_occurrence_starts_no_definition_that_is_another_tenants_now() {
    var ofDefault = scheduled(true);
    var ofAcme = with(ofDefault, "tenant", "acme");
    var definition = ofAcme(event("e", "go"));

    var started = committed(fire(ofAcme, null, definition));

    assertThat(started.next().definition().tenant()).isEqualTo("acme");
    for (var timer : List.of(ofDefault, with(ofDefault, "tenant", "globex"))) {
      var news = ScheduleNews.refused(timer, LATER);
      assertObsolete(fire(timer, null, definition), timer, news);
      assertThat(ScheduleNews.isRefused(news)).isTrue();
      assertThat(Payloads.tenant(news)).isEqualTo(Payloads.tenant(timer));
      assertThat(Payloads.text(news, "scheduleId")).isEqualTo("s1");
      assertThat(Payloads.text(news, "failed"))
          .isEqualTo("Workflow definition d1 is not published");
    }
    assertThat(ScheduleNews.isRefused(ScheduleNews.notStarted(ofDefault, "no", LATER))).isFalse();
  }

  @Test
  void an_occurrence_whose_id_another_tenant_has_is_told_to_its_schedule() {
    var timer = with(scheduled(true), "tenant", "acme");
    var taken = committed(fire(scheduled(true), null, WAITING)).next();

    assertObsolete(
        fire(timer, taken, ofAcme(event("e", "go"))),
        timer,
        ScheduleNews.notStarted(timer, "The id of its instance is taken", LATER));
  }

  @Test
  void an_occurrence_that_was_started_before_starts_nothing() {
    var lane = Schedule.laneOf("s1");
    var timer = scheduled(true);
    var running = committed(fire(timer, null, WAITING)).next();
    var ended = committed(decide(new Command.Cancel(OTHER), running, WAITING)).next();

    assertObsolete(fire(timer, running, WAITING), timer, null);
    assertObsolete(fire(timer, ended, WAITING), timer, ScheduleNews.ended(lane, OTHER, LATER));
    assertObsolete(fire(scheduled(null), ended, WAITING), scheduled(null), null);
  }

  @Test
  void a_schedule_cancels_what_has_not_ended() {
    var timer = timer("cancel-" + ID, Timer.Kind.Cancel, null);
    var waiting = start(WAITING).next();

    var cancelled = committed(fire(timer, waiting, WAITING));

    assertThat(cancelled.next().status()).isEqualTo(WorkflowStatus.Cancelled);
    assertThat(cancelled.timersDone()).contains(timer.id());
    assertObsolete(fire(timer, cancelled.next(), WAITING), timer, null);
    assertObsolete(fire(timer, null, WAITING), timer, null);
  }

  // Children

  private static Timer child(String notice, @Nullable String correlationId) {
    var payload =
        Json.members(
            "definitionId",
            "d1",
            "input",
            Map.of("n", 1L),
            "correlationId",
            correlationId,
            "parentId",
            "p1",
            "execution",
            3L,
            "notice",
            notice,
            "waitingParents",
            2L,
            "causes",
            4L);
    return new Timer("child-" + OTHER, NOW, OTHER, Timer.Kind.Child, payload);
  }

  @Test
  void a_child_is_started_as_its_parents() {
    var timer = child("AtEnd", "c");

    var started = committed(fire(timer, null, WAITING));

    assertThat(started.next().id()).isEqualTo(OTHER);
    assertThat(started.next().labels().parent())
        .isEqualTo(new Parent(new InstanceId("p1"), 3, Parent.Notice.AtEnd));
    assertThat(started.next().labels().correlationId()).isEqualTo("c");
    assertThat(started.next().input()).isEqualTo(Map.of("n", 1L));
    assertThat(started.guard()).isEqualTo(Transition.Guard.published("d1-v1"));
    assertThat(started.timersDone()).containsExactly(timer.id());
    assertObsolete(fire(timer, started.next(), WAITING), timer, null);
    assertThat(committed(fire(child("Never", null), null, WAITING)).next().labels().correlationId())
        .isNull();
  }

  private static Graph ofAcme(String activities) {
    return graphOf(
        "acme", "'root':{'type':'Elsa.Sequence','id':'seq','activities':[" + activities + "]}");
  }

  @Test
  void a_child_is_of_its_parents_tenant_and_another_tenants_definition_is_not_published_for_it() {
    var ofDefault = child("AtEnd", null);
    var ofAcme = with(ofDefault, "tenant", "acme");
    var ofGlobex = with(ofDefault, "tenant", "globex");
    var definition = ofAcme(event("e", "go"));

    var started = committed(fire(ofAcme, null, definition));

    assertThat(started.next().definition().tenant()).isEqualTo("acme");
    for (var timer : List.of(ofDefault, ofGlobex)) {
      var told = ChildNews.notStarted(timer, "Workflow definition d1 is not published", LATER);
      assertObsolete(fire(timer, null, definition), timer, told);
    }
    var told = ChildNews.notStarted(ofAcme, "Workflow definition d1 is not published", LATER);
    assertObsolete(fire(ofAcme, null, WAITING), ofAcme, told);
  }

  @Test
  void what_an_instance_starts_and_publishes_says_whose_it_is() {
    var parent =
        start(
            ofAcme(
                activity(
                        "DispatchWorkflow",
                        "d",
                        "'workflowDefinitionId':" + literal("String", "'kid'"))
                    + ","
                    + activity("PublishEvent", "p", "'eventName':" + literal("String", "'go'"))));
    var ofDefault = start(WAITS_FOR_CHILD);

    assertThat(parent.timersMade())
        .filteredOn(timer -> timer.kind() == Timer.Kind.Child)
        .hasSize(1)
        .allSatisfy(timer -> assertThat(Payloads.tenant(timer)).isEqualTo("acme"))
        .allSatisfy(timer ->
            assertThat(timer.instanceId())
                .isEqualTo(
                    DerivedIds.of(
                        "acme",
                        parent.next().id() + "@" + parent.next().timing().createdAt() + ":1")));
    assertThat(ofDefault.timersMade())
        .isNotEmpty()
        .allSatisfy(timer -> assertThat(Payloads.has(timer, "tenant")).isFalse());
    var event = new Effect.EventPublished("e1", "go", null, null, 0);
    assertThat(Payloads.event(event, "acme")).containsEntry("tenant", "acme");
    assertThat(Payloads.event(event, "")).doesNotContainKey("tenant");
  }

  @Test
  void a_child_passes_on_who_waits_and_what_led_to_it() {
    var started = committed(fire(child("AtEnd", null), null, WAITS_FOR_CHILD));

    var grandchild =
        started.timersMade().stream()
            .filter(timer -> timer.kind() == Timer.Kind.Child)
            .findFirst()
            .orElseThrow();
    assertThat(Payloads.value(grandchild, "waitingParents")).isEqualTo(3L);
    assertThat(Payloads.causes(grandchild)).isEqualTo(5);
  }

  @Test
  void a_parent_is_told_of_a_child_that_cannot_be_started() {
    var timer = child("AtEnd", null);
    var told = ChildNews.notStarted(timer, "Workflow definition d1 is not published", LATER);

    assertThat(told)
        .isNotNull()
        .satisfies(news -> {
          assertThat(news.kind()).isEqualTo(Timer.Kind.ChildDone);
          assertThat(news.instanceId()).isEqualTo(new InstanceId("p1"));
          assertThat(Payloads.object(news, ChildOrder.KEY))
              .containsEntry("subStatus", "Faulted")
              .containsEntry("error", "Workflow definition d1 is not published");
        });
    assertObsolete(fire(timer, null, null), timer, told);
    var silent = child("Never", null);
    assertObsolete(fire(silent, null, null), silent, null);
  }

  @Test
  void the_news_of_a_child_has_its_number() {
    var timer = with(child("AtEnd", null), "number", 7L);
    var started = committed(fire(timer, null, WAITING)).next();
    assertThat(started.executions().getFirst().memory()).containsEntry(Burst.CHILD_NUMBER, 7L);

    var ended = committed(decide(new Command.Cancel(OTHER), started, WAITING));

    assertThat(ended.timersMade())
        .singleElement()
        .satisfies(news ->
            assertThat(Payloads.object(news, ChildOrder.KEY))
                .containsEntry("number", 7L)
                .containsEntry("subStatus", "Cancelled"));
    var reason = "Workflow definition d1 is not published";
    var refused = Objects.requireNonNull(ChildNews.notStarted(timer, reason, LATER));
    assertThat(Payloads.object(refused, ChildOrder.KEY)).containsEntry("number", 7L);
    assertObsolete(fire(timer, null, null), timer, refused);
  }

  private static Timer childDone(int execution) {
    var child =
        Json.members(
            "workflowInstanceId",
            "k1",
            "status",
            "Finished",
            "subStatus",
            "Finished",
            "output",
            Map.of());
    return timer(
        "done-k1",
        Timer.Kind.ChildDone,
        Json.members("execution", (long) execution, ChildOrder.KEY, child));
  }

  @Test
  void the_news_of_a_child_is_counted_once() {
    var waiting = start(WAITS_FOR_CHILD).next();
    int execution = waiting.executions().getLast().number();
    var timer = childDone(execution);

    var resumed = committed(fire(timer, waiting, WAITS_FOR_CHILD));

    assertThat(resumed.next().status()).isEqualTo(WorkflowStatus.Completed);
    assertThat(resumed.guard()).isEqualTo(Transition.Guard.consumes(timer.id()));
    assertThat(resumed.timersDone()).contains(timer.id());
    assertObsolete(fire(timer, resumed.next(), WAITS_FOR_CHILD), timer, null);
    assertObsolete(fire(timer, null, WAITS_FOR_CHILD), timer, null);
    assertObsolete(
        fire(childDone(execution + 9), waiting, WAITS_FOR_CHILD), childDone(execution + 9), null);
    var ofAcme = with(timer, "tenant", "acme");
    assertObsolete(fire(ofAcme, waiting, WAITS_FOR_CHILD), ofAcme, null);
    assertObsolete(fire(ofAcme, waiting, null), ofAcme, null);
  }

  @Test
  void the_news_of_a_child_is_consumed_by_a_parent_that_is_faulted() {
    var waiting = start(WAITS_FOR_CHILD).next();
    int execution = waiting.executions().getLast().number();
    var faulted = Workflows.BURST.fail(waiting, "T", "m", Workflows.at(NOW));
    var timer = childDone(execution);

    var kept = committed(fire(timer, faulted.next(), WAITS_FOR_CHILD));

    assertThat(kept.next().status()).isEqualTo(WorkflowStatus.Faulted);
    assertThat(kept.guard()).isEqualTo(Transition.Guard.consumes(timer.id()));
    assertThat(kept.timersDone()).containsExactly(timer.id());
    assertObsolete(fire(timer, faulted.next(), null), timer, null);
  }

  // Alterations

  @Test
  void a_plan_alters_an_instance_once() {
    var graph =
        graph("'variables':[{'id':'v','name':'V','typeName':'Int64'}],'root':" + event("e", "go"));
    var alterations =
        List.of(Json.members("type", "ModifyVariable", "variableId", "v", "value", 12L));
    var timer =
        timer("a1", Timer.Kind.Alter, Json.members("planId", "p", "alterations", alterations));
    var waiting = start(graph).next();

    var altered = committed(fire(timer, waiting, graph));

    assertThat(altered.guard()).isEqualTo(Transition.Guard.consumes("a1"));
    assertThat(altered.timersDone()).contains("a1");
    assertThat(altered.audit())
        .containsExactly(new AuditEntry("instance.alter", "ok", "i1", null, null));
    assertRefused(ErrorCode.INSTANCE_NOT_FOUND, () -> fire(timer, null, graph));
    assertRefused(ErrorCode.DEFINITION_NOT_FOUND, () -> fire(timer, waiting, null));
  }

  @Test
  void a_plan_says_who_has_submitted_it() {
    var graph = sequence(event("e", "go"));
    var skip = Json.members("type", "Skip", "activityId", "e", "reason", "agreed");
    var timer =
        timer(
            "a1",
            Timer.Kind.Alter,
            Json.members("planId", "p", "alterations", List.of(skip), "actor", "kim"));

    var altered = committed(fire(timer, start(graph).next(), graph));

    assertThat(altered.journal().getFirst().message()).isEqualTo("by kim: agreed");
    assertThat(altered.audit())
        .containsExactly(new AuditEntry("instance.alter", "ok", "i1", null, "kim"));
  }

  @Test
  void a_plan_with_alterations_of_a_newer_version_is_left_to_nodes_of_that() {
    var graph = sequence(event("e", "go"));
    var alterations = List.of(Json.members("type", "Twist"));
    var timer =
        timer("a1", Timer.Kind.Alter, Json.members("planId", "p", "alterations", alterations));

    assertRefused(ErrorCode.NEWER_FORMAT, () -> fire(timer, start(graph).next(), graph));
    assertThat(ErrorCode.NEWER_FORMAT.isTransient()).isTrue();
  }

  // Kinds

  @ParameterizedTest
  @EnumSource(names = {"Event", "CancelChildren", "Schedule", "ScheduleDone"})
  void what_is_delivered_is_not_decided(Timer.Kind kind) {
    assertThatThrownBy(() -> fire(timer("t", kind, null), null, null))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining(kind + " is delivered");
  }

  @Test
  void starts_are_told_from_everything_else() {
    var fromInside = new Command.Fire(triggerTimer("d1-v1", null, 1));
    var fromOutside = new Command.Fire(triggerTimer("d1-v1", null, 0));

    assertThat(Payloads.startsFromInside(fromInside.timer())).isTrue();
    assertThat(Payloads.startsFromInside(fromOutside.timer())).isFalse();
    assertThat(Payloads.startsFromInside(child("Never", null))).isTrue();
    assertThat(Payloads.startsFromInside(with(timer("t", Timer.Kind.Event, null), "causes", 3L)))
        .isFalse();
    assertThat(Payloads.starts(fromOutside)).isTrue();
    assertThat(Payloads.starts(new Command.Fire(child("Never", null)))).isTrue();
    assertThat(Payloads.starts(new Command.Fire(scheduled(true)))).isTrue();
    assertThat(Payloads.starts(new Command.Fire(childDone(1)))).isFalse();
    assertThat(Payloads.starts(new Command.Cancel(ID))).isFalse();
    assertThat(
            Payloads.starts(
                new Command.Start(ID, "d1", null, Workflows.request(Map.of()), false, false)))
        .isTrue();
  }

  @Test
  void a_timer_that_lacks_what_it_needs_is_named() {
    var empty = timer("t7", Timer.Kind.Resume, Map.of());

    assertThatThrownBy(() -> fire(empty, start(WAITING).next(), WAITING))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("Timer t7 lacks bookmarkId");
    assertThatThrownBy(() -> ChildNews.parent(with(child("Never", null), "execution", "x")))
        .hasMessageContaining("lacks execution");
    assertThat(trigger(TRIGGERED, "e", null).next().status()).isEqualTo(WorkflowStatus.Suspended);
  }
}
