package skein.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.vertx.core.Future;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import skein.activities.Activities;
import skein.activities.Stimuli;
import skein.codecs.JsonLimits;
import skein.codecs.JsonText;
import skein.decisions.EventTimers;
import skein.definitions.Compiler;
import skein.definitions.CompilerThreads;
import skein.definitions.DefinitionCache;
import skein.graph.CompilerOptions;
import skein.messages.Addresses;
import skein.messages.Command;
import skein.messages.Reply;
import skein.messages.Request;
import skein.model.ErrorCode;
import skein.model.InstanceId;
import skein.model.JournalEntry;
import skein.model.SkeinException;
import skein.model.Timer;
import skein.model.WorkflowStatus;
import skein.storage.DefinitionStore;
import skein.storage.StimulusStore;
import skein.storage.TestDatabase;
import skein.storage.TimerStore;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ExecutionIT {
  private OneNode node;

  @BeforeAll
  void start() {
    node = new OneNode();
    node.publish(sequence("Approval", line("before"), event("Approve"), line("after")));
    node.publish(sequence("Short", line("begin"), delay("00:00:00.3"), line("end")));
    node.publish(sequence("Broadcast", publish("Approve", "c1")));
    node.publish(sequence("Task", task("Sign"), line("signed")));
    node.publish(sequence("TwoWaits", event("First"), event("Second")));
  }

  @AfterAll
  void stop() {
    node.close();
  }

  @Test
  void an_instance_waits_is_resumed_and_completes() {
    var id = node.start("Approval");
    assertThat(node.get(id).status()).isEqualTo(WorkflowStatus.Suspended);

    node.ingress.resume(new Request.Resume(id, null, Map.of())).await();

    assertThat(node.get(id).status()).isEqualTo(WorkflowStatus.Completed);
    assertThat(lines(id)).containsExactly("before", "after");
  }

  @Test
  void of_thirty_resumes_one_succeeds_and_the_others_are_told() {
    var id = node.start("Approval");

    var codes =
        IntStream.range(0, 30)
            .mapToObj(_ -> node.ingress.resume(new Request.Resume(id, null, Map.of())))
            .toList()
            .stream()
            .map(f ->
                f.map(_ -> "resumed").otherwise(e -> ((SkeinException) e).code().name()).await())
            .toList();

    assertThat(codes).containsOnlyOnce("resumed");
    assertThat(codes.stream().filter("ALREADY_RESUMED"::equals)).hasSize(29);
    assertThat(lines(id)).containsExactly("before", "after");
  }

  /** The journal's transactions: those that were written together have one. */
  private static final String COMMITS =
      "select count(distinct xmin::text) from journal where workflow_instance_id = $1";

  @Test
  void many_that_wait_in_one_instance_are_resumed_once_each_and_share_commits()
      throws InterruptedException {
    int places = 300;
    node.publish(definition("Wide", parallel(places)));
    var id = node.start("Wide");
    var bookmarks = node.get(id).bookmarks();
    assertThat(bookmarks).hasSize(places);

    var other = lockJournal(); // the first commit waits, the others gather
    var resumes =
        IntStream.range(0, 3)
            .boxed()
            .flatMap(_ -> bookmarks.stream())
            .map(each -> node.ingress.resume(new Request.Resume(id, each.id(), Map.of())))
            .toList();
    Thread.sleep(500);
    unlock(other);
    var answers =
        resumes.stream()
            .map(f ->
                f.map(_ -> "resumed").otherwise(e -> ((SkeinException) e).code().name()).await())
            .toList();

    assertThat(answers.stream().filter("resumed"::equals)).hasSize(places);
    assertThat(answers.stream().filter("ALREADY_RESUMED"::equals)).hasSize(2 * places);
    assertThat(node.get(id).status()).isEqualTo(WorkflowStatus.Completed);
    assertThat(node.get(id).revision()).isEqualTo(places + 1);
    assertThat(node.instances.journal(id).await().stream().filter(e -> isEnd(e, "Elsa.Event")))
        .hasSize(places);
    assertThat(number(COMMITS, id)).isLessThan(places / 3);
  }

  private static boolean isEnd(JournalEntry entry, String type) {
    return entry.activityType().equals(type) && entry.event().equals("Completed");
  }

  private long number(String sql, InstanceId id) {
    return node.number(sql, id.value());
  }

  private static Map<String, @Nullable Object> parallel(int places) {
    var items = JsonText.print(IntStream.range(0, places).boxed().toList());
    var expression = Map.of("type", "Object", "value", items);
    return Map.of(
        "type",
        "Elsa.ParallelForEach",
        "id",
        "root",
        "items",
        Map.of("typeName", "Object", "expression", expression),
        "body",
        event("Wait").json());
  }

  @Test
  void an_unknown_instance_and_an_unknown_bookmark_are_refused() {
    assertRefused(
        ErrorCode.INSTANCE_NOT_FOUND,
        () ->
            node.ingress
                .resume(new Request.Resume(new InstanceId("nobody"), null, Map.of()))
                .await());
    assertRefused(
        ErrorCode.TASK_NOT_FOUND,
        () -> node.ingress.completeTask(new Request.CompleteTask("nobody-7", null)).await());
  }

  @Test
  void a_delay_fires_once_and_not_early() {
    var id = node.start("Short");

    var instance = node.awaitStatus(id, WorkflowStatus.Completed);

    assertThat(instance.status()).isEqualTo(WorkflowStatus.Completed);
    assertThat(lines(id)).containsExactly("begin", "end");
    var journal = node.instances.journal(id).await();
    var took = Duration.between(journal.getFirst().at(), journal.getLast().at());
    assertThat(took).isBetween(Duration.ofMillis(300), Duration.ofSeconds(5));
  }

  @Test
  void a_dispatched_instance_runs_by_itself() {
    var done =
        node.ingress
            .start(new Request.Start("Short", Map.of(), null, null, null, null, true))
            .await();

    assertThat(done.status()).isEqualTo(WorkflowStatus.Pending);
    assertThat(node.awaitStatus(done.instanceId(), WorkflowStatus.Completed).status())
        .isEqualTo(WorkflowStatus.Completed);
  }

  @Test
  void an_event_that_an_instance_publishes_reaches_those_that_wait_with_its_correlation() {
    var waiting = correlated("Approval", "c1");
    var other = correlated("Approval", "c2");

    node.start("Broadcast");

    assertThat(node.awaitStatus(waiting, WorkflowStatus.Completed).status())
        .isEqualTo(WorkflowStatus.Completed);
    assertThat(node.get(other).status()).isEqualTo(WorkflowStatus.Suspended);
  }

  @Test
  void an_event_that_was_accepted_before_another_version_was_published_starts_that_one() {
    node.publish(sequence("Begins", trigger("Begin"), line("one")));
    var kept = acceptedEvent("Begin", "kept");
    var lost = acceptedEvent("Begin", "lost");
    node.publish(sequence("Begins", trigger("Begin"), line("two")));

    node.router.send(new Command.Fire(kept)).await();
    node.publish(sequence("Begins", trigger("Other"), line("three")));
    node.router.send(new Command.Fire(lost)).await();

    assertThat(lines(kept.instanceId())).containsExactly("two");
    assertThat(node.instances.find(lost.instanceId()).await()).isNull();
    var timers = new TimerStore(node.database);
    assertThat(timers.exists(kept.id()).await()).isFalse();
    assertThat(timers.exists(lost.id()).await()).isFalse();
  }

  /** A delivery that has been written and not been started. */
  private Timer acceptedEvent(String name, String eventId) {
    var stimuli = new StimulusStore(node.database);
    var match = stimuli.triggers(Stimuli.event(name)).await().getFirst();
    var trigger =
        new EventTimers.Triggered(
            match.triggerId(), match.definitionId(), match.versionId(), match.activityId());
    var start = EventTimers.start(eventId, "", trigger, null, null, 0);
    stimuli.deliver("", List.of(start), 60).await();
    return start;
  }

  private static Activity trigger(String event) {
    var activity = event(event);
    activity.json().put("customProperties", Map.of("canStartWorkflow", true));
    return activity;
  }

  @Test
  void a_version_that_many_ask_for_at_one_time_is_compiled_once() {
    node.cache.invalidate(List.of());
    var asked = IntStream.range(0, 20).mapToObj(_ -> node.cache.published("Approval")).toList();
    var graph = asked.getFirst().await();
    var versionId = graph.ref().versionId();

    assertThat(asked).allSatisfy(each -> assertThat(each.await()).isSameAs(graph));
    assertThat(node.cache.version(versionId).await()).isSameAs(graph);
    node.cache.invalidate(List.of("Approval"));
    assertThat(node.cache.version(versionId).await()).isNotSameAs(graph);
  }

  @Test
  void a_database_that_is_away_makes_no_version_look_deleted() {
    var database = TestDatabase.unreachable();
    var store = new DefinitionStore(database);
    var compiler =
        new Compiler(
            store,
            Activities.builtIn(),
            CompilerOptions.DEFAULT,
            new CompilerThreads(node.vertx, 1));
    var cache = new DefinitionCache(store, compiler, 10);

    var refused = catchThrowableOfType(SkeinException.class, () -> cache.version("v1").await());

    assertThat(refused.code()).isEqualTo(ErrorCode.STORAGE_UNAVAILABLE);
    assertThat(node.cache.version("v1").await()).isNull();
    database.close().await();
  }

  @Test
  void an_event_resumes_everybody_who_waits() {
    var waiting = IntStream.range(0, 20).mapToObj(_ -> correlated("Approval", "many")).toList();

    var delivered =
        node.ingress
            .publishEvent(new Request.PublishEvent("Approve", "many", null, 5L), true)
            .await();

    assertThat(delivered.resumed()).isEqualTo(20);
    for (var id : waiting) {
      assertThat(node.get(id).status()).isEqualTo(WorkflowStatus.Completed);
    }
  }

  @Test
  void a_task_is_completed_by_its_id_once() {
    var id = node.start("Task");
    var taskId = node.get(id).bookmarks().getFirst().id().toString();

    node.ingress.completeTask(new Request.CompleteTask(taskId, "yes")).await();

    assertThat(node.get(id).status()).isEqualTo(WorkflowStatus.Completed);
    assertRefused(
        ErrorCode.ALREADY_RESUMED,
        () -> node.ingress.completeTask(new Request.CompleteTask(taskId, "yes")).await());
  }

  @Test
  void a_start_with_a_key_is_done_once_and_another_request_with_it_is_refused() {
    var request = new Request.Start("Approval", Map.of("a", 1L), null, null, null, "key-1", false);

    var ids =
        IntStream.range(0, 10).mapToObj(_ -> node.ingress.start(request)).toList().stream()
            .map(f -> f.await().instanceId())
            .distinct()
            .toList();

    assertThat(ids).hasSize(1);
    var changed = new Request.Start("Approval", Map.of("a", 2L), null, null, null, "key-1", false);
    assertRefused(ErrorCode.IDEMPOTENCY_KEY_REUSED, () -> node.ingress.start(changed).await());
  }

  /** What is in the state, and deeper in the journal or a timer. */
  @Test
  void what_is_nested_too_deep_to_be_stored_faults_or_is_refused_for_good() {
    for (int depth = JsonLimits.DEPTH_CEILING - 8; depth <= JsonLimits.DEPTH_CEILING; depth++) {
      Object deep = 1L;
      for (int i = 0; i < depth; i++) {
        deep = List.of(deep);
      }
      var payload = deep;
      refusedAsTooDeepAtMost(() -> node.start("Approval", Map.of("x", payload)));
      var id = node.start("Approval");
      refusedAsTooDeepAtMost(() ->
          node.ingress.resume(new Request.Resume(id, null, Map.of("payload", payload))).await());

      assertThat(node.get(id).status()).isIn(WorkflowStatus.Completed, WorkflowStatus.Faulted);
    }
  }

  private static void refusedAsTooDeepAtMost(Runnable call) {
    try {
      call.run();
    } catch (SkeinException e) {
      assertThat(e.code()).isEqualTo(ErrorCode.TOO_DEEP);
    }
  }

  @Test
  void a_cancelled_instance_is_not_resumed() {
    var id = node.start("Approval");

    node.ingress.cancel(id).await();

    assertThat(node.get(id).status()).isEqualTo(WorkflowStatus.Cancelled);
    assertRefused(
        ErrorCode.INSTANCE_FINISHED,
        () -> node.ingress.resume(new Request.Resume(id, null, Map.of())).await());
  }

  @Test
  void a_token_resumes_once() {
    var id = node.start("Approval");
    var bookmark = node.get(id).bookmarks().getFirst().id();
    var minted = node.ingress.mintToken(bookmark, Duration.ofHours(1), "test").await();
    assertThat(minted.token()).hasSizeBetween(32, 64);

    node.ingress.resumeByToken(new Request.ResumeByToken(minted.token(), Map.of(), "test")).await();

    assertThat(node.get(id).status()).isEqualTo(WorkflowStatus.Completed);
    assertRefused(
        ErrorCode.ALREADY_RESUMED,
        () ->
            node.ingress
                .resumeByToken(new Request.ResumeByToken(minted.token(), Map.of(), "test"))
                .await());
  }

  @Test
  void an_expired_or_replaced_token_resumes_nothing() {
    var id = node.start("Approval");
    var bookmark = node.get(id).bookmarks().getFirst().id();
    var replaced = node.ingress.mintToken(bookmark, null, "test").await();
    var expired = node.ingress.mintToken(bookmark, Duration.ofMillis(1), "test").await();
    node.vertx.timer(20).await();

    assertRefused(
        ErrorCode.TOKEN_INVALID,
        () ->
            node.ingress
                .resumeByToken(new Request.ResumeByToken(replaced.token(), Map.of(), "test"))
                .await());
    assertRefused(
        ErrorCode.TOKEN_EXPIRED,
        () ->
            node.ingress
                .resumeByToken(new Request.ResumeByToken(expired.token(), Map.of(), "test"))
                .await());
    assertThat(node.get(id).status()).isEqualTo(WorkflowStatus.Suspended);
  }

  @Test
  void a_new_version_is_started_as_soon_as_publish_has_answered() {
    for (int i = 0; i < 20; i++) {
      node.publish(sequence("Changing", line("text " + i)));
      assertThat(lines(node.start("Changing"))).containsExactly("text " + i);
    }
  }

  @Test
  void a_repeated_command_does_not_take_the_next_bookmark() {
    var id = node.start("TwoWaits");
    var resume = new Command.Resume(id, null, Map.of(), new Command.Via.Api(), false);
    var commandId = UUID.randomUUID();
    node.router.send(resume, commandId).await();

    var again =
        new DeliveryOptions()
            .addHeader("command-id", commandId.toString())
            .addHeader("repeated", "true");
    var address = Addresses.execution("n1", node.cluster.self().laneOf(id));
    var reply = node.vertx.eventBus().request(address, resume, again).await().body();

    assertThat(reply).isInstanceOf(Reply.Done.class);
    assertThat(node.get(id).revision()).isEqualTo(2);
    assertThat(node.get(id).bookmarks()).hasSize(1);
  }

  @Test
  void a_repeated_mint_is_answered_with_the_token_that_was_made_first() {
    var id = node.start("Approval");
    var secret = new UUID(3, 4);
    var mint =
        new Command.MintToken(
            node.get(id).bookmarks().getFirst().id(), Duration.ofHours(1), "test", secret);
    var commandId = UUID.randomUUID();
    var first = node.router.send(mint, commandId).await();

    var again =
        new DeliveryOptions()
            .addHeader("command-id", commandId.toString())
            .addHeader("repeated", "true")
            .addHeader("secret", secret.toString());
    var address = Addresses.execution("n1", node.cluster.self().laneOf(id));
    var reply = node.vertx.eventBus().request(address, mint, again).await().body();

    assertThat(reply).isInstanceOf(Reply.TokenMinted.class).isEqualTo(first);
    assertThat(node.get(id).revision()).isEqualTo(2);
    var token = ((Reply.TokenMinted) first).token();
    node.ingress.resumeByToken(new Request.ResumeByToken(token, Map.of(), "test")).await();
    assertThat(node.get(id).status()).isEqualTo(WorkflowStatus.Completed);
  }

  @Test
  void a_node_that_falls_behind_with_its_commits_refuses_more_and_finishes_what_it_took()
      throws InterruptedException {
    var other = lockJournal();
    var taken = new ArrayList<Future<Reply.Done>>();
    taken.add(begin()); // is sent, and waits for the lock
    Thread.sleep(100);
    for (int i = 0; i < 20; i++) {
      taken.add(begin());
    }
    var probes = new ArrayList<Future<Reply.Done>>();
    for (int i = 0; i < 80 && probes.stream().noneMatch(Future::failed); i++) {
      probes.add(begin());
      Thread.sleep(50);
    }
    assertThat(probes).anyMatch(Future::failed);

    for (int i = 0; i < 20; i++) {
      var refused = begin();
      assertRefused(ErrorCode.OVERLOADED, refused::await);
    }
    unlock(other);

    for (var start : taken) {
      assertThat(start.await().status()).isEqualTo(WorkflowStatus.Suspended);
    }
    for (var probe : probes) {
      if (probe.failed()) {
        assertRefused(ErrorCode.OVERLOADED, probe::await);
      } else {
        assertThat(probe.await().status()).isEqualTo(WorkflowStatus.Suspended);
      }
    }
    assertThat(begin().await().status()).isEqualTo(WorkflowStatus.Suspended);
  }

  /** From then on no commit lands. */
  private PgConnection lockJournal() {
    var other =
        PgConnection.connect(node.vertx, PgConnectOptions.fromUri(TestDatabase.uri())).await();
    var schema = node.database.options().schema();
    other.query("begin; lock table " + schema + ".journal").execute().await();
    return other;
  }

  private static void unlock(PgConnection other) {
    other.query("commit").execute().await();
    other.close().await();
  }

  /** In one lane alone. */
  private Future<Reply.Done> begin() {
    var id = node.ingress.newInstanceId();
    while (node.cluster.self().laneOf(id) != 0) {
      id = node.ingress.newInstanceId();
    }
    return node.ingress.start(new Request.Start("Approval", Map.of(), null, null, id, null, false));
  }

  @Test
  void several_open_bookmarks_must_be_told_apart() {
    node.publish(parallelWaits());
    var id = node.start("Parallel");

    assertRefused(
        ErrorCode.SEVERAL_BOOKMARKS,
        () -> node.ingress.resume(new Request.Resume(id, null, Map.of())).await());

    for (var bookmark : node.get(id).bookmarks()) {
      node.ingress.resume(new Request.Resume(id, bookmark.id(), Map.of())).await();
    }
    assertThat(node.get(id).status()).isEqualTo(WorkflowStatus.Completed);
  }

  private record Activity(Map<String, @Nullable Object> json) {}

  private InstanceId correlated(String definitionId, String correlationId) {
    return node.ingress
        .start(new Request.Start(definitionId, Map.of(), correlationId, null, null, null, false))
        .await()
        .instanceId();
  }

  /** A line counts when it completed; its text is in the entry that says what went in. */
  private List<String> lines(InstanceId id) {
    var texts = new HashMap<Integer, String>();
    var lines = new ArrayList<String>();
    for (var entry : node.instances.journal(id).await()) {
      if (!entry.activityType().equals("Elsa.WriteLine")) {
        continue;
      }
      if (entry.data().get("state") instanceof Map<?, ?> state) {
        texts.put(entry.execution(), String.valueOf(state.get("Text")));
      }
      if (entry.event().equals("Completed")) {
        lines.add(texts.getOrDefault(entry.execution(), ""));
      }
    }
    return lines;
  }

  private static void assertRefused(ErrorCode code, Runnable call) {
    assertThatThrownBy(call::run)
        .isInstanceOfSatisfying(SkeinException.class, e -> assertThat(e.code()).isEqualTo(code));
  }

  private static String sequence(String name, Activity... activities) {
    return definition(
        name,
        Map.of(
            "type",
            "Elsa.Sequence",
            "id",
            "root",
            "activities",
            Stream.of(activities).map(Activity::json).toList()));
  }

  private static String definition(String name, Map<String, @Nullable Object> root) {
    return JsonText.print(Map.of("definitionId", name, "name", name, "root", root));
  }

  private static String parallelWaits() {
    return definition(
        "Parallel",
        Map.of(
            "type",
            "Elsa.Flowchart",
            "id",
            "root",
            "activities",
            List.of(
                Map.of("type", "Elsa.Start", "id", "s"),
                event("Left").json(),
                event("Right").json()),
            "connections",
            List.of(connection("s", "eventLeft"), connection("s", "eventRight"))));
  }

  private static Map<String, Object> connection(String from, String to) {
    return Map.of(
        "source", Map.of("activity", from, "port", "Done"),
        "target", Map.of("activity", to, "port", "In"));
  }

  private static Activity line(String text) {
    return activity("WriteLine", "line-" + text.replace(" ", ""), "text", text);
  }

  private static Activity event(String name) {
    return activity("Event", "event" + name, "eventName", name);
  }

  private static Activity delay(String span) {
    return activity("Delay", "delay", "timeSpan", span);
  }

  private static Activity task(String name) {
    return activity("RunTask", "task" + name, "taskName", name);
  }

  private static Activity publish(String event, String correlationId) {
    var activity = activity("PublishEvent", "publish", "eventName", event);
    activity.json().put("correlationId", literal(correlationId));
    return activity;
  }

  private static Activity activity(String type, String id, String input, String value) {
    var activity = new HashMap<String, @Nullable Object>();
    activity.put("type", "Elsa." + type);
    activity.put("id", id);
    activity.put(input, literal(value));
    return new Activity(activity);
  }

  private static Map<String, Object> literal(String value) {
    return Map.of("typeName", "String", "expression", Map.of("type", "Literal", "value", value));
  }
}
