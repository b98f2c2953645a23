package skein.storage;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import skein.codecs.EncodedInstance;
import skein.codecs.Format;
import skein.loop.EventLoop;
import skein.loop.VertxEventLoop;
import skein.metrics.DatabaseMetrics;
import skein.model.SkeinException;
import skein.storage.CommitResults.Next;
import skein.storage.Proposal.Outcome;

/**
 * Commits proposals over connections of its own: whatever is ready goes in one statement, and the
 * next batch gathers while the last one flies. No delay is added to make batches larger: one takes
 * what tasks that are on the loop already propose. When enough has gathered, the next one sets out
 * before the last has landed, and while there is enough for all connections none of them takes more
 * than its share.
 *
 * <p>Several proposals of one instance may be under way, each decided on the state that the one
 * before makes. Those that wait are sent together as one {@link Chain}, and a chain that was sent
 * stays that chain: it is repeated as it is until the database has reported its outcome, and
 * nothing that was built on it is sent before. If it is not committed, all that was built on it is
 * abandoned at once.
 *
 * <p>Here statements are sent, and timed. {@link CommitQueue} decides what goes into each of them,
 * {@link CommitResults} what their end means; {@link CommitStatement} is what is sent.
 *
 * <p>Confined to one event loop.
 */
public final class Committer {
  private static final Logger log = LoggerFactory.getLogger(Committer.class);
  private static final Future<Void> DONE = Future.succeededFuture();
  private static final Duration CLOSE_LOOK = Duration.ofMillis(5);

  private final EventLoop loop;
  private final List<? extends CommitTarget> targets;
  private final CommitOptions options;
  private final DatabaseMetrics metrics;
  private final CommitAnswers answers = new CommitAnswers();
  private final CommitQueue queue;
  private final CommitResults results;
  private final ArrayDeque<CommitTarget> idle;
  private boolean goesOnSoon;

  /** To be made on the event loop it is confined to. */
  public Committer(
      Vertx vertx, Context context, Database database, CommitOptions options, String node) {
    this(vertx, context, database, options, node, Format::newest);
  }

  /** {@code format}: in which states are written now. */
  public Committer(
      Vertx vertx,
      Context context,
      Database database,
      CommitOptions options,
      String node,
      IntSupplier format) {
    this(
        new VertxEventLoop(vertx, context),
        IntStream.range(0, options.batches().flightsMax())
            .mapToObj(_ ->
                new CommitSession(context, database, node, options.batches().statementUsesMax()))
            .toList(),
        options,
        database.options().timeouts().statement(),
        format,
        database.metrics());
  }

  /**
   * @param targets one for each statement that may be under way
   * @param statementTimeout after which a database that says nothing is not waited for by what was
   *     not sent to it
   */
  Committer(
      EventLoop loop,
      List<? extends CommitTarget> targets,
      CommitOptions options,
      Duration statementTimeout,
      IntSupplier format,
      DatabaseMetrics metrics) {
    this.loop = loop;
    this.targets = List.copyOf(targets);
    this.options = options;
    this.metrics = metrics;
    this.queue = new CommitQueue(options, format, answers, metrics);
    this.results =
        new CommitResults(queue, answers, options.retries().attemptsMax(), statementTimeout);
    this.idle = new ArrayDeque<>(targets);
  }

  /**
   * Connects, so that the first commits need not wait for it. Never fails: a commit that finds no
   * connection makes it.
   */
  public Future<Void> open() {
    loop.check();
    return Future.join(targets.stream().map(CommitTarget::open).toList())
        .<Void>mapEmpty()
        .otherwiseEmpty();
  }

  /**
   * Commits once. Fails with {@code OVERLOADED}, {@code STATE_TOO_LARGE}, {@code TOO_DEEP}, {@code
   * STORAGE_UNAVAILABLE} (nothing written) or {@code OUTCOME_UNKNOWN} (not known yet).
   */
  public Future<Outcome> commit(Proposal proposal) {
    loop.check();
    return commit(proposal, _ -> {});
  }

  /**
   * As {@link #commit(Proposal)}.
   *
   * @param committed called right before the outcome, if it is committed, with the state that was
   *     written; not where another one followed it in the same statement, whose state was
   */
  public Future<Outcome> commit(Proposal proposal, Consumer<EncodedInstance> committed) {
    loop.check();
    if (queue.isFull()) {
      return Future.failedFuture(SkeinException.overloaded("The commit queue", options.queueMax()));
    }
    var pending = queue.add(proposal, committed, loop.nanoTime());
    if (pending == null) {
      return Future.succeededFuture(Outcome.ABANDONED);
    }
    goOnSoon();
    return pending.promise.future();
  }

  /** How long the oldest proposal has waited for its statement to be sent; 0: none waits. */
  public Duration behind() {
    loop.check();
    return Duration.ofNanos(queue.behind(loop.nanoTime()));
  }

  /** With all that is proposed by tasks that are on the loop already. */
  private void goOnSoon() {
    if (!goesOnSoon) {
      goesOnSoon = true;
      loop.execute(() -> {
        goesOnSoon = false;
        goOn();
      });
    }
  }

  /**
   * Sends what may be sent now, then gives answers: the database does not wait for what proposers
   * do with them.
   */
  private void goOn() {
    fly();
    answers.give();
  }

  private void fly() {
    while (mayFly()) {
      var batch = queue.takeBatch();
      if (batch.isEmpty()) {
        return;
      }
      var target = idle.pop();
      long since = loop.nanoTime();
      send(target, batch)
          .onComplete(_ -> {
            metrics.commits().since(since);
            idle.push(target);
            goOn();
          });
    }
  }

  private boolean mayFly() {
    boolean isAlone = idle.size() == targets.size();
    return !idle.isEmpty() && queue.has(isAlone ? 1 : options.batches().overlapMin());
  }

  /** Succeeds always, when the target is free again: failures go to their proposers. */
  private Future<Void> send(CommitTarget target, List<Sequence> batch) {
    var chains = new ArrayList<Chain>(batch.size());
    for (var sequence : batch) {
      var sent = sequence.underWay();
      sent.attempts++;
      chains.add(sent.chain);
    }
    long since = loop.nanoTime();
    return loop.bring(target.write(chains))
        .transform(result -> {
          var next =
              result.succeeded()
                  ? results.executed(batch, result.result())
                  : results.failed(batch, result.cause(), since, loop.nanoTime());
          return act(target, batch, next);
        });
  }

  private Future<Void> act(CommitTarget target, List<Sequence> batch, Next next) {
    return switch (next) {
      case Next.Nothing _ -> DONE;
      case Next.AskForFate ask -> {
        ask.doubtful().forEach(sequence -> askForFate(target, sequence));
        yield DONE;
      }
      case Next.SendHalves _ -> {
        int middle = batch.size() / 2;
        yield send(target, batch.subList(0, middle))
            .compose(_ -> {
              goOn();
              return send(target, batch.subList(middle, batch.size()));
            });
      }
      case Next.SendAgain again -> sendAgain(again);
    };
  }

  private void askForFate(CommitTarget target, Sequence sequence) {
    long since = loop.nanoTime();
    loop.bring(target.fateOf(sequence.underWay().chain))
        .onComplete(result -> {
          var next =
              result.succeeded()
                  ? results.fateKnown(sequence, result.result())
                  : results.fateUnknown(sequence, result.cause(), since, loop.nanoTime());
          if (next instanceof Next.SendAgain again) {
            sendAgain(again);
          }
          goOn();
        });
  }

  private Future<Void> sendAgain(Next.SendAgain again) {
    goOn();
    var chains = again.chains();
    if (chains.isEmpty()) {
      return Future.succeededFuture();
    }
    int attempt = chains.getFirst().underWay().attempts;
    int count = chains.stream().mapToInt(Sequence::sendable).sum();
    metrics.repeatedCommits().increment();
    metrics.waitingCommits().add(count);
    log.atWarn()
        .addKeyValue("transitions", count)
        .addKeyValue("attempt", attempt)
        .addKeyValue("cause", again.error().toString())
        .log("commit.repeated");
    return loop.after(Duration.ofMillis(options.retries().delayMillis() * attempt))
        .onComplete(_ -> {
          queue.addFirst(chains);
          goOn();
        });
  }

  /** Lets what is queued finish, then closes the connections. */
  public Future<Void> close() {
    loop.check();
    if (idle.size() < targets.size() || !queue.isEmpty()) {
      return loop.after(CLOSE_LOOK).compose(_ -> close());
    }
    results.close();
    targets.forEach(CommitTarget::close);
    return Future.succeededFuture();
  }
}
