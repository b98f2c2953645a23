package skein.storage;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.pgclient.PgConnection;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.PreparedStatement;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import skein.codecs.InstanceCodec;
import skein.model.SkeinException;
import skein.model.Transition;

/**
 * Commits transitions over one connection of its own: whatever is ready goes in one statement, and
 * the next batch gathers while the last one flies. No delay is added to make batches larger.
 *
 * <p>Belongs to one event-loop context; every method is called there and answers there. An instance
 * has at most one transition under way.
 */
public final class Committer {
  private static final Logger log = LoggerFactory.getLogger(Committer.class);

  /** What became of a transition. */
  public enum Outcome {
    /** It is in the database, by this call or an earlier one of the same commit id. */
    COMMITTED,
    /** Nothing of it was written: another revision was stored, or its guard did not hold. */
    CONFLICT
  }

  /**
   * @param batchMax transitions in one statement
   * @param queueMax transitions that may wait; more are refused with {@code OVERLOADED}
   * @param attemptsMax how often a transition is tried when the database does not answer
   * @param retryDelayMillis between two attempts, times their number
   * @param stateBytesMax of one instance; a larger one is refused with {@code STATE_TOO_LARGE}
   */
  public record Options(
      int batchMax, int queueMax, int attemptsMax, long retryDelayMillis, int stateBytesMax) {}

  private static final class Pending {
    final Transition transition;
    final byte[] state;
    final Promise<Outcome> promise = Promise.promise();
    final long queuedAt = System.nanoTime();
    int attempts;

    /** An earlier attempt may have landed, or may still land. */
    boolean uncertain;

    Pending(Transition transition, byte[] state) {
      this.transition = transition;
      this.state = state;
    }
  }

  /** Executions of a prepared statement before it is prepared anew. */
  private static final int STATEMENT_USES_MAX = 200;

  private static final class Prepared {
    final PreparedStatement statement;
    int uses = 1;

    Prepared(PreparedStatement statement) {
      this.statement = statement;
    }
  }

  private final Vertx vertx;
  private final Context context;
  private final Database database;
  private final Options options;
  private final String node;
  private final ArrayDeque<Pending> queue = new ArrayDeque<>();
  private @Nullable PgConnection connection;
  private final Map<Set<CommitStatement.Part>, Prepared> statements = new HashMap<>();
  private boolean flying;
  private boolean closed;

  /** To be made on the context it belongs to. */
  public Committer(Vertx vertx, Context context, Database database, Options options, String node) {
    this.vertx = vertx;
    this.context = context;
    this.database = database;
    this.options = options;
    this.node = node;
  }

  /**
   * Commits once. Fails with {@code OVERLOADED}, {@code STATE_TOO_LARGE}, {@code
   * STORAGE_UNAVAILABLE} (nothing written) or {@code OUTCOME_UNKNOWN} (nobody can say yet).
   */
  public Future<Outcome> commit(Transition transition) {
    if (queue.size() >= options.queueMax()) {
      return Future.failedFuture(
          SkeinException.overloaded("The commit queue of node " + node, options.queueMax()));
    }
    byte[] state;
    try {
      state = InstanceCodec.encode(transition.next());
    } catch (SkeinException e) {
      return Future.failedFuture(e);
    }
    if (state.length > options.stateBytesMax()) {
      return Future.failedFuture(
          SkeinException.stateTooLarge(
              transition.next().id(), state.length, options.stateBytesMax()));
    }
    var pending = new Pending(transition, state);
    queue.add(pending);
    database.figures().waitingCommits().increment();
    fly();
    return pending.promise.future();
  }

  /** How long the oldest transition has waited for its statement to be sent; 0: none waits. */
  public Duration behind() {
    var oldest = queue.peek();
    return oldest == null ? Duration.ZERO : Duration.ofNanos(System.nanoTime() - oldest.queuedAt);
  }

  private void fly() {
    if (flying || queue.isEmpty()) {
      return;
    }
    flying = true;
    var batch = new ArrayList<Pending>(Math.min(queue.size(), options.batchMax()));
    while (batch.size() < options.batchMax() && !queue.isEmpty()) {
      batch.add(queue.poll());
    }
    long since = System.nanoTime();
    database.figures().waitingCommits().add(-batch.size());
    database.figures().batches().add(batch.size());
    batch.sort(Comparator.comparing(p -> p.transition.next().id()));
    send(batch)
        .onComplete(_ -> {
          flying = false;
          database.figures().commits().since(since);
          fly();
        });
  }

  /** Succeeds always: what went wrong is told to those it concerns. */
  private Future<Void> send(List<Pending> batch) {
    batch.forEach(p -> p.attempts++);
    var transitions = batch.stream().map(p -> p.transition).toList();
    var parts = CommitStatement.parts(transitions);
    return prepared(parts)
        .compose(ready -> execute(ready, parts, transitions, batch))
        .transform(result -> {
          if (result.succeeded()) {
            return settle(batch, result.result());
          }
          return failed(batch, result.cause());
        });
  }

  private Future<Set<String>> execute(
      PreparedStatement ready,
      Set<CommitStatement.Part> parts,
      List<Transition> transitions,
      List<Pending> batch) {
    Tuple parameters;
    try {
      var states = batch.stream().map(p -> Buffer.buffer(p.state)).toArray(Buffer[]::new);
      parameters = CommitParameters.of(parts, transitions, states, node);
    } catch (RuntimeException e) {
      return Future.failedFuture(new Unwritable(e));
    }
    return ready
        .query()
        .execute(parameters)
        .timeout(database.options().statementTimeout().toMillis(), TimeUnit.MILLISECONDS)
        .<Set<String>>map(rows -> {
          var won = rows.iterator().next().getArrayOfStrings(0);
          return won == null ? Set.of() : Set.of(won);
        })
        .onFailure(e -> {
          if (Database.isOutcomeUnknown(e)) {
            batch.forEach(p -> p.uncertain = true);
            disconnect();
          }
        });
  }

  private Future<Void> settle(List<Pending> batch, Set<String> won) {
    var doubtful = new ArrayList<Future<Void>>();
    for (var pending : batch) {
      if (won.contains(pending.transition.next().id().value())) {
        pending.promise.complete(Outcome.COMMITTED);
      } else if (pending.uncertain) {
        doubtful.add(askWhatBecameOf(pending));
      } else {
        pending.promise.complete(Outcome.CONFLICT);
      }
    }
    return doubtful.isEmpty() ? Future.succeededFuture() : Future.join(doubtful).mapEmpty();
  }

  /** A repeated transition that lost may have lost to itself: the journal knows. */
  private Future<Void> askWhatBecameOf(Pending pending) {
    var transition = pending.transition;
    return hasLanded(database, transition)
        .transform(landed -> {
          if (landed.failed()) {
            return failed(List.of(pending), landed.cause());
          }
          pending.promise.complete(landed.result() ? Outcome.COMMITTED : Outcome.CONFLICT);
          return Future.succeededFuture();
        });
  }

  static final String LANDED =
      """
      select 1 from journal
       where workflow_instance_id = $1 and revision = $2 and commit_id = $3
      """;

  private static Future<Boolean> hasLanded(Database database, Transition transition) {
    var parameters =
        Tuple.of(
            transition.next().id().value(), transition.next().revision(), transition.commitId());
    return database
        .run("look for commit " + transition.commitId(), LANDED, parameters)
        .map(rows -> rows.size() > 0);
  }

  /**
   * One bad transition must not fail its neighbours: an error of the data splits the batch, an
   * error of the infrastructure repeats it. The repeat carries the same commit id, so it is
   * harmless if the first attempt landed after all.
   */
  private Future<Void> failed(List<Pending> batch, Throwable error) {
    boolean data =
        error instanceof Unwritable
            || (error instanceof PgException sql && !Database.isInfrastructure(sql));
    if (data && batch.size() > 1) {
      int middle = batch.size() / 2;
      return send(batch.subList(0, middle)).compose(_ -> send(batch.subList(middle, batch.size())));
    }
    if (data) {
      var transition = batch.getFirst().transition;
      log.atError()
          .addKeyValue("instanceId", transition.next().id())
          .setCause(error)
          .log("commit.refused");
      batch.getFirst().promise.fail(Database.explain("commit " + transition.next().id(), error));
      return Future.succeededFuture();
    }
    var again = new ArrayList<Pending>();
    for (var pending : batch) {
      if (closed || pending.attempts >= options.attemptsMax()) {
        pending.promise.fail(giveUp(pending, error));
      } else {
        again.add(pending);
      }
    }
    if (again.isEmpty()) {
      return Future.succeededFuture();
    }
    database.figures().repeatedCommits().increment();
    log.atWarn()
        .addKeyValue("transitions", again.size())
        .addKeyValue("attempt", again.getFirst().attempts)
        .addKeyValue("cause", error.toString())
        .log("commit.repeated");
    return vertx
        .timer(options.retryDelayMillis() * again.getFirst().attempts, TimeUnit.MILLISECONDS)
        .compose(_ -> send(again));
  }

  private SkeinException giveUp(Pending pending, Throwable error) {
    var id = pending.transition.next().id();
    if (!pending.uncertain) {
      return SkeinException.storageUnavailable("commit of instance " + id, error);
    }
    return SkeinException.outcomeUnknown(id, error);
  }

  /**
   * A statement is prepared when a batch of its kind comes first; there are few kinds. It keeps the
   * plan that it was given then, and one that was made for an empty table walks through a full one:
   * so it is prepared again before a table can have grown by much.
   */
  private Future<PreparedStatement> prepared(Set<CommitStatement.Part> parts) {
    var ready = statements.get(parts);
    if (ready != null && ready.uses < STATEMENT_USES_MAX) {
      ready.uses++;
      return Future.succeededFuture(ready.statement);
    }
    if (ready != null) {
      statements.remove(parts);
      ready.statement.close();
    }
    return connected()
        .compose(opened ->
            opened
                .prepare(CommitStatement.sql(parts))
                .timeout(database.options().statementTimeout().toMillis(), TimeUnit.MILLISECONDS)
                .onSuccess(made -> {
                  if (opened.equals(connection)) {
                    statements.put(parts, new Prepared(made));
                  }
                }))
        .onFailure(_ -> disconnect());
  }

  private Future<PgConnection> connected() {
    var open = connection;
    if (open != null) {
      return Future.succeededFuture(open);
    }
    return database
        .connection(CommitStatement.PLANNER)
        .onSuccess(opened -> {
          connection = opened;
          opened.closeHandler(_ -> context.runOnContext(_ -> forget(opened)));
        });
  }

  private void forget(PgConnection gone) {
    if (gone.equals(connection)) {
      connection = null;
      statements.clear();
    }
  }

  private void disconnect() {
    var old = connection;
    connection = null;
    statements.clear();
    if (old != null) {
      old.close();
    }
  }

  /** Lets what is queued finish, then closes the connection. */
  public Future<Void> close() {
    if (flying || !queue.isEmpty()) {
      return vertx.timer(5, TimeUnit.MILLISECONDS).compose(_ -> close());
    }
    closed = true;
    disconnect();
    return Future.succeededFuture();
  }

  /** A transition that cannot be written at all. */
  private static final class Unwritable extends RuntimeException {
    Unwritable(Throwable cause) {
      super(cause.getMessage(), cause);
    }
  }
}
