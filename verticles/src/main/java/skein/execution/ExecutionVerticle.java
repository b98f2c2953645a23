package skein.execution;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.MessageConsumer;
import java.util.UUID;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import skein.cluster.InFlight;
import skein.cluster.Router;
import skein.messages.Addresses;
import skein.messages.Command;
import skein.messages.Reply;
import skein.metrics.ExecutionFigures;
import skein.storage.Committer;

/** Receives the commands of one lane. Deploy on an event loop, one instance per lane. */
public final class ExecutionVerticle extends VerticleBase {
  private final int number;
  private final ExecutionParts parts;
  private final ExecutionFigures figures;
  private @Nullable Lane lane;
  private @Nullable Errands errands;
  private @Nullable Committer committer;
  private @Nullable Conversations conversations;
  private @Nullable MessageConsumer<Command> consumer;
  private volatile @Nullable LongSupplier drainDeadline;

  /** Counts for nobody. */
  public ExecutionVerticle(int lane, ExecutionParts parts) {
    this(lane, parts, new ExecutionFigures());
  }

  /** {@code figures}: of all lanes of the node. */
  public ExecutionVerticle(int lane, ExecutionParts parts, ExecutionFigures figures) {
    this.number = lane;
    this.parts = parts;
    this.figures = figures;
  }

  @Override
  public Future<?> start() {
    var commits =
        new Committer(
            vertx,
            context,
            parts.database(),
            parts.options().commits(),
            parts.cluster().nodeName(),
            parts.format()::written);
    var instances = new InstanceCache(parts.options().cacheInstancesMax());
    var waiting = new Conversations(vertx, parts.options().answerTimeout());
    var work = new Errands(vertx, parts, waiting);
    var aftermath = new Aftermath(vertx, parts, work, waiting, figures);
    var runner = new CommandRunner(vertx, parts, commits, instances, work, aftermath, figures);
    var started =
        new Lane(
            vertx,
            parts.locks(),
            parts.router()::executesHere,
            parts.options(),
            runner,
            waiting,
            commits::behind,
            figures);
    aftermath.onFollowUp(
        command -> started.submit(Router.Order.of(command, UUID.randomUUID(), null)));
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
                  if (message.headers().contains(Router.ANSWER_NOW)) {
                    waiting.answerNow(UUID.fromString(message.headers().get(Router.COMMAND_ID)));
                  } else {
                    parts.answers().command(message, c -> receive(started, message, c));
                  }
                });
    parts
        .router()
        .serve(number, context, order -> parts.answers().reply(() -> started.submit(order)));
    return Future.all(commits.open(), consumer.completion());
  }

  private static Future<Reply> receive(Lane lane, Message<?> message, Command command) {
    var headers = message.headers();
    var id = headers.get(Router.COMMAND_ID);
    var commandId = id == null ? UUID.randomUUID() : UUID.fromString(id);
    return lane.submit(
        new Router.Order(
            command,
            commandId,
            headers.contains(Router.REPEATED),
            headers.get(Router.KEY),
            headers.contains(Router.IN_PLACE_OF_OWNER)));
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
