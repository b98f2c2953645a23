package skein.execution;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.eventbus.MessageConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import skein.cluster.BusTransport;
import skein.cluster.InFlight;
import skein.cluster.Router;
import skein.codecs.Answers;
import skein.loop.Blocking;
import skein.loop.VertxEventLoop;
import skein.messages.Addresses;
import skein.messages.Command;
import skein.metrics.ExecutionFigures;
import skein.storage.Committer;
import skein.storage.Database;

/** Receives the commands of one lane. Deploy on an event loop, one instance per lane. */
public final class ExecutionVerticle extends VerticleBase {
  private final int number;
  private final ExecutionParts parts;
  private final Database database;
  private final Answers answers;
  private final ExecutionFigures figures;
  private @Nullable Lane lane;
  private @Nullable Errands errands;
  private @Nullable Committer committer;
  private @Nullable Conversations conversations;
  private @Nullable MessageConsumer<Command> consumer;
  private volatile @Nullable LongSupplier drainDeadline;

  /** Without metrics; for tests. */
  public ExecutionVerticle(int lane, ExecutionParts parts, Database database, Answers answers) {
    this(lane, parts, database, answers, new ExecutionFigures());
  }

  /**
   * @param database commits go there over connections of the lane's own
   * @param answers how messages of the bus are answered
   * @param figures of all lanes of the node
   */
  public ExecutionVerticle(
      int lane,
      ExecutionParts parts,
      Database database,
      Answers answers,
      ExecutionFigures figures) {
    this.number = lane;
    this.parts = parts;
    this.database = database;
    this.answers = answers;
    this.figures = figures;
  }

  @Override
  public Future<?> start() {
    var loop = new VertxEventLoop(vertx, context);
    var commits =
        new Committer(
            vertx,
            context,
            database,
            parts.options().commits(),
            parts.cluster().nodeName(),
            parts.peers().format()::written);
    var instances = new InstanceCache(parts.options().cacheInstancesMax());
    var waiting = new Conversations(loop, parts.options().answerTimeout());
    var work = new Errands(loop, parts, waiting);
    var aftermath = new Aftermath(loop, parts, work, waiting, figures);
    var own = new CommandRunner.Own(loop, scripts(), commits, instances, work, aftermath);
    var runner = new CommandRunner(own, parts, figures);
    var started = new Lane(loop, parts, runner, waiting, commits::behind, figures);
    aftermath.onFollowUp(
        command -> started.submit(Router.Order.of(command, parts.router().newCommandId(), null)));
    parts
        .cluster()
        .onChange(() ->
            context.runOnContext(_ -> {
              instances.clear();
              waiting.ownersChanged(parts.router()::executesHere);
            }));
    conversations = waiting;
    committer = commits;
    errands = work;
    lane = started;
    consumer =
        vertx
            .eventBus()
            .consumer(
                Addresses.execution(parts.cluster().nodeId(), number),
                message -> {
                  if (BusTransport.isAnswerNow(message)) {
                    waiting.answerNow(BusTransport.order(message.headers(), message.body()).id());
                  } else {
                    answers.command(
                        message, c -> started.submit(BusTransport.order(message.headers(), c)));
                  }
                });
    parts.router().serve(number, loop, order -> answers.reply(() -> started.submit(order)));
    return Future.all(commits.open(), consumer.completion());
  }

  private Blocking scripts() {
    var turns = parts.deciding().scripts();
    var threads = vertx.createSharedWorkerExecutor("skein-scripts", turns.threads());
    return turns.on(threads, figures.scriptsWaiting());
  }

  /** What the lane has under way; from any thread, after the start. */
  public Future<InFlight> inFlight() {
    Promise<InFlight> found = Promise.promise();
    var own = lane;
    var work = errands;
    context.runOnContext(_ ->
        found.complete(
            own == null || work == null
                ? InFlight.NONE
                : new InFlight(0, own.size(), work.size())));
    return found.future();
  }

  /** Whoever waits for more is told what is known; from any thread, after the start. */
  public void answerNow() {
    var waiting = conversations;
    if (waiting != null) {
      context.runOnContext(_ -> waiting.closeAll());
    }
  }

  /** Until when work outside may go on after {@link #stop}, by {@link System#nanoTime}. */
  public void drainUntil(LongSupplier deadlineNanos) {
    drainDeadline = deadlineNanos;
  }

  /**
   * New commands are sent elsewhere, those accepted are finished, whoever waits for more is
   * answered with what is known, then the connection closes.
   */
  @Override
  public Future<?> stop() {
    if (lane == null || committer == null || consumer == null || errands == null) {
      return Future.succeededFuture();
    }
    var waiting = conversations;
    var commits = committer;
    var receiving = consumer;
    long latest = System.nanoTime() + parts.options().answerTimeout().toNanos();
    var given = drainDeadline;
    LongSupplier deadline = given == null ? () -> latest : given;
    var draining = lane;
    return errands
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
          parts.router().stopServing(number);
          return receiving.unregister();
        });
  }
}
