package skein.execution;

import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.MessageConsumer;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import skein.cluster.Router;
import skein.messages.Addresses;
import skein.messages.Command;
import skein.messages.Reply;
import skein.storage.Committer;

/** Receives the commands of one lane. Deploy on an event loop, one instance per lane. */
public final class ExecutionVerticle extends VerticleBase {
  private final int number;
  private final ExecutionParts parts;
  private @Nullable Lane lane;
  private @Nullable Errands errands;
  private @Nullable Committer committer;
  private @Nullable MessageConsumer<Command> consumer;

  public ExecutionVerticle(int lane, ExecutionParts parts) {
    this.number = lane;
    this.parts = parts;
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
    var work = new Errands(vertx, parts);
    var conversations = new Conversations(vertx, parts.options().answerTimeout());
    var aftermath = new Aftermath(vertx, parts, work, conversations);
    var runner = new CommandRunner(vertx, parts, commits, instances, work, aftermath);
    var started =
        new Lane(vertx, parts.locks(), parts.options(), runner, conversations, commits::behind);
    aftermath.onFollowUp(command -> started.submit(command, Lane.own()));
    parts.cluster().onChange(() -> context.runOnContext(_ -> instances.clear()));
    committer = commits;
    errands = work;
    lane = started;
    consumer =
        vertx
            .eventBus()
            .consumer(
                Addresses.execution(parts.cluster().nodeId(), number),
                message -> parts.answers().command(message, c -> receive(started, message, c)));
    parts
        .router()
        .serve(
            number,
            context,
            (command, delivery) -> parts.answers().reply(() -> started.submit(command, delivery)));
    return consumer.completion();
  }

  private static Future<Reply> receive(Lane lane, Message<?> message, Command command) {
    var id = message.headers().get(Router.COMMAND_ID);
    var commandId = id == null ? UUID.randomUUID() : UUID.fromString(id);
    return lane.submit(
        command,
        new Router.Delivery(
            commandId,
            message.headers().contains(Router.REPEATED),
            message.headers().contains(Router.IN_PLACE_OF_OWNER)));
  }

  /** New commands are sent elsewhere, those accepted are finished, then the connection closes. */
  @Override
  public Future<?> stop() {
    if (lane == null || committer == null || consumer == null || errands == null) {
      return Future.succeededFuture();
    }
    var commits = committer;
    var receiving = consumer;
    long deadline = System.nanoTime() + parts.options().answerTimeout().toNanos();
    var draining = lane;
    return errands
        .drain(deadline)
        .compose(_ -> draining.drain())
        .compose(_ -> commits.close())
        .compose(_ -> {
          parts.router().stopServing(number);
          return receiving.unregister();
        });
  }
}
