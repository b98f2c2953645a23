package skein.execution;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import skein.loop.SimulatedLoop;
import skein.loop.Simulator;
import skein.messages.Command;
import skein.messages.Reply;
import skein.model.BookmarkId;
import skein.model.InstanceId;
import skein.model.Labels;
import skein.model.StartRequest;

class PendingRepliesTest {
  private static final InstanceId ID = new InstanceId("instance");
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

  private void expect(PendingReplies pendingReplies, Promise<Reply> promise, String news) {
    var request = new StartRequest(Map.of(), Labels.NONE, null, null, null);
    var start = new Command.Start(ID, "definition", null, request, false, false);
    var pendingReply = new PendingReply(loop, start, promise);
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
