package skein.storage;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import skein.codecs.Format;
import skein.codecs.InstanceCodec;
import skein.model.InstanceId;
import skein.model.SkeinException;
import skein.model.Transition;

/**
 * Commits transitions over connections of its own: whatever is ready goes in one statement, and the
 * next batch gathers while the last one flies. No delay is added to make batches larger. When
 * enough has gathered, the next one sets out before the last has landed.
 *
 * <p>Several transitions of one instance may be under way, given in the order of their revisions:
 * each was decided as if those before it were committed. What waits of them is written as one; a
 * transition whose predecessor was not committed is a conflict.
 *
 * <p>Belongs to one event-loop context; every method is called there and answers there.
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
   * @param flightsMax statements under way at one time, each on a connection of its own
   * @param overlapMin transitions that must have gathered for one more while there is one under way
   * @param statementUsesMax executions of a prepared statement before it is prepared and planned
   *     anew
   * @param queueMax transitions that may wait; more are refused with {@code OVERLOADED}
   * @param attemptsMax how often a transition is tried when the database does not answer
   * @param retryDelayMillis between two attempts, times their number
   * @param stateBytesMax of one instance; a larger one is refused with {@code STATE_TOO_LARGE}
   */
  public record Options(
      int batchMax,
      int flightsMax,
      int overlapMin,
      int statementUsesMax,
      int queueMax,
      int attemptsMax,
      long retryDelayMillis,
      int stateBytesMax) {}

  private static final class Pending {
    final Transition transition;
    final Promise<Outcome> promise = Promise.promise();
    final long queuedAt = System.nanoTime();
    int attempts;

    /** An earlier attempt may have landed, or may still land. */
    boolean uncertain;

    Pending(Transition transition) {
      this.transition = transition;
    }

    InstanceId id() {
      return transition.next().id();
    }
  }

  /** What is written as one {@link Chain}; the state is that of the last. */
  private record Row(List<Pending> pendings, Chain chain) {}

  private final Vertx vertx;
  private final Database database;
  private final Options options;
  private final IntSupplier format;
  private final String node;
  private final List<CommitSession> sessions;
  private final ArrayDeque<CommitSession> idle;
  private final ArrayDeque<Pending> queue = new ArrayDeque<>();

  /** Instances with a transition under way: what follows it sets out when it has landed. */
  private final Set<InstanceId> flying = new HashSet<>();

  private boolean closed;

  /** To be made on the context it belongs to. */
  public Committer(Vertx vertx, Context context, Database database, Options options, String node) {
    this(vertx, context, database, options, node, Format::newest);
  }

  /** {@code format}: in which states are written now. */
  public Committer(
      Vertx vertx,
      Context context,
      Database database,
      Options options,
      String node,
      IntSupplier format) {
    this.format = format;
    this.vertx = vertx;
    this.database = database;
    this.options = options;
    this.node = node;
    this.sessions =
        IntStream.range(0, options.flightsMax())
            .mapToObj(_ -> new CommitSession(context, database, node, options.statementUsesMax()))
            .toList();
    this.idle = new ArrayDeque<>(sessions);
  }

  /**
   * Connects, so that the first commits need not wait for it; on the context it belongs to. Never
   * fails: a commit that finds no connection makes it.
   */
  public Future<Void> open() {
    return Future.join(sessions.stream().map(CommitSession::open).toList())
        .<Void>mapEmpty()
        .otherwiseEmpty();
  }

  /**
   * Commits once. Fails with {@code OVERLOADED}, {@code STATE_TOO_LARGE}, {@code TOO_DEEP}, {@code
   * STORAGE_UNAVAILABLE} (nothing written) or {@code OUTCOME_UNKNOWN} (nobody can say yet).
   */
  public Future<Outcome> commit(Transition transition) {
    if (queue.size() >= options.queueMax()) {
      return Future.failedFuture(
          SkeinException.overloaded("The commit queue of node " + node, options.queueMax()));
    }
    var pending = new Pending(transition);
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
    while (mayFly()) {
      var batch = takeBatch();
      if (batch.isEmpty()) {
        return;
      }
      var session = idle.pop();
      long since = System.nanoTime();
      flying.addAll(batch.keySet());
      send(session, rows(batch.values()))
          .onComplete(_ -> {
            flying.removeAll(batch.keySet());
            database.figures().commits().since(since);
            idle.push(session);
            fly();
          });
    }
  }

  private boolean mayFly() {
    int needed = idle.size() == sessions.size() ? 1 : options.overlapMin();
    return !idle.isEmpty() && queue.size() >= needed;
  }

  /** Sorted by instance; what cannot be written with what is before it stays in the queue. */
  private Map<InstanceId, List<Pending>> takeBatch() {
    var taken = new TreeMap<InstanceId, List<Pending>>(Comparator.comparing(InstanceId::value));
    var left = new ArrayDeque<Pending>();
    Set<InstanceId> full = new HashSet<>(flying);
    int count = 0;
    while (count < options.batchMax() && !queue.isEmpty()) {
      var pending = queue.poll();
      var before = taken.get(pending.id());
      if (full.contains(pending.id())) {
        left.push(pending);
      } else if (before == null) {
        taken.put(pending.id(), new ArrayList<>(List.of(pending)));
        count++;
      } else if (Chain.mayFollow(transitions(before), pending.transition)) {
        before.add(pending);
        count++;
      } else {
        full.add(pending.id());
        left.push(pending);
      }
    }
    left.forEach(queue::addFirst);
    database.figures().took(count);
    return taken;
  }

  private static List<Transition> transitions(List<Pending> pendings) {
    return pendings.stream().map(p -> p.transition).toList();
  }

  private List<Row> rows(Collection<List<Pending>> batch) {
    var rows = new ArrayList<Row>(batch.size());
    for (var pendings : batch) {
      var row = row(pendings);
      if (row != null) {
        rows.add(row);
      }
    }
    return rows;
  }

  /** Without the last ones, as long as their state cannot be stored; null when none is left. */
  private @Nullable Row row(List<Pending> pendings) {
    for (int size = pendings.size(); size > 0; size--) {
      var last = pendings.get(size - 1);
      try {
        var those = pendings.subList(0, size);
        return new Row(those, new Chain(transitions(those), encoded(last.transition)));
      } catch (SkeinException e) {
        last.promise.fail(e);
      }
    }
    return null;
  }

  private Buffer encoded(Transition transition) {
    var state = InstanceCodec.encode(transition.next(), format.getAsInt());
    if (state.length > options.stateBytesMax()) {
      throw SkeinException.stateTooLarge(
          transition.next().id(), state.length, options.stateBytesMax());
    }
    return Buffer.buffer(state);
  }

  /** Succeeds always: what went wrong is told to those it concerns. */
  private Future<Void> send(CommitSession session, List<Row> batch) {
    if (batch.isEmpty()) {
      return Future.succeededFuture();
    }
    batch.forEach(row -> row.pendings.forEach(p -> p.attempts++));
    long since = System.nanoTime();
    return session
        .write(batch.stream().map(Row::chain).toList())
        .transform(result ->
            result.succeeded()
                ? settle(session, batch, result.result())
                : failed(session, batch, result.cause(), System.nanoTime() - since));
  }

  private Future<Void> settle(CommitSession session, List<Row> batch, Set<String> won) {
    var doubtful = new ArrayList<Future<Void>>();
    var lost = new ArrayList<Row>();
    for (var row : batch) {
      if (won.contains(row.chain.id().value())) {
        row.pendings.forEach(p -> p.promise.complete(Outcome.COMMITTED));
      } else if (row.pendings.size() > 1) {
        lost.add(row);
      } else if (row.pendings.getFirst().uncertain) {
        doubtful.add(askWhatBecameOf(row.pendings.getFirst()));
      } else {
        row.pendings.getFirst().promise.complete(Outcome.CONFLICT);
      }
    }
    return doubtful.isEmpty() && lost.isEmpty()
        ? Future.succeededFuture()
        : Future.join(doubtful).compose(_ -> oneByOne(session, lost));
  }

  /** Of several transitions in one row nobody knows which of them lost. */
  private Future<Void> oneByOne(CommitSession session, List<Row> rows) {
    var all = Future.<Void>succeededFuture();
    for (var row : rows) {
      for (var pending : row.pendings) {
        all = all.compose(_ -> send(session, rows(List.of(List.of(pending)))));
      }
    }
    return all;
  }

  /** A repeated transition that lost may have lost to itself: the journal knows. */
  private Future<Void> askWhatBecameOf(Pending pending) {
    long since = System.nanoTime();
    return hasLanded(database, pending.transition)
        .transform(landed -> {
          if (landed.failed()) {
            return repeat(List.of(pending), landed.cause(), System.nanoTime() - since);
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
   * error of the infrastructure repeats it.
   */
  private Future<Void> failed(
      CommitSession session, List<Row> batch, Throwable error, long tookNanos) {
    boolean data =
        error instanceof CommitSession.Unwritable
            || (error instanceof PgException sql && !Database.isInfrastructure(sql));
    if (!data) {
      var pendings = batch.stream().flatMap(row -> row.pendings.stream()).toList();
      if (error instanceof CommitSession.Unanswered) {
        pendings.forEach(p -> p.uncertain = true);
      }
      return repeat(pendings, error, tookNanos);
    }
    if (batch.size() > 1) {
      int middle = batch.size() / 2;
      return send(session, batch.subList(0, middle))
          .compose(_ -> send(session, batch.subList(middle, batch.size())));
    }
    if (batch.getFirst().pendings.size() > 1) {
      return oneByOne(session, batch);
    }
    var refused = batch.getFirst().pendings.getFirst();
    log.atError().addKeyValue("instanceId", refused.id()).setCause(error).log("commit.refused");
    refused.promise.fail(Database.explain("commit " + refused.id(), error));
    return Future.succeededFuture();
  }

  /**
   * Puts what may be tried again back to where it was, and waits for a while. The repeat carries
   * the same commit id, so it is harmless if the first attempt landed after all.
   */
  private Future<Void> repeat(List<Pending> pendings, Throwable error, long tookNanos) {
    boolean silent = !(error instanceof PgException);
    if (silent) {
      refuseStale(error, tookNanos);
    }
    var again = new ArrayDeque<Pending>();
    for (var pending : pendings) {
      if (closed
          || pending.attempts >= options.attemptsMax()
          || (silent && isStale(pending, tookNanos))) {
        pending.promise.fail(giveUp(pending, error));
      } else {
        again.push(pending);
      }
    }
    if (again.isEmpty()) {
      return Future.succeededFuture();
    }
    int attempt = again.peek().attempts;
    database.figures().repeatedCommits().increment();
    database.figures().waitingCommits().add(again.size());
    log.atWarn()
        .addKeyValue("transitions", again.size())
        .addKeyValue("attempt", attempt)
        .addKeyValue("cause", error.toString())
        .log("commit.repeated");
    again.forEach(queue::addFirst);
    return vertx.timer(options.retryDelayMillis() * attempt, TimeUnit.MILLISECONDS).mapEmpty();
  }

  /**
   * A database that says nothing is not waited for by what has not been sent to it. Whoever is told
   * may commit something else at once, so the queue is in order before anybody is.
   */
  private void refuseStale(Throwable error, long tookNanos) {
    var stale = queue.stream().filter(pending -> isStale(pending, tookNanos)).toList();
    queue.removeAll(Set.copyOf(stale));
    database.figures().waitingCommits().add(-stale.size());
    stale.forEach(pending -> pending.promise.fail(giveUp(pending, error)));
  }

  /** Never sent, and too old by the time another attempt will have taken as long. */
  private boolean isStale(Pending pending, long tookNanos) {
    long waited = System.nanoTime() - pending.queuedAt;
    return !pending.uncertain
        && waited + tookNanos > database.options().statementTimeout().toNanos();
  }

  private static SkeinException giveUp(Pending pending, Throwable error) {
    if (!pending.uncertain) {
      return SkeinException.storageUnavailable("commit of instance " + pending.id(), error);
    }
    return SkeinException.outcomeUnknown(pending.id(), error);
  }

  /** Lets what is queued finish, then closes the connections. */
  public Future<Void> close() {
    if (idle.size() < sessions.size() || !queue.isEmpty()) {
      return vertx.timer(5, TimeUnit.MILLISECONDS).compose(_ -> close());
    }
    closed = true;
    sessions.forEach(CommitSession::close);
    return Future.succeededFuture();
  }
}
