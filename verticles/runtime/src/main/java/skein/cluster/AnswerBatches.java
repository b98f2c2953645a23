package skein.cluster;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.function.Function;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import skein.bus.MessageParts;
import skein.codecs.Format;
import skein.loop.EventLoop;
import skein.messages.Addresses;
import skein.messages.Reply;

/**
 * The lane's side of {@link OrderBatches}: takes messages of many orders, and sends the replies for
 * one node that are there at the end of a turn in one message. A message that cannot be read is
 * dropped as a whole, as its sender is not known. Confined to one event loop.
 */
public final class AnswerBatches {
  /** For so long orders are executed in one turn of the loop; then others have theirs. */
  private static final Duration TURN_MAX = Duration.ofMillis(5);

  /** How often a message of answers is sent that does not get away, the first time included. */
  private static final int SENDINGS_MAX = 6;

  /** In all for as long as a node takes, after a split, to say again where it listens. */
  private static final Duration RESEND_DELAY = Duration.ofSeconds(1);

  private final EventLoop loop;
  private final OrderBus bus;
  private final Function<Supplier<Order>, Future<Reply>> executes;
  private final IntConsumer arrived;
  private final BatchFailures failures;
  private final Queue<Runnable> tasks = new ArrayDeque<>();
  private boolean busy;
  private Map<String, List<NumberedParts.Part>> ready = new LinkedHashMap<>();

  /**
   * @param executes never fails or throws, whatever becomes of the order; the supplier throws for
   *     one that cannot be read
   * @param arrived is told how many orders a message has brought
   */
  public AnswerBatches(
      EventLoop loop,
      OrderBus bus,
      Function<Supplier<Order>, Future<Reply>> executes,
      IntConsumer arrived) {
    this.loop = loop;
    this.bus = bus;
    this.executes = executes;
    this.arrived = arrived;
    this.failures = new BatchFailures(loop::nanoTime);
  }

  /** Hands the orders of a message to an address of {@link Addresses#orders} on, in their order. */
  public void receive(String address, @Nullable Object body) {
    loop.check();
    BatchFormat.Orders orders;
    try {
      orders = BatchFormat.readOrders(body);
    } catch (RuntimeException e) {
      failures.unreadable(address, e);
      return;
    }
    int format = Format.writtenFor(orders.reads());
    int count = 0;
    for (var part : orders.parts()) {
      count += part.isQuestion() ? 0 : 1;
      tasks.add(() -> execute(orders.asker(), format, part));
    }
    if (count > 0) {
      arrived.accept(count);
    }
    begin();
  }

  /** Runs what came alone behind the orders that came before it: at once if none waits. */
  public void inTurn(Runnable task) {
    loop.check();
    tasks.add(task);
    begin();
  }

  private void begin() {
    if (!busy) {
      turn();
    }
  }

  /** What one task throws is the loop's, as if it ran alone; the others are executed. */
  private void turn() {
    busy = true;
    long begin = loop.nanoTime();
    try {
      while (!tasks.isEmpty() && loop.nanoTime() - begin < TURN_MAX.toNanos()) {
        tasks.remove().run();
      }
    } finally {
      busy = !tasks.isEmpty();
      if (busy) {
        loop.execute(this::turn);
      }
    }
  }

  private void execute(String asker, int format, NumberedParts.Part part) {
    if (part.isQuestion()) {
      add(asker, part);
      return;
    }
    loop.bring(executes.apply(() -> OrderBytes.read(part.bytes())))
        .onSuccess(reply ->
            add(asker, new NumberedParts.Part(part.number(), MessageParts.bytes(reply, format))));
  }

  private void add(String asker, NumberedParts.Part answer) {
    if (ready.isEmpty()) {
      loop.execute(this::flush);
    }
    ready.computeIfAbsent(asker, _ -> new ArrayList<>()).add(answer);
  }

  private void flush() {
    var sent = ready;
    ready = new LinkedHashMap<>();
    sent.forEach((asker, answers) -> send(Addresses.answers(asker), answers));
  }

  private void send(String address, List<NumberedParts.Part> answers) {
    var parts = BatchFormat.answers();
    for (var answer : answers) {
      if (!parts.takes(answer.bytes().length)) {
        send(address, parts.message(), 1);
        parts = BatchFormat.answers();
      }
      parts.add(answer.number(), answer.bytes());
    }
    send(address, parts.message(), 1);
  }

  /** The asker may be there, and only not be found, or not be reached, at the moment. */
  private void send(String address, Buffer answers, int sendings) {
    bus.send(address, answers)
        .onFailure(e -> loop.execute(() -> unsent(address, answers, sendings, e)));
  }

  private void unsent(String address, Buffer answers, int sendings, Throwable cause) {
    if (sendings == SENDINGS_MAX) {
      failures.lost(address, cause);
    } else {
      loop.schedule(RESEND_DELAY, () -> send(address, answers, sendings + 1));
    }
  }
}
