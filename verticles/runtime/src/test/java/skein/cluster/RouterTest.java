package skein.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import skein.bus.MessageCodecs;
import skein.bus.Refusals;
import skein.loop.VertxEventLoop;
import skein.messages.Addresses;
import skein.messages.Command;
import skein.messages.Reply;
import skein.model.BookmarkId;
import skein.model.ErrorCode;
import skein.model.InstanceId;
import skein.model.InstanceRefusals;
import skein.model.SkeinException;
import skein.model.WorkflowStatus;

/** A node that is silent, and leaves: what waits for it goes to the other at once. */
class RouterTest {
  private static final InstanceId INSTANCE = new InstanceId("i1");
  private static final Duration ATTEMPT = Duration.ofMinutes(10);
  private static final Duration SOON = Duration.ofSeconds(20);

  private final Vertx vertx = Vertx.vertx();
  private final Members members = new Members();
  private volatile CountDownLatch asked = new CountDownLatch(1);
  private Router router;

  @BeforeEach
  void two_nodes() {
    MessageCodecs.register(vertx);
    router = new Router(vertx, members, new Router.Options(ATTEMPT, ATTEMPT, false));
    router.serve(
        0,
        new VertxEventLoop(vertx, vertx.getOrCreateContext()),
        _ -> Future.succeededFuture(new Reply.TokenMinted("n1", null)));
    vertx.eventBus().consumer(Addresses.execution("n2", 0), _ -> asked.countDown());
  }

  @AfterEach
  void close() {
    vertx.close().await();
  }

  @Test
  void what_waits_for_a_node_that_leaves_goes_to_the_next_owner() throws Exception {
    var answer = router.send(new Command.Cancel(INSTANCE));
    assertThat(asked.await(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();

    members.leave();

    assertThat(by(answer)).isEqualTo("n1");
  }

  @Test
  void what_waits_for_a_node_that_steps_aside_goes_to_the_next_owner() throws Exception {
    var answer = router.send(new Command.Cancel(INSTANCE));
    assertThat(asked.await(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();

    members.stepAside("n2");

    assertThat(by(answer)).isEqualTo("n1");
  }

  @Test
  void a_node_that_has_stepped_aside_refuses_and_waits_for_nobody() throws Exception {
    var waiting = router.send(new Command.Cancel(INSTANCE));
    assertThat(asked.await(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();

    members.stepAside("n1");

    assertThat(refusal(waiting)).isEqualTo(ErrorCode.TIMEOUT);
    assertThat(refusal(router.send(new Command.Cancel(INSTANCE)))).isEqualTo(ErrorCode.NOT_READY);
  }

  @Test
  void what_is_sent_to_a_node_that_has_just_left_does_not_wait_for_it() throws Exception {
    members.leaveWhenAskedForTheOwner();

    assertThat(by(router.send(new Command.Cancel(INSTANCE)))).isEqualTo("n1");
  }

  @Test
  void a_refusal_says_nothing_of_an_attempt_before_that_had_no_answer() throws Exception {
    var busy = new Reply.Refused(ErrorCode.IN_PROGRESS, "busy", List.of());
    router.serve(
        0,
        new VertxEventLoop(vertx, vertx.getOrCreateContext()),
        _ -> Future.succeededFuture(busy));
    var answer = router.send(new Command.Cancel(INSTANCE));
    assertThat(asked.await(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();

    members.leave();
    var afterSilence = refusal(answer);
    var atOnce = refusal(router.send(new Command.Cancel(INSTANCE)));

    assertThat(afterSilence).isEqualTo(ErrorCode.TIMEOUT);
    assertThat(atOnce).isEqualTo(ErrorCode.IN_PROGRESS);
  }

  @Test
  void what_is_refused_now_may_still_be_done_by_an_attempt_before() throws Exception {
    assertThat(refusedAfterSilence(ErrorCode.INSTANCE_NOT_FOUND)).isEqualTo(ErrorCode.TIMEOUT);
  }

  @Test
  void what_is_refused_for_good_is_refused_to_every_attempt() throws Exception {
    assertThat(refusedAfterSilence(ErrorCode.INSTANCE_FINISHED))
        .isEqualTo(ErrorCode.INSTANCE_FINISHED);
  }

  @Test
  void what_a_faulted_instance_refuses_an_attempt_before_may_do_once_it_goes_on() throws Exception {
    var faulted = InstanceRefusals.instanceFinished(INSTANCE, WorkflowStatus.Faulted);
    assertThat(refusedAfterSilence(Refusals.of(faulted))).isEqualTo(ErrorCode.TIMEOUT);
  }

  @Test
  void a_bookmark_that_a_fault_has_closed_may_be_open_again_for_an_attempt_before()
      throws Exception {
    var shelved = InstanceRefusals.shelved(INSTANCE);
    assertThat(refusedAfterSilence(Refusals.of(shelved))).isEqualTo(ErrorCode.TIMEOUT);
  }

  @Test
  void what_an_instance_that_has_ended_refuses_is_refused_to_every_attempt() throws Exception {
    var cancelled = InstanceRefusals.instanceFinished(INSTANCE, WorkflowStatus.Cancelled);
    assertThat(refusedAfterSilence(Refusals.of(cancelled))).isEqualTo(ErrorCode.INSTANCE_FINISHED);
  }

  @ParameterizedTest
  @EnumSource(names = {"ALREADY_RESUMED", "TASK_INVALID"})
  void the_one_bookmark_of_an_instance_may_be_another_for_an_attempt_before(ErrorCode code)
      throws Exception {
    var refused = new Reply.Refused(code, "refused", List.of());
    var named = new BookmarkId(INSTANCE, 1);

    assertThat(refusedAfterSilence(resume(null), refused)).isEqualTo(ErrorCode.TIMEOUT);
    members.join();
    assertThat(refusedAfterSilence(resume(named), refused)).isEqualTo(code);
  }

  /** Its end may be put off. */
  @Test
  void a_bookmark_that_has_expired_may_be_open_for_an_attempt_before() throws Exception {
    var refused = new Reply.Refused(ErrorCode.BOOKMARK_EXPIRED, "refused", List.of());

    assertThat(refusedAfterSilence(resume(new BookmarkId(INSTANCE, 1)), refused))
        .isEqualTo(ErrorCode.TIMEOUT);
  }

  @Test
  void callers_are_not_told_that_an_instance_may_go_on() {
    members.leave();
    var faulted = Refusals.of(InstanceRefusals.instanceFinished(INSTANCE, WorkflowStatus.Faulted));
    assertThat(faulted.errors()).as("nodes of other versions read it").containsExactly("may-go-on");
    router.serve(
        0,
        new VertxEventLoop(vertx, vertx.getOrCreateContext()),
        _ -> Future.succeededFuture(faulted));

    assertThatThrownBy(() -> router.send(new Command.Cancel(INSTANCE)).await())
        .isInstanceOfSatisfying(
            SkeinException.class,
            e -> {
              assertThat(e.code()).isEqualTo(ErrorCode.INSTANCE_FINISHED);
              assertThat(e.detail()).isEqualTo(faulted.detail());
              assertThat(e.errors()).isEmpty();
            });
  }

  private static Command resume(@Nullable BookmarkId bookmark) {
    return new Command.Resume(INSTANCE, bookmark, Map.of(), new Command.Via.Api(), false);
  }

  @Test
  void a_node_that_has_the_activity_takes_the_place_of_an_owner_that_has_not() throws Exception {
    var placed = new ArrayList<Boolean>();
    router.serve(
        0,
        new VertxEventLoop(vertx, vertx.getOrCreateContext()),
        order -> {
          placed.add(order.inPlaceOfOwner());
          return Future.succeededFuture(new Reply.TokenMinted("n1", null));
        });
    members.become(Set.of("Acme.Charge"));
    leaveToOthers("Acme.Charge");

    assertThat(by(router.send(new Command.Cancel(INSTANCE)))).isEqualTo("n1");
    assertThat(placed).containsExactly(true);
  }

  @Test
  void what_no_node_has_is_refused_as_the_owner_refuses_it() throws Exception {
    members.become(Set.of("Acme.Ship"));
    leaveToOthers("Acme.Charge");

    assertThat(refusal(router.send(new Command.Cancel(INSTANCE))))
        .isEqualTo(ErrorCode.ACTIVITY_ELSEWHERE);
  }

  /** Of the owner: it does not know this type. */
  private void leaveToOthers(String type) {
    var refused = new Reply.Refused(ErrorCode.ACTIVITY_ELSEWHERE, "refused", List.of(type));
    vertx.eventBus().consumer(Addresses.execution("n3", 0), message -> message.reply(refused));
  }

  private ErrorCode refusedAfterSilence(ErrorCode code) throws Exception {
    return refusedAfterSilence(new Reply.Refused(code, "refused", List.of()));
  }

  private ErrorCode refusedAfterSilence(Reply.Refused refused) throws Exception {
    return refusedAfterSilence(new Command.Cancel(INSTANCE), refused);
  }

  private ErrorCode refusedAfterSilence(Command command, Reply.Refused refused) throws Exception {
    router.serve(
        0,
        new VertxEventLoop(vertx, vertx.getOrCreateContext()),
        _ -> Future.succeededFuture(refused));
    asked = new CountDownLatch(1);
    var answer = router.send(command);
    assertThat(asked.await(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
    members.leave();
    return refusal(answer);
  }

  private static ErrorCode refusal(Future<Reply> answer) throws Exception {
    var refused =
        answer
            .map(_ -> ErrorCode.INTERNAL)
            .otherwise(e -> ((SkeinException) e).code())
            .toCompletionStage()
            .toCompletableFuture();
    return refused.get(SOON.toSeconds(), TimeUnit.SECONDS);
  }

  @RepeatedTest(50)
  void nothing_that_is_sent_while_a_node_leaves_waits_for_it() throws Exception {
    var answers = new ArrayList<Future<Reply>>();
    answers.add(router.send(new Command.Cancel(INSTANCE)));
    var leaving = Thread.ofPlatform().start(members::leave);
    for (int i = 0; i < 200; i++) {
      answers.add(router.send(new Command.Cancel(INSTANCE)));
    }
    leaving.join();

    for (var answer : answers) {
      assertThat(by(answer)).isEqualTo("n1");
    }
  }

  private static String by(Future<Reply> answer) throws Exception {
    var reply = answer.toCompletionStage().toCompletableFuture();
    return ((Reply.TokenMinted) reply.get(SOON.toSeconds(), TimeUnit.SECONDS)).token();
  }

  /** n1, which is this node, and n2, which owns all while it is there. */
  private static final class Members implements Cluster {
    private static final Node N1 = new Node("n1", "n1", 1);
    private static final Node N2 = new Node("n2", "n2", 1);

    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private volatile List<Node> nodes = List.of(N1, N2);
    private volatile boolean leaveNext;
    private volatile String aside = "";

    void join() {
      nodes = List.of(N1, N2);
      listeners.forEach(Runnable::run);
    }

    void leave() {
      nodes = List.of(N1);
      listeners.forEach(Runnable::run);
    }

    /** n1 with these activities, and n3, which owns all and has none. */
    void become(Set<String> activities) {
      nodes = List.of(new Node("n1", "n1", 1, N1.format(), activities), new Node("n3", "n3", 1));
    }

    void stepAside(String node) {
      aside = node;
      listeners.forEach(Runnable::run);
    }

    @Override
    public boolean isAside(String nodeId) {
      return aside.equals(nodeId);
    }

    void leaveWhenAskedForTheOwner() {
      leaveNext = true;
    }

    @Override
    public Node self() {
      return N1;
    }

    @Override
    public Node ownerOf(InstanceId instanceId) {
      if (isAside("n1")) {
        throw new SkeinException(ErrorCode.NOT_READY, "aside");
      }
      var owner = isAside("n2") ? N1 : nodes.getLast();
      if (leaveNext) {
        leaveNext = false;
        leave();
      }
      return owner;
    }

    @Override
    public List<Node> members() {
      return nodes;
    }

    @Override
    public void onChange(Runnable listener) {
      listeners.add(listener);
    }
  }
}
