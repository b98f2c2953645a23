package skein.node.bench;

import io.netty.buffer.ByteBuf;
import io.netty.channel.EventLoop;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * A stretch of requests: in a closed loop, where each caller asks again when it has its answer, or
 * at a fixed rate, where requests fall due by the clock and wait for a caller that is free.
 * Confined to one event loop.
 */
final class Run {
  private static final long TICK_MILLIS = 1;

  /** Requests without an answer by then, after the end, count as lost. */
  private static final Duration ANSWER_MAX = Duration.ofSeconds(60);

  private static final int SHOWN_MAX = 300;

  private final EventLoop loop;
  private final Work work;
  private final Histogram micros = Outcome.histogram();
  private final CompletableFuture<Outcome> done = new CompletableFuture<>();
  private final Deque<Caller> idle = new ArrayDeque<>();
  private final List<String> errors = new ArrayList<>();
  private final long nanosMax;
  private final long nanosApart;
  private long begunAt;
  private long lastAnswerAt;
  private long nextDue;
  private int busy;
  private long operations;
  private long failures;
  private boolean exhausted;

  /** {@code apart}: between two requests at a fixed rate; null: a closed loop. */
  Run(EventLoop loop, Work work, Duration max, @Nullable Duration apart) {
    this.loop = loop;
    this.work = work;
    this.nanosMax = max.toNanos();
    this.nanosApart = apart == null ? 0 : apart.toNanos();
  }

  CompletableFuture<Outcome> begin(List<Caller> callers) {
    loop.execute(() -> {
      callers.forEach(caller -> caller.tells(this::answered, this::broken));
      begunAt = System.nanoTime();
      nextDue = begunAt;
      lastAnswerAt = begunAt;
      if (nanosApart == 0) {
        callers.forEach(this::askAgain);
      } else {
        idle.addAll(callers);
        tick();
      }
      endWhenAllRest();
    });
    long millis = TimeUnit.NANOSECONDS.toMillis(nanosMax) + ANSWER_MAX.toMillis();
    var timeout = loop.schedule(this::giveUp, millis, TimeUnit.MILLISECONDS);
    return done.whenComplete((_, _) -> timeout.cancel(false));
  }

  private boolean isOver() {
    return exhausted || System.nanoTime() - begunAt >= nanosMax;
  }

  private void askAgain(Caller caller) {
    if (!isOver()) {
      ask(caller, System.nanoTime());
    }
  }

  private void ask(Caller caller, long dueAt) {
    if (caller.ask(work, dueAt)) {
      busy++;
    } else {
      exhausted = true;
    }
  }

  private void tick() {
    askWhatIsDue();
    if (isOver()) {
      endWhenAllRest();
    } else {
      var _ = loop.schedule(this::tick, TICK_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  private void askWhatIsDue() {
    while (!idle.isEmpty() && !isOver() && nextDue - System.nanoTime() <= 0) {
      ask(idle.removeFirst(), nextDue);
      nextDue += nanosApart;
    }
  }

  private void answered(Caller caller, int status, ByteBuf body) {
    lastAnswerAt = System.nanoTime();
    var wrong = work.wrong(caller.number(), status, body);
    if (wrong == null) {
      operations++;
      Outcome.record(micros, lastAnswerAt - caller.askedAt());
    } else {
      var text = body.toString(StandardCharsets.UTF_8);
      failed(wrong + ": " + text.substring(0, Math.min(text.length(), SHOWN_MAX)));
    }
    busy--;
    if (nanosApart == 0) {
      askAgain(caller);
    } else {
      idle.addLast(caller);
      askWhatIsDue();
    }
    endWhenAllRest();
  }

  private void broken(String what) {
    failed(what);
    busy--;
    endWhenAllRest();
  }

  private void failed(String what) {
    failures++;
    if (errors.size() < Outcome.ERRORS_MAX) {
      errors.add(what);
    }
  }

  private void endWhenAllRest() {
    if (busy == 0 && (nanosApart == 0 || isOver())) {
      end();
    }
  }

  private void giveUp() {
    if (!done.isDone()) {
      failures += busy;
      errors.add(busy + " requests were not answered within " + ANSWER_MAX.toSeconds() + " s");
      end();
    }
  }

  private void end() {
    if (!done.isDone()) {
      long nanos = lastAnswerAt - begunAt;
      done.complete(new Outcome(operations, failures, errors, micros, nanos));
    }
  }
}
