package skein.testkit;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import skein.activities.Json;
import skein.activities.Stimuli;
import skein.activities.WorkOrder;
import skein.activities.WorkResult;
import skein.burst.Burst;
import skein.burst.BurstInputs;
import skein.burst.BurstLimits;
import skein.codecs.ResumeToken;
import skein.decisions.ChildNews;
import skein.decisions.Decide;
import skein.decisions.Decision;
import skein.decisions.DecisionContext;
import skein.decisions.EventTimers;
import skein.decisions.Payloads;
import skein.decisions.ScheduleNews;
import skein.expressions.ExpressionLimits;
import skein.expressions.Expressions;
import skein.forms.FormLimits;
import skein.graph.Graph;
import skein.messages.Command;
import skein.model.BookmarkId;
import skein.model.Effect;
import skein.model.ErrorCode;
import skein.model.InstanceId;
import skein.model.Labels;
import skein.model.SkeinException;
import skein.model.StartRequest;
import skein.model.Timer;
import skein.model.Transition;
import skein.model.WorkflowInstance;
import skein.model.WorkflowStatus;

/**
 * A node in memory: decides as a real one does, commits to a map, and acts by the mocks. The clock
 * moves only by {@link #advance}.
 */
final class World {
  private static final int STEPS_MAX = 100_000;

  private final Deployed deployed;
  private final Burst burst =
      new Burst(new Expressions(ExpressionLimits.DEFAULT, () -> 0), BurstLimits.DEFAULT);
  private final Decide decide = new Decide(burst, Duration.ofSeconds(2), FormLimits.DEFAULT);
  private final Stored stored = new Stored();
  private final Schedules schedules = new Schedules(stored);
  private final ArrayDeque<Effect.Work> orders = new ArrayDeque<>();
  private final Map<InstanceId, List<String>> lines = new HashMap<>();
  private final List<Decided> decided = new ArrayList<>();
  private Instant now;
  private long commands;
  private int started;

  World(Deployed deployed, Instant now) {
    this.deployed = deployed;
    this.now = now;
  }

  Instant now() {
    return now;
  }

  Stored stored() {
    return stored;
  }

  Graph graphOf(WorkflowInstance instance) {
    return deployed.get(instance.definition().definitionId());
  }

  List<String> lines(InstanceId id) {
    return List.copyOf(lines.getOrDefault(id, List.of()));
  }

  InstanceId start(String definitionId, Map<String, @Nullable Object> input) {
    var id = new InstanceId("run-" + ++started);
    var request = new StartRequest(input, Labels.NONE, null, null, null);
    send(new Command.Start(id, definitionId, null, request, false, false));
    return id;
  }

  void armTriggers() {
    for (var graph : deployed.all()) {
      for (var trigger : burst.triggers(graph, inputs())) {
        schedules.arm(trigger, now);
      }
    }
  }

  /** Does it, and all that follows from it now. */
  void send(Command command) {
    decide(command);
    settle();
  }

  void publish(String event, @Nullable String correlationId, @Nullable Object payload) {
    deliver("event-" + ++commands, event, correlationId, payload);
    settle();
  }

  /** Fires the timers that fall due, in due order. */
  void advance(Duration duration) {
    var end = now.plus(duration);
    for (var due = next(timer -> !timer.dueAt().isAfter(end));
        due != null;
        due = next(timer -> !timer.dueAt().isAfter(end))) {
      now = due.dueAt().isAfter(now) ? due.dueAt() : now;
      fire(due);
      settle();
    }
    now = end;
  }

  /** Makes every decision since the last crash once more, and compares. */
  void crash() {
    for (var before : decided) {
      deployed.calls().repeat(before.mocks());
      try {
        var state = before.before();
        var instance = state == null ? null : state.decoded();
        var again = decision(before.command(), instance, before.graph(), before.inputs());
        if (!(again instanceof Decision.Commit(var transition, _)) || !before.cameTo(transition)) {
          throw new AssertionError(
              "Decided again from its state, " + before.command() + " leads to something else");
        }
      } finally {
        deployed.calls().endRepetition();
      }
    }
    decided.clear();
    orders.clear();
  }

  // Deciding

  private BurstInputs inputs() {
    var number = ++commands;
    return new BurstInputs(now, number, new UUID(0, number), () -> secret(number));
  }

  private static byte[] secret(long command) {
    return ByteBuffer.allocate(ResumeToken.SECRET_BYTES).putLong(command).array();
  }

  private void decide(Command command) {
    var state = stored.state(command.instanceId());
    var before = state == null ? null : state.decoded();
    var graph = graph(command, before);
    var inputs = inputs();
    var decision = decision(command, before, graph, inputs);
    var mocks = deployed.calls().takeSaid();
    switch (decision) {
      case Decision.Answer _ -> {}
      case Decision.Obsolete(var timer, var replacement) -> {
        stored.remove(timer);
        if (replacement != null) {
          stored.add(replacement);
        }
      }
      case Decision.Commit(var transition, _) -> {
        var after = stored.commit(transition);
        if (after != null) {
          decided.add(new Decided(command, state, graph, inputs, mocks, transition, after));
          act(transition);
        }
      }
    }
  }

  private Decision decision(
      Command command,
      @Nullable WorkflowInstance before,
      @Nullable Graph graph,
      BurstInputs inputs) {
    var given = new DecisionContext(inputs, false, Map.of());
    return decide.decide(command, before, graph, given);
  }

  private @Nullable Graph graph(Command command, @Nullable WorkflowInstance before) {
    return switch (command) {
      case Command.Start start -> deployed.get(start.definitionId());
      case Command.Fire(var timer)
          when timer.kind() == Timer.Kind.Trigger
              || timer.kind() == Timer.Kind.ScheduleStart
              || timer.kind() == Timer.Kind.Child ->
          deployed.find(Payloads.text(timer, "definitionId"));
      default -> before == null ? null : graphOf(before);
    };
  }

  private void act(Transition transition) {
    var id = transition.next().id();
    for (var effect : transition.effects()) {
      switch (effect) {
        case Effect.Line(var text) -> lines.computeIfAbsent(id, _ -> new ArrayList<>()).add(text);
        case Effect.Work order -> orders.add(order);
        case Effect.JobWaiting(var bookmarkId, _) -> orders.add(job(transition, bookmarkId));
        // Events are timers by now; the rest is for those who listen outside.
        case Effect.EventPublished _, Effect.HttpAnswer _, Effect.TaskRequested _ -> {}
      }
    }
  }

  /** As the order that a mock of {@link WorkOrder#JOB} is asked. */
  private static Effect.Work job(Transition transition, BookmarkId id) {
    for (var bookmark : transition.made()) {
      var request = Json.object(bookmark.payload());
      if (bookmark.id().equals(id) && request != null) {
        var attempt = request.get("attempt") instanceof Number number ? number.intValue() : 1;
        var key = id.instanceId() + ":" + bookmark.execution();
        return new Effect.Work(id, WorkOrder.JOB, request, WorkOrder.TIMEOUT_MAX, key, attempt);
      }
    }
    throw new IllegalStateException("No job " + id + " was made");
  }

  // What follows

  private void settle() {
    for (var steps = 0; steps < STEPS_MAX; steps++) {
      var order = orders.poll();
      if (order != null) {
        perform(order);
        continue;
      }
      var due = next(timer -> isNudged(timer) || !timer.dueAt().isAfter(now));
      if (due == null) {
        return;
      }
      fire(due);
    }
    throw new IllegalStateException(
        "The workflows do not come to rest: after " + STEPS_MAX + " steps there is more to do");
  }

  /** Whether a node does it at once, and the timer is there in case the node dies. */
  private static boolean isNudged(Timer timer) {
    return switch (timer.kind()) {
      case Start,
          Child,
          ChildDone,
          Event,
          Resume,
          CancelChildren,
          Alter,
          ScheduleStart,
          ScheduleDone,
          Cancel ->
          true;
      case Bookmark, Trigger, Schedule -> false;
    };
  }

  private @Nullable Timer next(Predicate<Timer> which) {
    return stored.timers().stream()
        .filter(which)
        .min(Comparator.comparing(Timer::dueAt))
        .orElse(null);
  }

  private void fire(Timer timer) {
    switch (timer.kind()) {
      case Event -> {
        stored.remove(timer);
        var correlationId = Payloads.value(timer, "correlationId");
        deliver(
            timer.id(),
            Payloads.text(timer, "eventName"),
            correlationId instanceof String text ? text : null,
            Payloads.value(timer, "payload"));
      }
      case CancelChildren -> {
        stored.remove(timer);
        cancelChildren(timer.instanceId());
      }
      case Child -> startChild(timer);
      case ScheduleStart -> startOr(timer, e -> ScheduleNews.notStarted(timer, e.detail(), now));
      case Schedule, ScheduleDone -> schedules.decide(timer, now);
      case Start, ChildDone, Resume, Alter, Bookmark, Trigger, Cancel ->
          decide(new Command.Fire(timer));
    }
  }

  private void startChild(Timer timer) {
    var parent = stored.find(ChildNews.parent(timer).id());
    if (parent != null && parent.status() == WorkflowStatus.Cancelled) {
      stored.remove(timer);
      return;
    }
    startOr(timer, e -> ChildNews.notStarted(timer, e.detail(), now));
  }

  private void startOr(Timer timer, Function<SkeinException, @Nullable Timer> news) {
    try {
      decide(new Command.Fire(timer));
    } catch (SkeinException e) {
      if (e.code() != ErrorCode.ACTIVATION_REFUSED) {
        throw e;
      }
      stored.remove(timer);
      var told = news.apply(e);
      if (told != null) {
        stored.add(told);
      }
    }
  }

  private void cancelChildren(InstanceId parent) {
    for (var instance : stored.all()) {
      if (parent.equals(instance.labels().parentId()) && !instance.status().finished()) {
        decide(new Command.Cancel(instance.id()));
      }
    }
  }

  private void deliver(
      String id, String event, @Nullable String correlationId, @Nullable Object payload) {
    var hash = Stimuli.event(event);
    for (var graph : deployed.all()) {
      for (var trigger : burst.triggers(graph, inputs())) {
        if (trigger.hash().equals(hash)) {
          var met =
              new EventTimers.Triggered(
                  trigger.id(),
                  trigger.definition().definitionId(),
                  trigger.definition().versionId(),
                  trigger.activityId());
          decide(new Command.Fire(EventTimers.start(id, "", met, correlationId, payload, 0)));
        }
      }
    }
    for (var instance : stored.all()) {
      if (correlationId == null || correlationId.equals(instance.labels().correlationId())) {
        for (var bookmark : instance.bookmarks()) {
          if (bookmark.hash().equals(hash)) {
            decide(new Command.Fire(EventTimers.resume(id, bookmark.id(), payload)));
          }
        }
      }
    }
  }

  private void perform(Effect.Work order) {
    var answer = deployed.calls().ask(order.kind(), deployed.work(order.kind()), order.request());
    deployed.calls().takeSaid();
    if (answer.lost()) {
      return;
    }
    var failure = answer.failure();
    WorkResult result =
        failure == null
            ? new WorkResult.Done(answer.outputs(), false)
            : new WorkResult.Failed(failure.type(), failure.message(), failure.passing());
    var id = order.bookmarkId();
    try {
      decide(
          new Command.Resume(id.instanceId(), id, result.toInput(), new Command.Via.Work(), false));
    } catch (SkeinException e) {
      if (e.code() != ErrorCode.ALREADY_RESUMED) {
        throw e; // What has been cancelled needs no result.
      }
    }
  }
}
