package skein.http;

import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import skein.model.InstanceId;
import skein.model.Timer;
import skein.openapi.Operation;
import skein.openapi.Shape;
import skein.openapi.Tag;
import skein.storage.DeferredPayload;
import skein.storage.DueTimers;
import skein.storage.TimerShard;
import skein.storage.UnfiredTimers;

/**
 * Fires what is due when it is asked to: for a scheduler outside, where no node leads. Beside a
 * leader it does no harm, since a timer is consumed by one commit.
 */
final class FireRoute {
  private static final int MAX_DEFAULT = 100;
  private static final int MAX = 1_000;
  private static final Instant BEGINNING = Instant.parse("0001-01-01T00:00:00Z");

  /**
   * A timer that could not be fired is left out for so long, so that it does not block the rest.
   */
  private static final Duration RETRY_DELAY = Duration.ofSeconds(2);

  private static final Duration RETRY_DELAY_MAX = Duration.ofSeconds(30);

  private final DueTimers timers;
  private final Function<Timer, Future<Void>> firing;
  private final UnfiredTimers unfired;

  /** {@code firing}: has a timer done that is whole and opened. */
  FireRoute(DueTimers timers, Function<Timer, Future<Void>> firing) {
    this.timers = timers;
    this.firing = firing;
    this.unfired = new UnfiredTimers(timers, RETRY_DELAY, RETRY_DELAY_MAX);
  }

  void addTo(Routes routes) {
    routes.post(
        "/timers/fire",
        Operation.of(Tag.TIMERS, "fireTimers", "Fires what is due, for a scheduler outside")
            .reads(
                Shape.object()
                    .may("max", Shape.INTEGER.within(1, MAX).byDefault((long) MAX_DEFAULT)))
            .answers(
                Shape.object()
                    .has("fired", Shape.COUNT)
                    .has("failed", Shape.COUNT)
                    .has("more", Shape.FLAG)),
        this::fire);
  }

  /** The earliest, at most {@code max} of the body; answers when they are done. */
  private Future<Answer> fire(Call call) {
    int max = call.fields().number("max", 1, MAX, MAX_DEFAULT);
    return timers
        .due(TimerShard.ONLY, Duration.ZERO, BEGINNING, "", max)
        .compose(
            due -> Future.join(fireAll(due, this::fire)).map(done -> answer(done.list(), max)));
  }

  /**
   * All at one time, but those with large payloads one after the other, and what is due after such
   * a one of its instance after it.
   */
  static List<Future<Boolean>> fireAll(List<Timer> due, Function<Timer, Future<Boolean>> fire) {
    var fired = new ArrayList<Future<Boolean>>(due.size());
    var behind = new HashMap<InstanceId, Future<Boolean>>();
    var lastLarge = Future.succeededFuture(true);
    for (var timer : due) {
      var before = behind.get(timer.instanceId());
      if (DeferredPayload.isIn(timer)) {
        lastLarge = lastLarge.otherwise(false).compose(_ -> fire.apply(timer));
        behind.put(timer.instanceId(), lastLarge);
        fired.add(lastLarge);
      } else {
        fired.add(
            before == null
                ? fire.apply(timer)
                : before.otherwise(false).compose(_ -> fire.apply(timer)));
      }
    }
    return fired;
  }

  /** False when it could not be fired; it is due again later then. */
  Future<Boolean> fire(Timer timer) {
    return timers
        .whole(timer)
        .compose(whole ->
            whole == null
                ? Future.succeededFuture(true)
                : firing.apply(timers.opened(whole)).map(true))
        .recover(e -> unfired.failed(timer, Problems.exception(e)).map(false));
  }

  private static Answer answer(List<Boolean> done, int max) {
    long fired = done.stream().filter(ok -> ok).count();
    return Answer.ok(
        Map.of("fired", fired, "failed", done.size() - fired, "more", done.size() == max));
  }
}
