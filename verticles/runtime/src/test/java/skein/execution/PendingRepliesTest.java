package skein.execution;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import skein.loop.SimulatedLoop;
import skein.loop.Simulator;
import skein.messages.Command;
import skein.messages.Reply;
import skein.model.BookmarkId;
import skein.model.Counters;
import skein.model.DefinitionRef;
import skein.model.InstanceId;
import skein.model.Labels;
import skein.model.StartRequest;
import skein.model.Timing;
import skein.model.WorkflowInstance;
import skein.model.WorkflowStatus;

class PendingRepliesTest {
  private static final InstanceId ID = new InstanceId("instance");
  private static final DefinitionRef DEFINITION = new DefinitionRef("definition", "version", 1);
  private static final Duration TIMEOUT = Duration.ofSeconds(1);
  private static final Reply KNOWN = new Reply.Delivered(0, 0, List.of());

  private final Simulator simulator = new Simulator(1);
  private final SimulatedLoop loop = simulator.newLoop("loop");

  /** An instance was deleted and made again, and waits for work of the same name. */
  @Test
  void each_of_two_callers_who_expect_the_same_news_is_answered_when_his_time_is_up() {
    var pendingReplies = new PendingReplies(loop, TIMEOUT);
    var news = PendingReplies.work(new BookmarkId(ID, 1));
    Promise<Reply> first = Promise.promise();
    Promise<Reply> second = Promise.promise();
    loop.execute(() -> expect(pendingReplies, first, news));
    simulator.after(
        TIMEOUT.dividedBy(2).toNanos(),
        () -> loop.execute(() -> expect(pendingReplies, second, news)));
    run(TIMEOUT.plusMillis(1));
    assertThat(answers(first, second)).containsExactly(true, false);
    run(TIMEOUT.multipliedBy(2));
    assertThat(answers(first, second)).containsExactly(true, true);
  }

  /** Otherwise the timer of each piece of work would live for as long as a caller may wait. */
  @Test
  void the_timer_of_news_that_has_come_is_called_off() {
    var calledOff = new ArrayList<String>();
    loop.execute(() -> {
      var pendingReply = new PendingReply(loop, start(), Promise.promise());
      pendingReply.expect("first", () -> calledOff.add("first"));
      pendingReply.expect("second", () -> calledOff.add("second"));
      pendingReply.arrived("first");
    });
    run(TIMEOUT);
    assertThat(calledOff).containsExactly("first");
  }

  @Test
  void work_brings_the_state_to_who_asked_for_it_until_he_is_answered() {
    var pendingReplies = new PendingReplies(loop, TIMEOUT);
    var first = new BookmarkId(ID, 1);
    var second = new BookmarkId(ID, 2);
    var wanted = new ArrayList<Boolean>();
    loop.execute(() -> {
      var asking = new PendingReply(loop, start(true), Promise.promise());
      pendingReplies.expect(asking, PendingReplies.work(first));
      var other = new PendingReply(loop, start(), Promise.promise());
      pendingReplies.expect(other, PendingReplies.work(second));
      wanted.add(pendingReplies.wantsState(first));
      wanted.add(pendingReplies.wantsState(second));
      asking.heard(KNOWN);
      asking.close();
      wanted.add(pendingReplies.wantsState(first));
    });
    run(TIMEOUT);
    assertThat(wanted).containsExactly(true, false, false);
  }

  /** Another caller may have changed the instance while this one waited. */
  @Test
  void whose_time_is_up_is_given_no_state_that_may_be_old() {
    var pendingReplies = new PendingReplies(loop, TIMEOUT);
    Promise<Reply> answer = Promise.promise();
    loop.execute(() -> {
      var pendingReply = new PendingReply(loop, start(true), answer);
      pendingReplies.expect(pendingReply, PendingReplies.work(new BookmarkId(ID, 1)));
      pendingReply.heard(done(instance()));
    });
    run(TIMEOUT.plusMillis(1));
    assertThat(answer.future().result()).isEqualTo(done(null));
  }

  private static Reply done(@Nullable WorkflowInstance state) {
    return new Reply.Done(ID, DEFINITION, WorkflowStatus.Suspended, 2, null, state);
  }

  private static WorkflowInstance instance() {
    var now = Instant.EPOCH;
    return new WorkflowInstance(
        ID,
        DEFINITION,
        WorkflowStatus.Suspended,
        2,
        Labels.NONE,
        new Timing(now, now, null),
        Counters.NONE,
        null,
        Map.of(),
        Map.of(),
        Map.of(),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        null);
  }

  private static Command start() {
    return start(false);
  }

  private static Command start(boolean wantState) {
    var request = new StartRequest(Map.of(), Labels.NONE, null, null, null);
    return new Command.Start(ID, "definition", null, request, false, wantState);
  }

  private void expect(PendingReplies pendingReplies, Promise<Reply> promise, String news) {
    var pendingReply = new PendingReply(loop, start(), promise);
    pendingReplies.expect(pendingReply, news);
    pendingReply.heard(KNOWN);
  }

  private static List<Boolean> answers(Promise<Reply> first, Promise<Reply> second) {
    return List.of(isComplete(first.future()), isComplete(second.future()));
  }

  private static boolean isComplete(Future<Reply> answer) {
    return answer.isComplete();
  }

  private void run(Duration until) {
    while (simulator.step(until.toNanos())) {
      // until then
    }
  }
}
