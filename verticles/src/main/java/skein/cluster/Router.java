package skein.cluster;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import skein.codecs.Answers;
import skein.codecs.Refusals;
import skein.messages.Addresses;
import skein.messages.Command;
import skein.messages.Reply;
import skein.model.ErrorCode;
import skein.model.InstanceId;
import skein.model.SkeinException;

/**
 * Sends commands to the nodes that own their instances, and again when the owner changed or died.
 *
 * <p>A command keeps its id through all attempts. The id becomes the id of its commit, so an owner
 * that gets a command which an earlier owner had committed finds that out and answers as the first
 * would have: repeating is always safe. Thread-safe.
 */
public final class Router {
  /** Header: the command's id, a UUID. */
  public static final String COMMAND_ID = "command-id";

  /** Header, present from the second attempt on. */
  public static final String REPEATED = "repeated";

  /** Header: the idempotency key, as it is stored, whose claim has the command's id. */
  public static final String KEY = "key";

  /** Header, present where the owner could not read what a newer version had written. */
  public static final String IN_PLACE_OF_OWNER = "in-place-of-owner";

  /** Header of a command that is at work: whoever waits for its end is to be told what is known. */
  public static final String ANSWER_NOW = "answer-now";

  /**
   * @param attemptTimeout until an owner that does not answer is tried again
   * @param deadline until the caller is told that nobody answered
   * @param local true executes everything on this node, whoever owns it: a test of the fence
   */
  public record Options(Duration attemptTimeout, Duration deadline, boolean local) {}

  private static final long RETRY_DELAY_MILLIS = 100;

  /** Owners that may go while they work on one command: it may be the command that ends them. */
  private static final int DEPARTED_MAX = 3;

  private static final class Departed extends RuntimeException {
    Departed(String node) {
      super("Node " + node + " left");
    }
  }

  private final Vertx vertx;
  private final Cluster cluster;
  private final Options options;
  private final Map<String, Waiting> waitingFor = new ConcurrentHashMap<>();
  private final Map<Integer, Local> local = new ConcurrentHashMap<>();

  /** What one node has not answered; compared by identity. */
  private static final class Waiting {
    private final Map<Promise<Reply>, Sent> answers = new ConcurrentHashMap<>();
  }

  private record Sent(int lane, Order order) {}

  /** What executes a command: never fails, a refusal is a reply. */
  @FunctionalInterface
  public interface Receiver {
    Future<Reply> receive(Order order);
  }

  /**
   * A command on its way.
   *
   * @param id becomes the id of the commit
   * @param repeated an earlier attempt may have been committed
   * @param key an idempotency key, as it is stored, whose claim has this id; null: none
   * @param inPlaceOfOwner the owner leaves the instance to newer nodes: its lock means nothing
   */
  public record Order(
      Command command, UUID id, boolean repeated, @Nullable String key, boolean inPlaceOfOwner) {
    /** To the owner, for the first time. */
    public static Order of(Command command, UUID id, @Nullable String key) {
      return new Order(command, id, false, key, false);
    }

    private Order again() {
      return new Order(command, id, true, key, false);
    }

    private Order inPlace() {
      return new Order(command, id, repeated, key, true);
    }
  }

  private record Local(Context context, Receiver receiver) {}

  public Router(Vertx vertx, Cluster cluster, Options options) {
    this.vertx = vertx;
    this.cluster = cluster;
    this.options = options;
    cluster.onChange(this::giveUpOnTheDeparted);
  }

  /** Commands of this node to itself go to the receiver, on its context, and not over the bus. */
  public void serve(int lane, Context context, Receiver receiver) {
    local.put(lane, new Local(context, receiver));
  }

  /** Ends {@link #serve}. */
  public void stopServing(int lane) {
    local.remove(lane);
  }

  /**
   * Sends a command and waits for its end. Fails with the {@link SkeinException} of the refusal, or
   * {@code TIMEOUT} when no owner answered in time: then nobody knows what became of it.
   */
  public Future<Reply> send(Command command) {
    return send(command, UUID.randomUUID());
  }

  /** As {@link #send(Command)} with an id of the caller's, so that the caller too may repeat it. */
  public Future<Reply> send(Command command, UUID commandId) {
    return send(command, commandId, null);
  }

  /**
   * As {@link #send(Command, UUID)} for a request with an idempotency key: what it commits demands
   * that the key is claimed with this very id.
   *
   * @param key as it is stored; null: none
   */
  public Future<Reply> send(Command command, UUID commandId, @Nullable String key) {
    long deadline = System.nanoTime() + options.deadline().toNanos();
    return attempt(Order.of(command, commandId, key), deadline, 0, false);
  }

  /** Whether this node executes the commands of an instance, as far as anybody knows. */
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
            return Future.failedFuture(unsure && isPassing(e) ? unanswered(order) : e);
          }
          int gone = departed + (e instanceof Departed ? 1 : 0);
          boolean nowUnsure = unsure || isUnanswered(e);
          if (gone >= DEPARTED_MAX || System.nanoTime() > deadlineNanos) {
            return Future.failedFuture(
                e instanceof SkeinException && !nowUnsure ? e : unanswered(order));
          }
          return vertx
              .timer(RETRY_DELAY_MILLIS, TimeUnit.MILLISECONDS)
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
          var newer = isNewerFormat(e) ? newerThan(owner, id) : null;
          return newer == null ? Future.failedFuture(e) : request(newer, order.inPlace());
        });
  }

  private static boolean isNewerFormat(Throwable e) {
    return e instanceof SkeinException refused && refused.code() == ErrorCode.NEWER_FORMAT;
  }

  /**
   * Of the nodes that read most, always the same one for an instance; null when none reads more.
   */
  private Cluster.@Nullable Node newerThan(Cluster.Node owner, InstanceId instanceId) {
    var nodes = cluster.members().stream().filter(Cluster.Node::executes).toList();
    int newest = nodes.stream().mapToInt(Cluster.Node::format).max().orElse(0);
    if (newest <= owner.format()) {
      return null;
    }
    var able =
        nodes.stream()
            .filter(node -> node.format() == newest)
            .sorted(Comparator.comparing(Cluster.Node::id))
            .toList();
    return able.get(Math.floorMod(instanceId.value().hashCode(), able.size()));
  }

  private Future<Reply> request(Cluster.Node node, Order order) {
    int lane = node.laneOf(order.command().instanceId());
    var own = node.id().equals(cluster.nodeId()) ? local.get(lane) : null;
    return own == null ? requestOverBus(node.id(), lane, order) : requestHere(own, order);
  }

  private Future<Reply> requestHere(Local own, Order order) {
    @Nullable Context caller = Vertx.currentContext();
    Promise<Reply> promise = Promise.promise();
    own.context()
        .runOnContext(_ ->
            own.receiver()
                .receive(order)
                .onComplete(result -> {
                  if (caller == null || caller.equals(own.context())) {
                    answer(promise, result.result());
                  } else {
                    caller.runOnContext(_ -> answer(promise, result.result()));
                  }
                }));
    return promise.future();
  }

  private static void answer(Promise<Reply> promise, Reply reply) {
    if (reply instanceof Reply.Refused refused) {
      promise.tryFail(Refusals.toException(refused));
    } else {
      promise.tryComplete(reply);
    }
  }

  private Future<Reply> requestOverBus(String node, int lane, Order order) {
    var delivery =
        Answers.asked(
            new DeliveryOptions()
                .setSendTimeout(options.attemptTimeout().toMillis())
                .addHeader(COMMAND_ID, order.id().toString()));
    if (order.repeated()) {
      delivery.addHeader(REPEATED, "true");
    }
    if (order.key() != null) {
      delivery.addHeader(KEY, order.key());
    }
    if (order.inPlaceOfOwner()) {
      delivery.addHeader(IN_PLACE_OF_OWNER, "true");
    }
    var address = Addresses.execution(node, lane);
    Promise<Reply> promise = Promise.promise();
    var waiting = await(node, promise, new Sent(lane, order));
    vertx
        .eventBus()
        .<Reply>request(address, order.command(), delivery)
        .onComplete(result -> {
          waiting.answers.remove(promise);
          if (result.failed()) {
            promise.tryFail(result.cause());
          } else {
            answer(promise, result.result().body());
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
            .forEach(sent -> {
              var delivery =
                  new DeliveryOptions()
                      .addHeader(COMMAND_ID, sent.order().id().toString())
                      .addHeader(ANSWER_NOW, "true");
              vertx
                  .eventBus()
                  .send(Addresses.execution(node, sent.lane()), sent.order().command(), delivery);
            }));
  }

  /** Fails the promise when the node leaves, or has left since it was found to be the owner. */
  private Waiting await(String node, Promise<Reply> promise, Sent sent) {
    var known = waitingFor.get(node);
    var waiting = known != null ? known : waitingFor.computeIfAbsent(node, _ -> new Waiting());
    waiting.answers.put(promise, sent);
    if (known == null) {
      giveUpOnTheDeparted();
    }
    if (waitingFor.get(node) != waiting) {
      promise.tryFail(new Departed(node)); // What waited was given up while this was added.
    }
    return waiting;
  }

  /** The event bus would let us wait for the whole timeout. */
  private void giveUpOnTheDeparted() {
    var present =
        cluster.members().stream().map(Cluster.Node::id).collect(Collectors.toUnmodifiableSet());
    waitingFor.forEach((node, waiting) -> {
      if (!present.contains(node)) {
        waitingFor.remove(node);
        waiting.answers.keySet().forEach(p -> p.tryFail(new Departed(node)));
      }
    });
  }

  private static boolean mayRepeat(Throwable e) {
    if (e instanceof ReplyException reply) {
      return reply.failureType() == ReplyFailure.NO_HANDLERS
          || reply.failureType() == ReplyFailure.TIMEOUT;
    }
    return e instanceof Departed
        || (e instanceof SkeinException refused && refused.code() == ErrorCode.NOT_READY);
  }

  private static boolean isUnanswered(Throwable e) {
    return e instanceof Departed
        || (e instanceof ReplyException reply && reply.failureType() == ReplyFailure.TIMEOUT);
  }

  /** Says nothing of the attempt before, which may still be executed. */
  private static boolean isPassing(Throwable e) {
    return e instanceof SkeinException refused && refused.code().isPassing();
  }

  private static SkeinException unanswered(Order order) {
    return new SkeinException(
        ErrorCode.TIMEOUT,
        "No node answered for instance " + order.command().instanceId() + " in time");
  }
}
