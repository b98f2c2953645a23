package skein.storage;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import skein.model.SkeinException;

/**
 * Collects the requests that arrive while a statement is under way for the next one. Requests of a
 * refused statement are repeated one by one, so that one bad row fails alone; where the database
 * does not answer, all fail. Thread-safe; callers are answered on their own context.
 *
 * @param <Q> a question
 * @param <A> its answer
 */
final class QueryBatches<Q, A> {
  /** Questions in one statement. */
  private static final int BATCH_MAX = 200;

  private final Function<List<Q>, Future<List<A>>> statement;
  private final ArrayDeque<Asked<Q, A>> waiting = new ArrayDeque<>();
  private boolean flying;

  private record Asked<Q, A>(Q question, @Nullable Context context, Promise<A> promise) {
    void answer(Runnable settle) {
      if (context == null) {
        settle.run();
      } else {
        context.runOnContext(_ -> settle.run());
      }
    }
  }

  /** {@code statement}: answers in the order of the questions. */
  QueryBatches(Function<List<Q>, Future<List<A>>> statement) {
    this.statement = statement;
  }

  Future<A> ask(Q question) {
    Promise<A> promise = Promise.promise();
    synchronized (waiting) {
      waiting.add(new Asked<>(question, Vertx.currentContext(), promise));
    }
    fly();
    return promise.future();
  }

  private void fly() {
    var batch = new ArrayList<Asked<Q, A>>();
    synchronized (waiting) {
      if (flying || waiting.isEmpty()) {
        return;
      }
      flying = true;
      while (batch.size() < BATCH_MAX && !waiting.isEmpty()) {
        batch.add(waiting.poll());
      }
    }
    send(batch)
        .onComplete(_ -> {
          synchronized (waiting) {
            flying = false;
          }
          fly();
        });
  }

  /** Succeeds always: failures go to their callers. */
  private Future<Void> send(List<Asked<Q, A>> batch) {
    return statement
        .apply(batch.stream().map(Asked::question).toList())
        .transform(result -> {
          if (result.succeeded()) {
            var answers = result.result();
            for (int i = 0; i < batch.size(); i++) {
              var asked = batch.get(i);
              var answer = answers.get(i);
              asked.answer(() -> asked.promise().complete(answer));
            }
            return Future.succeededFuture();
          }
          if (batch.size() > 1 && !(result.cause() instanceof SkeinException)) {
            var singles = batch.stream().map(asked -> send(List.of(asked))).toList();
            return Future.join(singles).mapEmpty();
          }
          batch.forEach(asked -> asked.answer(() -> asked.promise().fail(result.cause())));
          return Future.succeededFuture();
        });
  }
}
