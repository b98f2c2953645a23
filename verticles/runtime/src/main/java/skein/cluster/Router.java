package skein.cluster;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import skein.bus.Refusals;
import skein.loop.Delays;
import skein.loop.EventLoop;
import skein.loop.VertxDelays;
import skein.messages.Command;
import skein.messages.Reply;
import skein.model.ErrorCode;
import skein.model.InstanceId;
import skein.model.InstanceRefusals;
import skein.model.SkeinException;
import skein.model.Timer;

/**
 * Sends commands to the nodes that own their instances, and again when the owner changed or died.
 *
 * <p>A command keeps its id through all attempts. The id becomes the id of its commit, so an owner
 * that gets a command which an earlier owner had committed finds that out and answers as the first
 * would have: repeating is always safe. Thread-safe.
 */
public final class Router {
  /**
   * @param attemptTimeout until an owner that does not answer is tried again
   * @param deadline until the caller is told that no owner answered
   * @param local true executes everything on this node, whichever node owns it: a test of the fence
   */
  public record Options(Duration attemptTimeout, Duration deadline, boolean local) {}

  private static final Duration RETRY_DELAY = Duration.ofMillis(100);

  /** Owners that may go while they work on one command: it may be the command that ends them. */
  private static final int DEPARTED_MAX = 3;

  private static final class DepartedException extends RuntimeException {
    DepartedException(String node) {
      super("Node " + node + " left");
    }
  }

  private final Delays delays;
  private final Transport transport;
  private final Cluster cluster;
  private final Options options;
  private final Supplier<UUID> ids;
  private final Map<String, Waiting> waitingFor = new ConcurrentHashMap<>();
  private final AtomicLong sentCount = new AtomicLong();
  private final Map<Integer, Local> local = new ConcurrentHashMap<>();
  private final Quiescence quiescence = new Quiescence();

  /** The unanswered commands of one node; compared by identity. */
  private static final class Waiting {
    private final Map<Promise<Reply>, Sent> answers = new ConcurrentHashMap<>();
  }

  /** {@code number}: in the order of sending. */
  private record Sent(long number, int lane, Order order) {}

  /** Executes a command: never fails, a refusal is a reply. */
  @FunctionalInterface
  public interface Receiver {
    Future<Reply> receive(Order order);
  }

  private record Local(EventLoop loop, Receiver receiver) {}

  /** Over the event bus. */
  public Router(Vertx vertx, Cluster cluster, Options options) {
    this(
        new VertxDelays(vertx),
        new OrderBatches(
            new VertxOrderBus(vertx),
            cluster,
            new BusTransport(vertx),
            new SecureRandom().nextLong()),
        cluster,
        options,
        UUID::randomUUID);
  }

  /** {@code ids}: for commands, each one new. */
  public Router(
      Delays delays, Transport transport, Cluster cluster, Options options, Supplier<UUID> ids) {
    this.delays = delays;
    this.transport = transport;
    this.cluster = cluster;
    this.options = options;
    this.ids = ids;
    cluster.onChange(this::giveUpOnTheDeparted);
  }

  /** Commands of this node to itself go to the receiver, on its loop, and not over the network. */
  public void serve(int lane, EventLoop loop, Receiver receiver) {
    local.put(lane, new Local(loop, receiver));
  }

  /** The quiescence of the lanes of this node. */
  public Quiescence quiescence() {
    return quiescence;
  }

  /** Ends {@link #serve}. */
  public void stopServing(int lane) {
    local.remove(lane);
  }

  /**
   * Sends a command and waits for its end. Fails with the {@link SkeinException} of the refusal, or
   * {@code TIMEOUT} when no owner answered in time: then its outcome is unknown.
   */
  public Future<Reply> send(Command command) {
    return send(command, idOf(command));
  }

  /**
   * A delivery of an event has one id whichever node fires it, so that each of them learns the
   * outcome of this very delivery.
   */
  private UUID idOf(Command command) {
    return command instanceof Command.Fire(var timer)
            && (timer.kind() == Timer.Kind.Resume || timer.kind() == Timer.Kind.Trigger)
        ? UUID.nameUUIDFromBytes(("delivery|" + timer.id()).getBytes(StandardCharsets.UTF_8))
        : newCommandId();
  }

  /** An id that no command has had. */
  public UUID newCommandId() {
    return ids.get();
  }

  /** As {@link #send(Command)} with an id of the caller's, so that the caller too may repeat it. */
  public Future<Reply> send(Command command, UUID commandId) {
    return send(command, commandId, null);
  }

  /**
   * As {@link #send(Command, UUID)} of a command that may have been committed before: then it is
   * answered as it was at first.
   */
  public Future<Reply> repeat(Command command, UUID commandId) {
    long deadline = delays.nanoTime() + options.deadline().toNanos();
    return attempt(Order.of(command, commandId, null).again(), deadline, 0, false);
  }

  /**
   * As {@link #send(Command, UUID)} for a request with an idempotency key: what it commits demands
   * that the key is claimed with this very id.
   *
   * @param key as it is stored; null: none
   */
  public Future<Reply> send(Command command, UUID commandId, @Nullable String key) {
    long deadline = delays.nanoTime() + options.deadline().toNanos();
    return attempt(Order.of(command, commandId, key), deadline, 0, false);
  }

  /** Whether this node executes the commands of an instance, as far as it knows. */
  public boolean executesHere(InstanceId id) {
    try {
      return options.local() || cluster.ownerOf(id).id().equals(cluster.nodeId());
    } catch (SkeinException _) {
      return true;
    }
  }

  /** Sends a command whose loss does no harm: its row is found again by the timers. */
  public void nudge(Command command) {
    send(command).onFailure(_ -> {});
  }

  /** {@code unsure}: an earlier attempt had no answer, so it may still be executed. */
  private Future<Reply> attempt(Order order, long deadlineNanos, int departed, boolean unsure) {
    return toOwner(order)
        .recover(e -> {
          if (!mayRepeat(e)) {
            return Future.failedFuture(
                unsure && !isFinal(order, e) ? unanswered(order) : InstanceRefusals.told(e));
          }
          int gone = departed + (e instanceof DepartedException ? 1 : 0);
          boolean nowUnsure = unsure || isUnanswered(e);
          if (gone >= DEPARTED_MAX
              || cluster.isAside(cluster.nodeId())
              || delays.nanoTime() > deadlineNanos) {
            return Future.failedFuture(
                e instanceof SkeinException && !nowUnsure ? e : unanswered(order));
          }
          return delays
              .after(RETRY_DELAY)
              .compose(_ -> attempt(order.again(), deadlineNanos, gone, nowUnsure));
        });
  }

  private Future<Reply> toOwner(Order order) {
    var id = order.command().instanceId();
    Cluster.Node owner;
    try {
      owner = options.local() ? cluster.self() : cluster.ownerOf(id);
    } catch (SkeinException e) {
      return Future.failedFuture(e);
    }
    return request(owner, order)
        .recover(e -> {
          var other = e instanceof SkeinException refused ? inPlaceOf(owner, refused, id) : null;
          return other == null ? Future.failedFuture(e) : request(other, order.inPlace());
        });
  }

  /**
   * The node that can execute a command that the owner has left to others, without any change:
   * always the same for an instance. Null when the refusal is another one, or there is no such
   * node.
   */
  private Cluster.@Nullable Node inPlaceOf(
      Cluster.Node owner, SkeinException refused, InstanceId instanceId) {
    var others =
        cluster.members().stream()
            .filter(node ->
                node.executes() && !node.id().equals(owner.id()) && !cluster.isAside(node.id()))
            .toList();
    var able =
        switch (refused.code()) {
          case NEWER_FORMAT -> newest(others, owner.format());
          case ACTIVITY_ELSEWHERE ->
              others.stream()
                  .filter(node -> node.activities().containsAll(refused.errors()))
                  .toList();
          default -> List.<Cluster.Node>of();
        };
    return able.isEmpty()
        ? null
        : able.stream()
            .sorted(Comparator.comparing(Cluster.Node::id))
            .toList()
            .get(Math.floorMod(instanceId.value().hashCode(), able.size()));
  }

  /** Those that read most, if that is more than {@code format}. */
  private static List<Cluster.Node> newest(List<Cluster.Node> nodes, int format) {
    int newest = nodes.stream().mapToInt(Cluster.Node::format).max().orElse(0);
    return newest <= format
        ? List.of()
        : nodes.stream().filter(node -> node.format() == newest).toList();
  }

  private Future<Reply> request(Cluster.Node node, Order order) {
    int lane = node.laneOf(order.command().instanceId());
    var own = node.id().equals(cluster.nodeId()) ? local.get(lane) : null;
    return own == null ? requestOverNetwork(node.id(), lane, order) : requestHere(own, order);
  }

  private Future<Reply> requestHere(Local own, Order order) {
    Promise<Reply> promise = Promise.promise();
    own.loop()
        .execute(() ->
            own.receiver().receive(order).onComplete(result -> answer(promise, result.result())));
    return own.loop().isCurrent() ? promise.future() : CallersContext.of(promise.future());
  }

  private static void answer(Promise<Reply> promise, Reply reply) {
    if (reply instanceof Reply.Refused refused) {
      promise.tryFail(Refusals.toException(refused));
    } else {
      promise.tryComplete(reply);
    }
  }

  private Future<Reply> requestOverNetwork(String node, int lane, Order sent) {
    var order =
        sent.repeated()
            ? sent
            : new Order(
                sent.command(), sent.id(), Delivery.REMOTE, sent.key(), sent.inPlaceOfOwner());
    Promise<Reply> promise = Promise.promise();
    var waiting = await(node, promise, new Sent(sentCount.incrementAndGet(), lane, order));
    transport
        .request(node, lane, order, options.attemptTimeout())
        .onComplete(result -> {
          waiting.answers.remove(promise);
          if (result.failed()) {
            promise.tryFail(result.cause());
          } else {
            answer(promise, result.result());
          }
        });
    return promise.future();
  }

  /**
   * For a node that stops: asks other nodes to answer what its callers wait for with what is known
   * by now. May be lost; then they wait on.
   */
  public void answerNow() {
    waitingFor.forEach((node, waiting) ->
        waiting
            .answers
            .values()
            .forEach(sent -> transport.answerNow(node, sent.lane(), sent.order())));
  }

  /**
   * Fails the promise when the node leaves or steps aside, or has left since it was found to be the
   * owner.
   */
  private Waiting await(String node, Promise<Reply> promise, Sent sent) {
    var known = waitingFor.get(node);
    var waiting = known != null ? known : waitingFor.computeIfAbsent(node, _ -> new Waiting());
    waiting.answers.put(promise, sent);
    if (known == null) {
      giveUpOnTheDeparted();
    }
    if (waitingFor.get(node) != waiting) {
      promise.tryFail(
          new DepartedException(node)); // What waited was given up while this was added.
    }
    return waiting;
  }

  /** The event bus would let us wait for the whole timeout. */
  private void giveUpOnTheDeparted() {
    var present =
        cluster.isAside(cluster.nodeId())
            ? Set.<String>of()
            : cluster.members().stream()
                .map(Cluster.Node::id)
                .filter(node -> !cluster.isAside(node))
                .collect(Collectors.toUnmodifiableSet());
    waitingFor.forEach((node, waiting) -> {
      if (!present.contains(node)) {
        waitingFor.remove(node);
        waiting.answers.entrySet().stream()
            .sorted(Comparator.comparingLong(entry -> entry.getValue().number()))
            .forEach(entry -> entry.getKey().tryFail(new DepartedException(node)));
      }
    });
  }

  private static boolean mayRepeat(Throwable e) {
    return e instanceof Transport.NotDeliveredException
        || isUnanswered(e)
        || (e instanceof SkeinException refused && refused.code() == ErrorCode.NOT_READY);
  }

  private static boolean isUnanswered(Throwable e) {
    return e instanceof DepartedException || e instanceof Transport.NoAnswerException;
  }

  /**
   * Whether the attempt before, which may still be executed, is refused too, however late that is:
   * the object of the command is over, or its key ends with the request. Before that attempt
   * arrives, an instance that has faulted may go on, one may wait elsewhere, and an end may be put
   * off. That it may be deleted, and its id used again, is not considered.
   */
  private static boolean isFinal(Order order, Throwable e) {
    if (!(e instanceof SkeinException refused)) {
      return true;
    }
    if (order.key() == null && InstanceRefusals.mayGoOn(refused)) {
      return false;
    }
    return switch (refused.code()) {
      case INSTANCE_FINISHED, INSTANCE_EXISTS, TOKEN_INVALID, INTERNAL -> true;
      case ALREADY_RESUMED, TASK_INVALID ->
          order.key() != null
              || !(order.command() instanceof Command.Resume(_, var named, _, _, _))
              || named != null;
      default -> order.key() != null && !refused.code().isTransient();
    };
  }

  private static SkeinException unanswered(Order order) {
    return new SkeinException(
        ErrorCode.TIMEOUT,
        "No node answered for instance " + order.command().instanceId() + " in time");
  }
}
