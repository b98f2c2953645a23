package skein.cluster;

import io.vertx.core.Future;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import skein.codecs.Format;
import skein.messages.Addresses;
import skein.messages.Reply;

/**
 * Sends the orders for a lane that are asked for in one turn of an event loop in one message, at
 * the end of the turn; its answers come many in one message, too ({@link AnswerBatches}).
 *
 * <p>A lane that has answered an order that was sent singly is asked whether it listens to such
 * messages. Until it has answered that, and for {@link Line#SINGLY} after it has not, orders are
 * sent singly, as to nodes of older versions. Then all orders go this one way, also one alone, so
 * that those of a caller keep their order. After every change of the cluster this begins anew.
 */
public final class OrderBatches implements Transport {
  /** For an answer to a question, with the time until others know where to send it. */
  private static final Duration ASK_MAX = Duration.ofSeconds(2);

  /** A request needs a timeout, even after the deadline. */
  private static final Duration LEFT_MIN = Duration.ofMillis(1);

  /** After so long without orders a line is forgotten: its node may have left. */
  private static final Duration IDLE_MAX = Duration.ofMinutes(10);

  private final OrderBus bus;
  private final Cluster cluster;
  private final Transport singly;
  private final AwaitedAnswers awaited;
  private final Map<Target, Line> lines = new ConcurrentHashMap<>();

  /** By event loop; each is used on its loop only. */
  private final Map<Object, Turn> turns = new ConcurrentHashMap<>();

  private record Target(String node, int lane) {}

  private record Sent(long number, BatchedOrder order) {}

  /**
   * @param singly how an order is sent alone
   * @param number of the order before the first; others should not guess it
   */
  public OrderBatches(OrderBus bus, Cluster cluster, Transport singly, long number) {
    this.bus = bus;
    this.cluster = cluster;
    this.singly = singly;
    this.awaited = new AwaitedAnswers(bus, number);
    cluster.onChange(this::doubt);
  }

  @Override
  public Future<Reply> request(String node, int lane, Order order, Duration timeout) {
    var line = lineTo(node, lane);
    var caller = bus.caller();
    var batched =
        new BatchedOrder(order, awaited.nanoTime() + timeout.toNanos(), caller.executor());
    if (caller.loop() == null) {
      send(line, List.of(batched));
    } else {
      turnOf(caller.loop()).add(line, batched, caller.executor());
    }
    return batched.reply();
  }

  @Override
  public void answerNow(String node, int lane, Order order) {
    singly.answerNow(node, lane, order);
  }

  /** How many orders have been sent together and have no answer. */
  public int awaited() {
    return awaited.size();
  }

  private Turn turnOf(Object loop) {
    var known = turns.get(loop);
    return known != null ? known : turns.computeIfAbsent(loop, _ -> new Turn());
  }

  private Line lineTo(String node, int lane) {
    long now = awaited.nanoTime();
    var target = new Target(node, lane);
    var known = lines.get(target);
    var line =
        known != null ? known : lines.computeIfAbsent(target, _ -> new Line(node, lane, now));
    line.used(now);
    if (known == null) {
      lines.values().removeIf(other -> other.isIdle(now, IDLE_MAX));
    }
    return line;
  }

  /** Who has come or gone may be reached in another way, or be out of reach. */
  private void doubt() {
    long now = awaited.nanoTime();
    lines.values().forEach(line -> line.doubt(now));
  }

  /** What one event loop has to send at the end of its turn. */
  private final class Turn {
    private Map<Line, List<BatchedOrder>> gathered = new LinkedHashMap<>();

    void add(Line line, BatchedOrder order, Executor loop) {
      if (gathered.isEmpty()) {
        loop.execute(this::end);
      }
      gathered.computeIfAbsent(line, _ -> new ArrayList<>()).add(order);
    }

    private void end() {
      var ended = gathered;
      gathered = new LinkedHashMap<>();
      ended.forEach(OrderBatches.this::send);
    }
  }

  private void send(Line line, List<BatchedOrder> orders) {
    try {
      if (line.isOpen()) {
        sendTogether(line, orders);
      } else {
        orders.forEach(order -> sendSingly(line, order));
      }
    } catch (Throwable e) { // The waiting callers must be told, whatever it is.
      orders.forEach(order -> order.failed(new NoAnswerException(e.toString())));
    }
  }

  private void sendSingly(Line line, BatchedOrder order) {
    long left = Math.max(order.deadlineNanos() - awaited.nanoTime(), LEFT_MIN.toNanos());
    try {
      var alone = singly.request(line.node(), line.lane(), order.order(), Duration.ofNanos(left));
      order.endsAs(alone.onSuccess(_ -> ask(line)));
    } catch (RuntimeException e) {
      order.failed(e);
    }
  }

  private void sendTogether(Line line, List<BatchedOrder> orders) {
    int format = Format.writtenFor(cluster.formatOfAll());
    var parts = newMessage();
    var sent = new ArrayList<Sent>(orders.size());
    for (var order : orders) {
      var bytes = bytes(order, format);
      if (bytes == null) {
        continue;
      }
      if (!parts.takes(bytes.length)) {
        post(line, parts, List.copyOf(sent));
        sent.clear();
        parts = newMessage();
      }
      long number = awaited.await(line, order.deadlineNanos(), order);
      parts.add(number, bytes);
      sent.add(new Sent(number, order));
    }
    if (!parts.isEmpty()) {
      post(line, parts, sent);
    }
  }

  /** Null when it cannot be written; it has failed then. */
  private static byte @Nullable [] bytes(BatchedOrder order, int format) {
    try {
      return OrderBytes.write(order.order(), format);
    } catch (Throwable e) { // The waiting caller must be told, whatever it is.
      order.failed(e);
      return null;
    }
  }

  private NumberedParts newMessage() {
    return BatchFormat.orders(cluster.nodeId(), Format.newest());
  }

  private void post(Line line, NumberedParts parts, List<Sent> sent) {
    write(line, parts).onFailure(e -> unsent(line, sent, e));
  }

  private Future<Void> write(Line line, NumberedParts parts) {
    return bus.send(Addresses.orders(line.node(), line.lane()), parts.message());
  }

  /**
   * What nobody has received goes the other way. Any other failure leaves open whether the message
   * arrived, and is told as soon as it is known.
   */
  private void unsent(Line line, List<Sent> sent, Throwable e) {
    boolean nobody =
        e instanceof ReplyException failure && failure.failureType() == ReplyFailure.NO_HANDLERS;
    line.close(awaited.nanoTime());
    for (var each : sent) {
      if (awaited.forget(each.number())) {
        if (nobody) {
          sendSingly(line, each.order());
        } else {
          each.order().failed(new NoAnswerException(e.toString()));
        }
      }
    }
  }

  private void ask(Line line) {
    long now = awaited.nanoTime();
    long question = line.ask(now);
    if (question == 0) {
      return;
    }
    var answer = new AnswerToQuestion(line, question);
    long number = awaited.await(line, now + ASK_MAX.toNanos(), answer);
    var parts = newMessage();
    parts.add(number, new byte[0]);
    awaited
        .listen(Addresses.answers(cluster.nodeId()))
        .compose(_ -> write(line, parts))
        .onFailure(e -> {
          if (awaited.forget(number)) {
            answer.failed(e);
          }
        });
  }

  private final class AnswerToQuestion implements AwaitedAnswers.End {
    private final Line line;
    private final long question;

    AnswerToQuestion(Line line, long question) {
      this.line = line;
      this.question = question;
    }

    @Override
    public void answered(byte[] bytes) {
      line.answered(question);
    }

    @Override
    public void failed(Throwable failure) {
      line.unanswered(question, awaited.nanoTime());
    }
  }
}
