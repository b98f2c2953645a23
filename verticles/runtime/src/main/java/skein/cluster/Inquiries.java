package skein.cluster;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import skein.bus.Refusals;
import skein.messages.Addresses;
import skein.messages.Reply;
import skein.model.ErrorCode;

/** Asks nodes of the cluster, this one included; each answers for itself. Thread-safe. */
public final class Inquiries {
  private static final Duration ANSWER_MAX = Duration.ofSeconds(2);

  private final Vertx vertx;
  private final Cluster cluster;

  public Inquiries(Vertx vertx, Cluster cluster) {
    this.vertx = vertx;
    this.cluster = cluster;
  }

  /** The kinds of questions. */
  public enum Topic {
    /** The locks that a node holds. */
    LOCKS,
    /** The commands that wait for their turn on a node. */
    WAITING,
    /** The log levels of a node: shown, or changed. */
    LOG_LEVELS,
    /** The settings that a node uses, and where each comes from. */
    SETTINGS,
    /** The last lines of a node's log. */
    LOG,
    /** A connection to the hub of a node. */
    HUB,
    /** The pause of the runtime, as a node follows it. */
    RUNTIME;

    private String wireName() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /** A node's own side. */
  @FunctionalInterface
  public interface Answerer {
    /** Must not block; a failure is sent to the asking node. */
    Future<JsonObject> answer(JsonObject question);
  }

  /**
   * The outcome of the question to one node.
   *
   * @param json the answer; empty when there is none
   * @param refused why there is none; null: there is one
   */
  public record Answer(Cluster.Node node, JsonObject json, Reply.@Nullable Refused refused) {}

  /** Lets this node be asked; done when the others know. */
  public Future<Void> serve(Topic topic, Answerer answerer) {
    return vertx
        .eventBus()
        .<JsonObject>consumer(
            address(topic, cluster.self()),
            message ->
                answer(answerer, message.body())
                    .otherwise(RefusalJson::of)
                    .onSuccess(message::reply))
        .completion();
  }

  private static Future<JsonObject> answer(Answerer answerer, JsonObject question) {
    try {
      return answerer.answer(question);
    } catch (RuntimeException e) {
      return Future.failedFuture(e);
    }
  }

  private static String address(Topic topic, Cluster.Node node) {
    return Addresses.inquiry(topic.wireName(), node.id());
  }

  /** Every member by its name, also those that do not answer within two seconds. */
  public Future<List<Answer>> all(Topic topic, JsonObject question) {
    var answers =
        cluster.members().stream()
            .sorted(Comparator.comparing(Cluster.Node::name).thenComparing(Cluster.Node::id))
            .map(node -> ask(topic, node, question))
            .toList();
    return Future.join(answers).map(_ -> answers.stream().map(Future::result).toList());
  }

  /** The answer of one member; fails as it refuses, and with {@code TIMEOUT} after two seconds. */
  public Future<JsonObject> one(Topic topic, Cluster.Node node, JsonObject question) {
    return ask(topic, node, question)
        .map(answer -> {
          var refused = answer.refused();
          if (refused != null) {
            throw Refusals.toException(refused);
          }
          return answer.json();
        });
  }

  /** Does not fail. */
  private Future<Answer> ask(Topic topic, Cluster.Node node, JsonObject question) {
    var options = new DeliveryOptions().setSendTimeout(ANSWER_MAX.toMillis());
    return vertx
        .eventBus()
        .<JsonObject>request(address(topic, node), question, options)
        .map(message -> new Answer(node, message.body(), RefusalJson.read(message.body())))
        .otherwise(e -> new Answer(node, new JsonObject(), unanswered(node)));
  }

  private static Reply.Refused unanswered(Cluster.Node node) {
    return new Reply.Refused(
        ErrorCode.TIMEOUT,
        "Node " + node.name() + " did not answer within " + ANSWER_MAX.toSeconds() + " s",
        List.of());
  }
}
