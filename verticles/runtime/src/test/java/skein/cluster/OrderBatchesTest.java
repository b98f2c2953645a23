package skein.cluster;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static skein.model.ErrorCode.INTERNAL;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.MessageConsumer;
import java.lang.reflect.Proxy;
import java.net.ConnectException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import skein.bus.Answers;
import skein.bus.MessageCodecs;
import skein.bus.MessageParts;
import skein.bus.Refusals;
import skein.codecs.JsonLimits;
import skein.loop.EventLoop;
import skein.loop.VertxEventLoop;
import skein.messages.Addresses;
import skein.messages.Command;
import skein.messages.Reply;
import skein.model.ErrorCode;
import skein.model.InstanceId;
import skein.model.SkeinException;

/** Node n1 sends orders to a lane of n2, over the event bus of one JVM. */
class OrderBatchesTest {
  private static final String SINGLES = Addresses.execution("n2", 0);
  private static final String ORDERS = Addresses.orders("n2", 0);
  private static final String ANSWERS = Addresses.answers("n1");
  private static final InstanceId INSTANCE = new InstanceId("i1");
  private static final Duration LONG = Duration.ofMinutes(10);

  /** Longer than {@link Line#SINGLY}, in case a busy machine is late with the first answer. */
  private static final Duration SOON = Duration.ofSeconds(60);

  private final Vertx vertx = Vertx.vertx();
  private final Members members = new Members();
  private final Queue<String> messages = new ConcurrentLinkedQueue<>();
  private final List<Order> received = new CopyOnWriteArrayList<>();
  private final Answers answers = new Answers(JsonLimits.DEFAULT, Refusals::of);
  private final Context caller = vertx.getOrCreateContext();
  private final Queue<Integer> arrived = new ConcurrentLinkedQueue<>();
  private final Queue<Duration> timeouts = new ConcurrentLinkedQueue<>();
  private final Transport singly = timed(new BusTransport(vertx));
  private volatile @Nullable Throwable unwritten;
  private volatile boolean unregistered;
  private Context owners;

  /** The owner's clock stands still but when its work takes time. */
  private final AtomicLong nanos = new AtomicLong();

  private OrderBatches batches;
  private @Nullable MessageConsumer<Object> lane;
  private @Nullable MessageConsumer<Command> single;
  private volatile Function<Order, Future<Reply>> work = OrderBatchesTest::done;

  @BeforeEach
  void two_nodes() {
    MessageCodecs.register(vertx);
    vertx
        .eventBus()
        .addOutboundInterceptor(sending -> {
          messages.add(sending.message().address());
          sending.next();
        });
    batches = inNewThread(() -> new OrderBatches(unreliable(), members, singly, 7));
    owners = inNewThread(vertx::getOrCreateContext);
    var ready = new CompletableFuture<Void>();
    owners.runOnContext(_ -> {
      var owner =
          new AnswerBatches(
              instead(
                  EventLoop.class,
                  new VertxEventLoop(vertx, owners),
                  Map.of("nanoTime", _ -> nanos.get())),
              new VertxOrderBus(vertx),
              order -> answers.reply(() -> execute(order.get())),
              arrived::add);
      lane = vertx.eventBus().consumer(ORDERS, message -> owner.receive(ORDERS, message.body()));
      single =
          vertx
              .eventBus()
              .consumer(
                  SINGLES,
                  message ->
                      owner.inTurn(() ->
                          answers.command(
                              message, c -> execute(BusTransport.order(message.headers(), c)))));
      ready.complete(null);
    });
    ready.join();
  }

  @AfterEach
  void close() {
    vertx.close().await();
  }

  /** Notes for how long orders that are sent singly may take. */
  private Transport timed(Transport real) {
    return instead(
        Transport.class,
        real,
        Map.of(
            "request",
            arguments -> {
              var timeout = (Duration) arguments[3];
              timeouts.add(timeout);
              return real.request(
                  (String) arguments[0], (int) arguments[1], (Order) arguments[2], timeout);
            }));
  }

  /**
   * The event bus, but nothing is written while {@link #unwritten} says why, and others do not come
   * to know an address while {@link #unregistered}.
   */
  private OrderBus unreliable() {
    var real = new VertxOrderBus(vertx);
    return instead(
        OrderBus.class,
        real,
        Map.of(
            "send",
            arguments -> {
              var failure = unwritten;
              return failure == null
                  ? real.send((String) arguments[0], (Buffer) arguments[1])
                  : Future.failedFuture(failure);
            },
            "listen",
            arguments -> {
              var known = real.listen((String) arguments[0], handler(arguments[1]));
              return unregistered ? Promise.promise().future() : known;
            }));
  }

  @SuppressWarnings("unchecked")
  private static Consumer<@Nullable Object> handler(Object argument) {
    return (Consumer<@Nullable Object>) argument;
  }

  /** An object with some methods of its own. */
  private static <T> T instead(
      Class<T> type, T real, Map<String, Function<Object[], Object>> methods) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (_, called, arguments) -> {
              var own = methods.get(called.getName());
              return own == null ? called.invoke(real, arguments) : own.apply(arguments);
            }));
  }

  /** Contexts belong to the threads that make them. */
  private static <T> T inNewThread(Supplier<T> make) {
    return CompletableFuture.supplyAsync(make, task -> Thread.ofPlatform().start(task)).join();
  }

  private Future<Reply> execute(Order order) {
    received.add(order);
    return work.apply(order);
  }

  private static Future<Reply> done(Order order) {
    return Future.succeededFuture(reply(order));
  }

  private static Reply reply(Order order) {
    return new Reply.TokenMinted(order.id().toString(), null);
  }

  @SuppressWarnings("NullAway") // No bytes: it stands for a mistake in what reads them.
  @Test
  void an_answer_that_nothing_can_read_ends_its_order() {
    var order = Order.of(new Command.Delete(new InstanceId("i1")), UUID.randomUUID(), null);
    var asked = new BatchedOrder(order, 0, task -> caller.runOnContext(_ -> task.run()));

    asked.answered(null);

    assertThat(catchThrowable(() -> asked.reply().await()))
        .isInstanceOf(Transport.NoAnswerException.class);
  }

  @Test
  void orders_of_one_turn_go_in_one_message_and_their_answers_too() {
    open();
    var ends = new ConcurrentLinkedQueue<Runnable>();
    work =
        order -> {
          Promise<Reply> end = Promise.promise();
          ends.add(() -> end.complete(reply(order)));
          return end.future();
        };
    var orders = orders(20);

    var replies = inOneTurn(orders);
    await(() -> ends.size() == 20);
    var backwards = new ArrayList<>(ends);
    Collections.reverse(backwards);
    vertx.getOrCreateContext().runOnContext(_ -> backwards.forEach(Runnable::run));

    for (int i = 0; i < 20; i++) {
      assertThat(get(replies.get(i))).isEqualTo(reply(orders.get(i)));
    }
    assertThat(received).isEqualTo(orders);
    assertThat(messages).containsOnly(ORDERS, ANSWERS).filteredOn(ORDERS::equals).hasSize(1);
    assertThat(arrived).containsExactly(20);
    assertThat(batches.awaited()).isZero();
  }

  @Test
  void answers_of_one_turn_of_the_lane_go_in_one_message() {
    open();

    inOneTurn(orders(20)).forEach(OrderBatchesTest::get);

    assertThat(messages).containsExactly(ORDERS, ANSWERS);
  }

  @Test
  void each_answer_is_sent_when_it_is_there() {
    open();
    Promise<Reply> last = Promise.promise();
    var orders = orders(3);
    work = order -> order.equals(orders.get(1)) ? last.future() : done(order);

    var replies = inOneTurn(orders);

    assertThat(get(replies.get(0))).isEqualTo(reply(orders.get(0)));
    assertThat(get(replies.get(2))).isEqualTo(reply(orders.get(2)));
    assertThat(replies.get(1).isComplete()).isFalse();
    last.complete(reply(orders.get(1)));
    assertThat(get(replies.get(1))).isEqualTo(reply(orders.get(1)));
  }

  @Test
  void an_answer_comes_on_the_callers_context() {
    var first = contextOfAnswer();
    open();
    var second = contextOfAnswer();

    assertThat(first).isSameAs(caller);
    assertThat(second).isSameAs(caller);
  }

  private Context contextOfAnswer() {
    var found = new CompletableFuture<Context>();
    caller.runOnContext(_ ->
        batches
            .request("n2", 0, orders(1).getFirst(), LONG)
            .onComplete(_ -> found.complete(Vertx.currentContext())));
    return found.orTimeout(SOON.toSeconds(), TimeUnit.SECONDS).join();
  }

  @Test
  void orders_of_one_caller_stay_in_their_order_while_the_way_opens() {
    var orders = orders(3_000);
    var replies = new ConcurrentLinkedQueue<Future<Reply>>();
    var random = new Random(3);
    sendInTurns(orders, 0, random, replies);
    await(() -> replies.size() == orders.size());

    replies.forEach(OrderBatchesTest::get);

    assertThat(received).isEqualTo(orders);
    assertThat(messages).contains(SINGLES, ORDERS);
  }

  private void sendInTurns(
      List<Order> orders, int from, Random random, Queue<Future<Reply>> replies) {
    int to = Math.min(orders.size(), from + 1 + random.nextInt(4));
    caller.runOnContext(_ -> {
      for (int i = from; i < to; i++) {
        replies.add(batches.request("n2", 0, orders.get(i), LONG));
      }
      if (to < orders.size()) {
        sendInTurns(orders, to, random, replies);
      }
    });
  }

  @Test
  void a_node_of_an_older_version_gets_its_orders_singly() {
    requireNonNull(lane).unregister().await();

    for (int i = 0; i < 3; i++) {
      inOneTurn(orders(5)).forEach(OrderBatchesTest::get);
    }

    assertThat(received).hasSize(15);
    assertThat(messages).filteredOn(SINGLES::equals).hasSize(15);
    assertThat(messages).filteredOn(ORDERS::equals).as("it is asked once").hasSize(1);
  }

  @Test
  void where_nobody_listens_any_longer_orders_go_singly_or_are_not_delivered() {
    open();
    requireNonNull(lane).unregister().await();
    inOneTurn(orders(5)).forEach(OrderBatchesTest::get);
    assertThat(messages).filteredOn(SINGLES::equals).hasSize(5);

    members.change();
    requireNonNull(single).unregister().await();
    for (var reply : inOneTurn(orders(5))) {
      assertThat(catchThrowable(() -> get(reply)))
          .isInstanceOf(Transport.NotDeliveredException.class);
    }
    assertThat(batches.awaited()).isZero();
  }

  @Test
  void what_cannot_be_written_has_no_answer_and_the_next_orders_go_singly() {
    open();
    unwritten = new ConnectException("Connection refused");
    for (var reply : inOneTurn(orders(2))) {
      assertThat(catchThrowable(() -> get(reply)))
          .isInstanceOf(Transport.NoAnswerException.class)
          .hasMessageContaining("Connection refused");
    }
    assertThat(batches.awaited()).isZero();

    inOneTurn(orders(3)).forEach(OrderBatchesTest::get);

    assertThat(messages).filteredOn(SINGLES::equals).hasSize(3);
  }

  @Test
  void the_time_before_an_order_is_sent_singly_is_part_of_its_timeout() {
    var sent = new CompletableFuture<Future<Reply>>();
    caller.runOnContext(_ -> {
      sent.complete(batches.request("n2", 0, orders(1).getFirst(), SOON));
      LockSupport.parkNanos(Duration.ofMillis(300).toNanos());
    });

    get(sent.join());

    assertThat(timeouts)
        .singleElement()
        .satisfies(timeout -> assertThat(timeout).isLessThan(SOON.minusMillis(299)));
  }

  @Test
  void a_question_has_a_deadline_even_if_others_do_not_come_to_know_where_to_answer() {
    unregistered = true;

    get(inOneTurn(orders(1)).getFirst());

    await(() -> batches.awaited() == 1);
    await(() -> batches.awaited() == 0);
    assertThat(messages).doesNotContain(ORDERS);
  }

  @Test
  void an_answer_that_finds_nobody_is_sent_again() {
    var order = orders(1).getFirst();
    sendFrom("n9", order);
    var failed = Addresses.answers("n9");
    await(() -> messages.contains(failed));

    var answer = answersFor("n9").orTimeout(SOON.toSeconds(), TimeUnit.SECONDS).join();

    assertThat(MessageParts.reply(answer.getFirst().bytes())).isEqualTo(reply(order));
    assertThat(messages).filteredOn(failed::equals).hasSizeBetween(2, 6);
  }

  @Test
  void answers_that_find_nobody_are_lost_in_the_end_which_the_log_says() {
    var lines = new ListAppender<ILoggingEvent>();
    lines.start();
    var log = (Logger) LoggerFactory.getLogger(BatchFailures.class);
    log.addAppender(lines);
    try {
      sendFrom("n9", orders(1).getFirst());
      await(() -> !lines.list.isEmpty());
    } finally {
      log.detachAppender(lines);
    }

    assertThat(lines.list)
        .singleElement()
        .satisfies(line -> {
          assertThat(line.getMessage()).isEqualTo("bus.answers_lost");
          assertThat(line.getKeyValuePairs().toString()).contains(Addresses.answers("n9"));
        });
    assertThat(messages).filteredOn(Addresses.answers("n9")::equals).hasSize(6);
  }

  private void sendFrom(String node, Order order) {
    var parts = BatchFormat.orders(node, 2);
    parts.add(1, OrderBytes.write(order, 2));
    vertx.eventBus().send(ORDERS, parts.message());
  }

  private CompletableFuture<List<NumberedParts.Part>> answersFor(String node) {
    var answered = new CompletableFuture<List<NumberedParts.Part>>();
    vertx
        .eventBus()
        .consumer(
            Addresses.answers(node),
            message -> answered.complete(BatchFormat.readAnswers(message.body())))
        .completion()
        .await();
    return answered;
  }

  @Test
  void many_orders_leave_the_loop_to_others_and_keep_their_order_and_those_that_come_alone() {
    open();
    var orders = orders(21);
    var receivedBefore = new CompletableFuture<Integer>();
    work =
        order -> {
          if (order.equals(orders.getFirst())) {
            owners.runOnContext(_ -> receivedBefore.complete(received.size()));
            members.change();
            inOneTurn(orders.subList(20, 21));
          }
          nanos.addAndGet(2_000_000);
          return done(order);
        };

    inOneTurn(orders.subList(0, 20)).forEach(OrderBatchesTest::get);
    await(() -> received.size() == 21);

    assertThat(receivedBefore.join()).isEqualTo(3);
    assertThat(received).isEqualTo(orders);
    assertThat(messages).filteredOn(SINGLES::equals).hasSize(1);
  }

  @Test
  void a_late_answer_is_dropped() {
    open();
    Promise<Reply> late = Promise.promise();
    work = _ -> late.future();
    var order = orders(1).getFirst();

    var reply = inOneTurn(List.of(order), Duration.ofMillis(200)).getFirst();
    assertThat(catchThrowable(() -> get(reply))).isInstanceOf(Transport.NoAnswerException.class);
    assertThat(batches.awaited()).isZero();
    late.complete(reply(order));

    work = OrderBatchesTest::done;
    var next = orders(1);
    assertThat(get(inOneTurn(next).getFirst())).isEqualTo(reply(next.getFirst()));
  }

  @Test
  void a_lane_that_is_silent_gets_the_next_orders_singly() {
    open();
    work = _ -> Promise.<Reply>promise().future();
    var silent = inOneTurn(orders(2), Duration.ofMillis(200));
    assertThat(catchThrowable(() -> get(silent.getFirst())))
        .isInstanceOf(Transport.NoAnswerException.class);

    work = OrderBatchesTest::done;
    inOneTurn(orders(3)).forEach(OrderBatchesTest::get);

    assertThat(messages).filteredOn(SINGLES::equals).hasSize(3);
  }

  @Test
  void a_change_of_the_cluster_has_it_asked_again() {
    open();
    members.change();

    inOneTurn(orders(2)).forEach(OrderBatchesTest::get);
    assertThat(messages).filteredOn(SINGLES::equals).hasSize(2);

    open();
    inOneTurn(orders(2)).forEach(OrderBatchesTest::get);
    assertThat(messages).doesNotContain(SINGLES);
  }

  @Test
  void what_goes_wrong_with_one_order_is_its_own() {
    open();
    var orders = orders(4);
    work =
        order -> {
          if (order.equals(orders.get(1))) {
            throw new SkeinException(ErrorCode.INSTANCE_FINISHED, "It has ended");
          }
          if (order.equals(orders.get(2))) {
            throw new StackOverflowError();
          }
          return done(order);
        };

    var replies = inOneTurn(orders);

    assertThat(get(replies.get(0))).isEqualTo(reply(orders.get(0)));
    assertThat(get(replies.get(1)))
        .isEqualTo(new Reply.Refused(ErrorCode.INSTANCE_FINISHED, "It has ended", List.of()));
    assertThat(get(replies.get(2)))
        .isInstanceOfSatisfying(
            Reply.Refused.class, refused -> assertThat(refused.code()).isEqualTo(INTERNAL));
    assertThat(get(replies.get(3))).isEqualTo(reply(orders.get(3)));
  }

  @Test
  void an_order_that_cannot_be_written_is_refused_and_the_others_are_not() {
    open();
    var orders = new ArrayList<>(orders(2));
    var unwritable =
        new Command.Resume(INSTANCE, null, Map.of("a", new Object()), new Command.Via.Api(), false);
    orders.add(1, new Order(unwritable, UUID.randomUUID(), Delivery.REMOTE, null, false));

    var replies = inOneTurn(orders);

    assertThat(get(replies.get(0))).isEqualTo(reply(orders.get(0)));
    assertThat(get(replies.get(1))).isInstanceOf(Reply.Refused.class);
    assertThat(get(replies.get(2))).isEqualTo(reply(orders.get(2)));
  }

  @Test
  void many_and_large_orders_are_spread_over_messages() {
    open();
    inOneTurn(orders(600)).forEach(OrderBatchesTest::get);
    assertThat(messages).filteredOn(ORDERS::equals).hasSize(3);

    messages.clear();
    var large =
        new Command.Resume(
            INSTANCE, null, Map.of("text", "x".repeat(100_000)), new Command.Via.Api(), false);
    var orders =
        IntStream.range(0, 5)
            .mapToObj(_ -> new Order(large, UUID.randomUUID(), Delivery.REMOTE, null, false))
            .toList();
    inOneTurn(orders).forEach(OrderBatchesTest::get);
    assertThat(messages).filteredOn(ORDERS::equals).hasSize(3);
  }

  @Test
  void hostile_messages_change_nothing() {
    open();
    var random = new Random(7);
    var bus = vertx.eventBus();
    for (var address : List.of(ORDERS, ANSWERS)) {
      for (int i = 0; i < 300; i++) {
        var bytes = new byte[random.nextInt(60)];
        random.nextBytes(bytes);
        if (bytes.length > 3 && i % 2 == 0) {
          bytes[0] = 1;
          bytes[2] = 1;
        }
        bus.send(address, Buffer.buffer(bytes));
      }
      bus.send(address, "text");
      bus.send(address, new Command.Cancel(INSTANCE));
      bus.send(address, tooMany());
    }
    var before = received.size();
    var orders = orders(5);

    var replies = inOneTurn(orders);

    for (int i = 0; i < 5; i++) {
      assertThat(get(replies.get(i))).isEqualTo(reply(orders.get(i)));
    }
    assertThat(received).hasSize(before + 5);
  }

  private static Buffer tooMany() {
    var parts = BatchFormat.orders("n1", 2);
    for (int i = 0; i <= NumberedParts.COUNT_MAX; i++) {
      parts.add(i, new byte[0]);
    }
    return parts.message();
  }

  @Test
  void a_damaged_order_is_refused_and_those_beside_it_are_executed() {
    var answered = answersFor("n9");
    var order = orders(1).getFirst();
    var parts = BatchFormat.orders("n9", 2);
    parts.add(1, new byte[] {1, 2, 3});
    parts.add(2, OrderBytes.write(order, 2));
    vertx.eventBus().send(ORDERS, parts.message());

    var read = answered.orTimeout(SOON.toSeconds(), TimeUnit.SECONDS).join();

    assertThat(read).extracting(NumberedParts.Part::number).containsExactly(1L, 2L);
    assertThat(MessageParts.reply(read.getFirst().bytes()))
        .isInstanceOfSatisfying(
            Reply.Refused.class,
            refused -> assertThat(refused.code()).isEqualTo(ErrorCode.INVALID_REQUEST));
    assertThat(received).containsExactly(order);
  }

  /** Sends until the lane has answered that it takes many orders in a message; counts anew. */
  private void open() {
    await(() -> {
      messages.clear();
      inOneTurn(orders(1)).forEach(OrderBatchesTest::get);
      return !messages.contains(SINGLES);
    });
    messages.clear();
    received.clear();
    arrived.clear();
  }

  private static List<Order> orders(int count) {
    return IntStream.range(0, count)
        .mapToObj(_ ->
            new Order(
                new Command.Cancel(INSTANCE), UUID.randomUUID(), Delivery.REMOTE, null, false))
        .toList();
  }

  private List<Future<Reply>> inOneTurn(List<Order> orders) {
    return inOneTurn(orders, LONG);
  }

  private List<Future<Reply>> inOneTurn(List<Order> orders, Duration timeout) {
    var sent = new CompletableFuture<List<Future<Reply>>>();
    caller.runOnContext(_ ->
        sent.complete(
            orders.stream().map(order -> batches.request("n2", 0, order, timeout)).toList()));
    return sent.join();
  }

  private static Reply get(Future<Reply> reply) {
    try {
      return reply.await(SOON.toSeconds(), TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      throw new AssertionError(e);
    }
  }

  private static void await(BooleanSupplier condition) {
    long end = System.nanoTime() + SOON.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime() - end).isNegative();
      LockSupport.parkNanos(1_000_000);
    }
  }

  private static final class Members implements Cluster {
    private static final Node N1 = new Node("n1", "n1", 1);
    private static final Node N2 = new Node("n2", "n2", 1);

    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

    void change() {
      listeners.forEach(Runnable::run);
    }

    @Override
    public Node self() {
      return N1;
    }

    @Override
    public Node ownerOf(InstanceId instanceId) {
      return N2;
    }

    @Override
    public List<Node> members() {
      return List.of(N1, N2);
    }

    @Override
    public void onChange(Runnable listener) {
      listeners.add(listener);
    }
  }
}
