package skein.http;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The messages of one client that fetches them by long polling. Updates are only handed over when
 * it has fetched what came before. Of one connection; called in its context alone.
 */
final class HubPolls implements HubLink {
  /** Answers to messages of a client that does not fetch them. */
  private static final int CHARS_MAX = 65_536;

  private final Vertx vertx;
  private final Duration linger;
  private final Runnable ended;
  private final StringBuilder messages = new StringBuilder();
  private @Nullable Promise<@Nullable String> waiting;
  private long timer;
  private boolean polled;
  private boolean over;

  /** The client has ended it, and fetches nothing more. */
  private boolean left;

  private boolean told;

  /**
   * @param linger that a client has to fetch the last messages and the end
   * @param ended called once, when the client knows of the end or has stayed away
   */
  HubPolls(Vertx vertx, Duration linger, Runnable ended) {
    this.vertx = vertx;
    this.linger = linger;
    this.ended = ended;
  }

  /**
   * Answers what there is, or what comes within this time; the first one at once, which only opens
   * the connection. An earlier request that still waits is answered with nothing. Null: over.
   */
  Future<@Nullable String> poll(Duration wait) {
    answer("");
    Promise<@Nullable String> promise = Promise.promise();
    waiting = promise;
    timer = vertx.setTimer(Math.max(1, wait.toMillis()), _ -> answer(""));
    if (!polled) {
      polled = true;
      answer("");
    } else if (!messages.isEmpty()) {
      answerMessages();
    } else if (over) {
      abandon();
    }
    return promise.future();
  }

  private void answerMessages() {
    var text = messages.toString();
    messages.setLength(0);
    answer(text);
  }

  private void answer(@Nullable String text) {
    var promise = waiting;
    if (promise != null) {
      waiting = null;
      vertx.cancelTimer(timer);
      promise.complete(text);
    }
  }

  @Override
  public boolean isReady() {
    return messages.isEmpty();
  }

  @Override
  public boolean isFull() {
    return messages.length() > CHARS_MAX;
  }

  @Override
  public void write(String records) {
    if (left) {
      return;
    }
    messages.append(records);
    if (waiting != null) {
      answerMessages();
    }
  }

  @Override
  public void end(Ending why) {
    over = true;
    if (why == Ending.CLIENT) {
      left = true;
      messages.setLength(0);
    }
    if (waiting != null) {
      abandon();
    } else {
      vertx.setTimer(Math.max(1, linger.toMillis()), _ -> abandon());
    }
  }

  /** It has had the time to fetch the end. */
  void abandon() {
    answer(null);
    if (!told) {
      told = true;
      ended.run();
    }
  }
}
