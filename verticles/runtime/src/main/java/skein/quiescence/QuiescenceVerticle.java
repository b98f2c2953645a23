package skein.quiescence;

import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import skein.cluster.InFlight;
import skein.cluster.Inquiries;
import skein.cluster.PollingVerticle;
import skein.cluster.Quiescence;
import skein.model.RuntimePause;
import skein.storage.PauseStore;

/**
 * Follows the pause of the runtime on this node, and answers those who ask about it. Deployed when
 * this node can be asked and has looked: a pause that was made before it could be asked is one that
 * it has read.
 */
public final class QuiescenceVerticle extends PollingVerticle {
  private static final Logger log = LoggerFactory.getLogger(QuiescenceVerticle.class);
  private static final Duration IDLE_LOOK = Duration.ofMillis(20);

  /** Shorter than the caller waits. */
  private static final Duration IDLE_MAX = Duration.ofSeconds(1);

  private final Quiescence quiescence;
  private final PauseStore store;
  private final Inquiries inquiries;
  private final InstantSource clock;
  private final Supplier<Future<InFlight>> inFlight;

  /**
   * @param quiescence of this node's lanes
   * @param inFlight what they have under way
   * @param interval between two looks, beside those on request
   */
  public QuiescenceVerticle(
      Quiescence quiescence,
      PauseStore store,
      Inquiries inquiries,
      InstantSource clock,
      Supplier<Future<InFlight>> inFlight,
      Duration interval) {
    super(interval);
    this.quiescence = quiescence;
    this.store = store;
    this.inquiries = inquiries;
    this.clock = clock;
    this.inFlight = inFlight;
  }

  @Override
  public Future<?> start() {
    return inquiries.serve(Inquiries.Topic.RUNTIME, this::answer).compose(_ -> super.start());
  }

  @Override
  protected void logFailure(Throwable cause, long times) {
    log.atWarn()
        .addKeyValue("cause", cause.getMessage())
        .addKeyValue("times", times)
        .log("runtime.pauseNotRead");
  }

  @Override
  protected Future<Void> poll() {
    return store.read().map(this::follow);
  }

  private @Nullable Void follow(@Nullable RuntimePause pause) {
    if (quiescence.follow(pause)) {
      if (pause == null) {
        log.atInfo().log("runtime.resumed");
      } else {
        log.atWarn()
            .addKeyValue("since", pause.at())
            .addKeyValue("reason", pause.reason())
            .addKeyValue("requestedBy", pause.requestedBy())
            .log("runtime.paused");
      }
    }
    return null;
  }

  private Future<JsonObject> answer(JsonObject question) {
    return switch (RuntimeQuestion.read(question)) {
      case SHOW -> shown();
      case LOOK -> poll().compose(_ -> shown());
      case DRAIN -> drain();
    };
  }

  private Future<JsonObject> shown() {
    return inFlight
        .get()
        .map(found -> new NodeQuiescence(quiescence.state(), found.commands()).toJson());
  }

  private Future<JsonObject> drain() {
    var since = quiescence.drain(clock.instant());
    log.atWarn().addKeyValue("since", since).log("runtime.drained");
    return idle(System.nanoTime() + IDLE_MAX.toNanos()).compose(_ -> shown());
  }

  /** Running bursts are committed whole or not at all: there is nothing to interrupt. */
  private Future<Void> idle(long endNanos) {
    return inFlight
        .get()
        .compose(found ->
            found.commands() == 0 || System.nanoTime() > endNanos
                ? Future.succeededFuture()
                : vertx
                    .timer(IDLE_LOOK.toMillis(), TimeUnit.MILLISECONDS)
                    .compose(_ -> idle(endNanos)));
  }
}
