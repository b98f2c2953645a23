package skein.http;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.ingress.Ingress;
import skein.model.ErrorCode;
import skein.model.InstanceId;
import skein.model.SkeinException;
import skein.openapi.Operation;
import skein.openapi.Parameter;
import skein.openapi.Shape;
import skein.openapi.Tag;
import skein.storage.DeadLetterStore;
import skein.storage.TimerList;
import skein.storage.TimerStore;

/**
 * What Elsa calls dead letters: deliveries of events that keep failing. None is given up here, so
 * each is still tried again, and replaying it does so at once.
 */
final class DeadLetterRoutes {
  private static final String PATH = "/bookmark-queue/dead-letters";
  private static final int PAGE_SIZE = 50;
  private static final String ACTIVITY_TYPE = "Elsa.Event";

  private static final Shape LETTER =
      Shape.object()
          .has("id", Shape.TEXT)
          .has("originalQueueItemId", Shape.TEXT.described("Of the timer that is the delivery"))
          .has("workflowInstanceId", Shape.TEXT)
          .has("correlationId", Shape.TEXT.orNull())
          .has("bookmarkId", Shape.TEXT.orNull())
          .has("activityTypeName", Shape.TEXT)
          .has("originalCreatedAt", Shape.INSTANT.described("When it failed for the first time"))
          .has("deadLetteredAt", Shape.INSTANT.described("The same"))
          .has("reason", Shape.oneOf("Failed"))
          .has("deliveryAttempts", Shape.COUNT.described("30 at most"))
          .has("lastAttemptedAt", Shape.INSTANT)
          .has("lastErrorType", Shape.TEXT.described("The code of the refusal"))
          .has("lastErrorMessage", Shape.TEXT)
          .has("canReplay", Shape.FLAG)
          .has("replayedAt", Shape.INSTANT.orNull())
          .has("replayedQueueItemId", Shape.TEXT.orNull())
          .as("DeadLetter");

  private final DeadLetterStore letters;
  private final TimerStore timers;
  private final TimerList list;
  private final Ingress ingress;

  DeadLetterRoutes(DeadLetterStore letters, TimerStore timers, TimerList list, Ingress ingress) {
    this.letters = letters;
    this.timers = timers;
    this.list = list;
    this.ingress = ingress;
  }

  void addTo(Routes routes) {
    routes
        .get(
            PATH,
            Operation.of(Tag.TIMERS, "listDeadLetters", "Lists deliveries that keep failing")
                .takesPage()
                .takes(Parameter.query("workflowInstanceId", Shape.ID, "Only of this instance"))
                .answers(ListShapes.page(LETTER)),
            call -> page(call.queryFields()))
        .post(
            PATH,
            Operation.of(Tag.TIMERS, "queryDeadLetters", "Lists deliveries that keep failing")
                .reads(ListShapes.withWindow(Shape.object().may("workflowInstanceId", Shape.ID)))
                .answers(200, ListShapes.page(LETTER)),
            call -> page(call.fields()))
        .get(
            PATH + "/:id",
            Operation.of(Tag.TIMERS, "getDeadLetter", "Shows a delivery that keeps failing")
                .answers(LETTER),
            this::show)
        .post(
            PATH + "/:id/replay",
            Operation.of(Tag.TIMERS, "replayDeadLetter", "Tries a delivery again, at once")
                .answers(
                    200,
                    Shape.object()
                        .has("replayed", Shape.FLAG)
                        .has("queueItemId", Shape.TEXT)
                        .has("reason", Shape.TEXT.orNull())),
            this::replay)
        .delete(
            PATH + "/:id",
            Operation.of(
                    Tag.TIMERS,
                    "deleteDeadLetter",
                    "Gives a delivery up: no further attempt is planned")
                .answersNothing(204, "Gone"),
            this::delete);
  }

  private Future<Answer> page(Fields fields) {
    var window = fields.window(PAGE_SIZE);
    var instance = fields.text("workflowInstanceId");
    return letters
        .page(instance == null ? null : new InstanceId(instance), window.skip(), window.take())
        .map(page ->
            Answer.ok(
                Lists.page(
                    page.items().stream().map(DeadLetterRoutes::json).toList(), page.total())));
  }

  private Future<Answer> show(Call call) {
    return letters.find(call.path("id")).map(found -> Answer.ok(json(orThrow(found, call))));
  }

  private static <T> T orThrow(@Nullable T found, Call call) {
    if (found == null) {
      throw new SkeinException(
          ErrorCode.NOT_FOUND,
          "No delivery "
              + call.path("id")
              + " keeps failing: it was never stored, or has been delivered");
    }
    return found;
  }

  /** A refusal is that of the delivery, which is then tried again later, as before. */
  private Future<Answer> replay(Call call) {
    return letters
        .find(call.path("id"))
        .map(found -> orThrow(found, call).timerId())
        .compose(timerId ->
            timers
                .extendDeadline(List.of(timerId), Duration.ZERO)
                .compose(_ -> list.find(timerId))
                .compose(entry -> ingress.fire(orThrow(entry, call).timer()))
                .map(_ -> replayed(timerId)));
  }

  private static Answer replayed(String timerId) {
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("replayed", true);
    json.put("queueItemId", timerId);
    json.put("reason", null);
    return Answer.ok(json);
  }

  private Future<Answer> delete(Call call) {
    return letters
        .delete(call.path("id"))
        .map(gone -> {
          orThrow(gone ? Boolean.TRUE : null, call);
          return Answer.empty(204);
        });
  }

  private static Map<String, @Nullable Object> json(DeadLetterStore.Letter letter) {
    var since = letter.failures().since().toString();
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("id", letter.id());
    json.put("originalQueueItemId", letter.timerId());
    json.put("workflowInstanceId", letter.instanceId().value());
    json.put("correlationId", letter.correlationId());
    json.put("bookmarkId", letter.bookmarkId());
    json.put("activityTypeName", ACTIVITY_TYPE);
    json.put("originalCreatedAt", since);
    json.put("deadLetteredAt", since);
    json.put("reason", "Failed");
    json.put("deliveryAttempts", (long) letter.attempts());
    json.put("lastAttemptedAt", letter.failures().at().toString());
    json.put("lastErrorType", letter.failures().code());
    json.put("lastErrorMessage", letter.failures().message());
    json.put("canReplay", true);
    json.put("replayedAt", null);
    json.put("replayedQueueItemId", null);
    return json;
  }
}
