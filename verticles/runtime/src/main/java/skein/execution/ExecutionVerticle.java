package skein.execution;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.MessageConsumer;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import skein.bus.Answers;
import skein.cluster.AnswerBatches;
import skein.cluster.BusTransport;
import skein.cluster.InFlight;
import skein.cluster.Order;
import skein.cluster.VertxOrderBus;
import skein.cluster.WaitingCommands;
import skein.loop.Blocking;
import skein.loop.VertxEventLoop;
import skein.messages.Addresses;
import skein.messages.Command;
import skein.metrics.ExecutionMetrics;
import skein.storage.Committer;
import skein.storage.Database;

/** Receives the commands of one lane. Deploy on an event loop, one instance per lane. */
public final class ExecutionVerticle extends VerticleBase {
  private final int number;
  private final ExecutionDependencies dependencies;
  private final Database database;
  private final Answers answers;
  private final ExecutionMetrics metrics;
  private @Nullable Lane lane;
  private @Nullable ExternalWork externalWork;
  private @Nullable Committer committer;
  private @Nullable PendingReplies pendingReplies;
  private @Nullable MessageConsumer<Command> consumer;
  private @Nullable MessageConsumer<Object> batchConsumer;
  private volatile @Nullable LongSupplier drainDeadline;

  /** Without metrics; for tests. */
  public ExecutionVerticle(
      int lane, ExecutionDependencies dependencies, Database database, Answers answers) {
    this(lane, dependencies, database, answers, new ExecutionMetrics());
  }

  /**
   * @param database commits go there over connections of the lane's own
   * @param answers how messages of the bus are answered
   * @param metrics of all lanes of the node
   */
  public ExecutionVerticle(
      int lane,
      ExecutionDependencies dependencies,
      Database database,
      Answers answers,
      ExecutionMetrics metrics) {
    this.number = lane;
    this.dependencies = dependencies;
    this.database = database;
    this.answers = answers;
    this.metrics = metrics;
  }

  @Override
  public Future<?> start() {
    var loop = new VertxEventLoop(vertx, context);
    var commits =
        new Committer(
            vertx,
            context,
            database,
            dependencies.options().commits(),
            dependencies.cluster().nodeName(),
            dependencies.peers().format()::written);
    var instances = new InstanceCache(loop, dependencies.options().lanes().copies());
    var waiting = new PendingReplies(loop, dependencies.options().work().answerTimeout());
    var work = new ExternalWork(loop, dependencies, waiting);
    var postCommit = new PostCommit(loop, dependencies, work, waiting, metrics);
    var own = new CommandRunner.Own(loop, scripts(), commits, instances, work, postCommit);
    var runner = new CommandRunner(own, dependencies, metrics);
    var started = new Lane(loop, dependencies, runner, waiting, commits::behind, metrics);
    postCommit.onFollowUp(
        command -> started.submit(Order.of(command, dependencies.router().newCommandId(), null)));
    dependencies
        .cluster()
        .onChange(() ->
            context.runOnContext(_ -> {
              instances.clear();
              waiting.ownersChanged(dependencies.router()::executesHere);
            }));
    var batches =
        new AnswerBatches(
            loop,
            new VertxOrderBus(vertx),
            order -> answers.reply(() -> started.submit(order.get())),
            metrics::cameTogether);
    pendingReplies = waiting;
    committer = commits;
    externalWork = work;
    lane = started;
    consumer =
        vertx
            .eventBus()
            .consumer(
                Addresses.execution(dependencies.cluster().nodeId(), number),
                message -> batches.inTurn(() -> receive(message, started, waiting)));
    var orders = Addresses.orders(dependencies.cluster().nodeId(), number);
    batchConsumer =
        vertx.eventBus().consumer(orders, message -> batches.receive(orders, message.body()));
    dependencies.router().serve(number, loop, order -> answers.reply(() -> started.submit(order)));
    return Future.all(commits.open(), consumer.completion(), batchConsumer.completion());
  }

  private void receive(Message<Command> message, Lane started, PendingReplies waiting) {
    if (BusTransport.isAnswerNow(message)) {
      waiting.answerNow(BusTransport.order(message.headers(), message.body()).id());
    } else {
      answers.command(message, c -> started.submit(BusTransport.order(message.headers(), c)));
    }
  }

  private Blocking scripts() {
    var turns = dependencies.deciding().scripts();
    var threads = vertx.createSharedWorkerExecutor("skein-scripts", turns.threads());
    return turns.on(threads, metrics.scriptsWaiting());
  }

  /** The work in flight of the lane; from any thread, after the start. */
  public Future<InFlight> inFlight() {
    Promise<InFlight> found = Promise.promise();
    var own = lane;
    var work = externalWork;
    context.runOnContext(_ ->
        found.complete(
            own == null || work == null
                ? InFlight.NONE
                : new InFlight(0, own.size(), work.size())));
    return found.future();
  }

  /** The instances of each lane with the most waiting commands; from any thread. */
  public static Future<List<WaitingCommands>> mostWaiting(List<ExecutionVerticle> lanes) {
    var parts = lanes.stream().map(ExecutionVerticle::mostWaiting).toList();
    return Future.join(parts)
        .map(_ -> parts.stream().flatMap(part -> part.result().stream()).toList());
  }

  private Future<List<WaitingCommands>> mostWaiting() {
    Promise<List<WaitingCommands>> found = Promise.promise();
    var own = lane;
    context.runOnContext(_ -> found.complete(own == null ? List.of() : own.mostWaiting()));
    return found.future();
  }

  /**
   * Shortly before the end of the node: answers waiting callers with what is known. Bursts of all
   * lanes that wait for a script thread fail with {@code NOT_READY}, so that other nodes execute
   * them. From any thread, after the start.
   */
  public void answerNow() {
    dependencies.deciding().scripts().close();
    var waiting = pendingReplies;
    if (waiting != null) {
      context.runOnContext(_ -> waiting.closeAll());
    }
  }

  /** Until when work outside may continue after {@link #stop}, by {@link System#nanoTime}. */
  public void drainUntil(LongSupplier deadlineNanos) {
    drainDeadline = deadlineNanos;
  }

  /**
   * New commands are sent elsewhere, those accepted are finished, waiting callers are answered with
   * what is known, then the connection closes.
   */
  @Override
  public Future<?> stop() {
    if (lane == null || committer == null || externalWork == null) {
      return Future.succeededFuture();
    }
    var waiting = pendingReplies;
    var commits = committer;
    long latest = System.nanoTime() + dependencies.options().work().answerTimeout().toNanos();
    var given = drainDeadline;
    LongSupplier deadline = given == null ? () -> latest : given;
    var draining = lane;
    return externalWork
        .drain(deadline)
        .otherwiseEmpty()
        .compose(_ -> draining.drain())
        .onSuccess(_ -> {
          if (waiting != null) {
            waiting.closeAll();
          }
        })
        .compose(_ -> commits.close())
        .compose(_ -> {
          dependencies.router().stopServing(number);
          return Future.all(unregister(consumer), unregister(batchConsumer));
        });
  }

  private static Future<Void> unregister(@Nullable MessageConsumer<?> receiving) {
    return receiving == null ? Future.succeededFuture() : receiving.unregister();
  }
}
