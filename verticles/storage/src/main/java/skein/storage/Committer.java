package skein.storage;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.pgclient.PgException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntSupplier;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import skein.codecs.EncodedInstance;
import skein.codecs.Format;
import skein.codecs.InstanceCodec;
import skein.loop.EventLoop;
import skein.loop.VertxEventLoop;
import skein.metrics.DatabaseMetrics;
import skein.model.InstanceId;
import skein.model.InstanceRefusals;
import skein.model.SkeinException;
import skein.storage.Proposal.Outcome;
import skein.storage.Sequence.Pending;
import skein.storage.Sequence.Sent;

/**
 * Commits proposals over connections of its own: whatever is ready goes in one statement, and the
 * next batch gathers while the last one flies. No delay is added to make batches larger. When
 * enough has gathered, the next one sets out before the last has landed.
 *
 * <p>Several proposals of one instance may be under way, each decided on the state that the one
 * before makes. Those that wait are sent together as one {@link Chain}, and a chain that was sent
 * stays that chain: it is repeated as it is until the database has said what became of it, and
 * nothing that was built on it is sent before. If it is not committed, all that was built on it is
 * abandoned at once.
 *
 * <p>Confined to one event loop.
 */
public final class Committer {
  private static final Logger log = LoggerFactory.getLogger(Committer.class);
  private static final Duration CLOSE_LOOK = Duration.ofMillis(5);

  private final EventLoop loop;
  private final List<? extends CommitTarget> targets;
  private final CommitOptions options;
  private final Duration statementTimeout;
  private final IntSupplier format;
  private final DatabaseMetrics metrics;
  private final ArrayDeque<CommitTarget> idle;
  private final Map<InstanceId, Sequence> sequences = new HashMap<>();

  /** Those with something to send and nothing under way, in the order in which they may. */
  private final ArrayDeque<Sequence> ready = new ArrayDeque<>();

  /** All that was not sent yet, the oldest first. */
  private final LinkedHashSet<Pending> unsent = new LinkedHashSet<>();

  /** Answers of the present turn: they are given when everything here is in order. */
  private final ArrayDeque<Runnable> answers = new ArrayDeque<>();

  private boolean answering;
  private boolean closed;

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
    this.statementTimeout = statementTimeout;
    this.format = format;
    this.metrics = metrics;
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
   * STORAGE_UNAVAILABLE} (nothing written) or {@code OUTCOME_UNKNOWN} (nobody can say yet).
   */
  public Future<Outcome> commit(Proposal proposal) {
    loop.check();
    return commit(proposal, _ -> {});
  }

  /**
   * As {@link #commit(Proposal)}.
   *
   * @param committed told right before the outcome, if it is committed, about what the state takes
   *     in memory; where others followed it in the same statement, what the last of them does
   */
  public Future<Outcome> commit(Proposal proposal, LongConsumer committed) {
    loop.check();
    if (unsent.size() >= options.queueMax()) {
      return Future.failedFuture(SkeinException.overloaded("The commit queue", options.queueMax()));
    }
    var sequence = sequences.computeIfAbsent(proposal.id(), Sequence::new);
    var newest = sequence.newest();
    if (newest != null && !proposal.follows(newest)) {
      return Future.succeededFuture(Outcome.ABANDONED);
    }
    boolean isReady = sequence.isEmpty();
    var pending = new Pending(proposal, committed, loop.nanoTime());
    sequence.waiting.add(pending);
    unsent.add(pending);
    metrics.waitingCommits().increment();
    if (isReady) {
      ready.add(sequence);
    }
    fly();
    giveAnswers();
    return pending.promise.future();
  }

  /** How long the oldest proposal has waited for its statement to be sent; 0: none waits. */
  public Duration behind() {
    loop.check();
    long now = loop.nanoTime();
    long oldest = unsent.isEmpty() ? now : unsent.getFirst().queuedAt;
    var first = ready.peek();
    if (first != null && first.sent != null) {
      oldest = Math.min(oldest, first.sent.queuedAt());
    }
    return Duration.ofNanos(now - oldest);
  }

  private void fly() {
    while (mayFly()) {
      var batch = takeBatch();
      if (batch.isEmpty()) {
        return;
      }
      var target = idle.pop();
      long since = loop.nanoTime();
      send(target, batch)
          .onComplete(_ -> {
            metrics.commits().since(since);
            idle.push(target);
            fly();
            giveAnswers();
          });
    }
  }

  private boolean mayFly() {
    if (idle.isEmpty()) {
      return false;
    }
    int needed = idle.size() == targets.size() ? 1 : options.batches().overlapMin();
    int found = 0;
    for (var sequence : ready) {
      found += sequence.sendable();
      if (found >= needed) {
        return true;
      }
    }
    return false;
  }

  /** Sorted by instance, so that two nodes that commit the same instances do not deadlock. */
  private List<Sequence> takeBatch() {
    var batch = new ArrayList<Sequence>();
    var bounds = nextBounds();
    int count = 0;
    long bytes = 0;
    while (count < bounds.max() && bytes < bounds.bytesMax() && !ready.isEmpty()) {
      var sequence = ready.poll();
      if (sequence.sent == null) {
        sequence.sent = take(sequence, bounds.max() - count, bounds.bytesMax() - bytes);
      }
      if (sequence.sent == null) {
        forgetIfEmpty(sequence);
      } else {
        count += sequence.sent.members.size();
        bytes += sequence.sent.bytes;
        batch.add(sequence);
      }
    }
    metrics.took(count);
    batch.sort(Comparator.comparing(sequence -> sequence.id.value()));
    return batch;
  }

  /** What goes again comes first. */
  private CommitOptions.Batches nextBounds() {
    var first = ready.peek();
    var again = first == null ? null : first.sent;
    return again == null ? options.batches() : options.batches().halved(again.unanswered);
  }

  /**
   * The first of those that wait, as far as they can be written together: one at least, others
   * until they take so many bytes; null: none can.
   */
  private @Nullable Sent take(Sequence sequence, int max, long bytesMax) {
    var members = new ArrayList<Pending>();
    var proposals = new ArrayList<Proposal>();
    long bytes = 0;
    while (members.size() < max && bytes < bytesMax && !sequence.waiting.isEmpty()) {
      var next = sequence.waiting.getFirst();
      if (!proposals.isEmpty() && !Chain.mayFollow(proposals, next.proposal)) {
        break;
      }
      members.add(sequence.waiting.poll());
      proposals.add(next.proposal);
      bytes += ProposalSize.of(next.proposal, bytesMax);
      unsent.remove(next);
    }
    while (!members.isEmpty()) {
      try {
        var state = encoded(proposals.getLast());
        var chain = new Chain(proposals, Buffer.buffer(state.bytes()));
        bytes += state.bytes().length;
        return new Sent(List.copyOf(members), chain, state.heapBytes(), bytes);
      } catch (RuntimeException e) { // Also what no codec can write: others must not wait for it.
        logRefused(sequence, e);
        metrics.waitingCommits().decrement();
        fail(members.removeLast(), e);
        proposals.removeLast();
        abandonWaiting(sequence);
      }
    }
    return null;
  }

  /** What is refused for what a workflow did is said there. */
  private static void logRefused(Sequence sequence, Throwable e) {
    if (!(e instanceof SkeinException)) {
      log.atError().addKeyValue("instanceId", sequence.id).setCause(e).log("commit.refused");
    }
  }

  private EncodedInstance encoded(Proposal proposal) {
    var next = proposal.transition().next();
    return InstanceCodec.measured(next, format.getAsInt(), options.stateBytesMax());
  }

  /**
   * Succeeds always, when the target is free again: what went wrong is told to those it concerns.
   */
  private Future<Void> send(CommitTarget target, List<Sequence> batch) {
    var chains = new ArrayList<Chain>(batch.size());
    for (var sequence : batch) {
      var sent = sent(sequence);
      sent.attempts++;
      chains.add(sent.chain);
    }
    long since = loop.nanoTime();
    return loop.bring(target.write(chains))
        .transform(result -> {
          if (result.succeeded()) {
            settle(target, batch, result.result());
            return Future.succeededFuture();
          }
          return failed(target, batch, result.cause(), loop.nanoTime() - since);
        });
  }

  private static Sent sent(Sequence sequence) {
    var sent = sequence.sent;
    if (sent == null) {
      throw new IllegalStateException("Nothing of " + sequence.id + " is under way");
    }
    return sent;
  }

  private void settle(CommitTarget target, List<Sequence> batch, Set<String> won) {
    for (var sequence : batch) {
      if (won.contains(sequence.id.value())) {
        committed(sequence);
      } else if (sent(sequence).uncertain) {
        askForFate(target, sequence);
      } else {
        lost(sequence);
      }
    }
    giveAnswers();
  }

  /** A repeated chain that lost may have lost to itself. Until the answer nothing of it is sent. */
  private void askForFate(CommitTarget target, Sequence sequence) {
    long since = loop.nanoTime();
    loop.bring(target.fateOf(sent(sequence).chain))
        .onComplete(result -> {
          if (result.failed()) {
            repeat(List.of(sequence), result.cause(), loop.nanoTime() - since);
          } else {
            switch (result.result()) {
              case COMMITTED -> committed(sequence);
              case LOST -> lost(sequence);
              case OPEN -> sendAgain(List.of(sequence), stillOpen());
            }
          }
          fly();
          giveAnswers();
        });
  }

  private static Throwable stillOpen() {
    return new IllegalStateException("An earlier attempt may still be committed");
  }

  private void committed(Sequence sequence) {
    var sent = sent(sequence);
    for (var pending : sent.members) {
      answers.add(() -> {
        pending.committed.accept(sent.heapBytes);
        pending.promise.complete(Outcome.COMMITTED);
      });
    }
    sequence.sent = null;
    goOn(sequence);
  }

  /** Of several nobody knows which of them lost: each must be decided anew. */
  private void lost(Sequence sequence) {
    var members = sent(sequence).members;
    var outcome = members.size() == 1 ? Outcome.LOST : Outcome.ABANDONED;
    members.forEach(pending -> answer(pending, outcome));
    end(sequence);
  }

  private void failAll(Sequence sequence, Throwable error) {
    sent(sequence).members.forEach(pending -> fail(pending, error));
    end(sequence);
  }

  /**
   * What was sent is not committed, as far as anybody knows, so nothing that was built on it can
   * be.
   */
  private void end(Sequence sequence) {
    sequence.sent = null;
    abandonWaiting(sequence);
    forgetIfEmpty(sequence);
  }

  private void goOn(Sequence sequence) {
    if (!sequence.waiting.isEmpty()) {
      ready.add(sequence);
    }
    forgetIfEmpty(sequence);
  }

  private void forgetIfEmpty(Sequence sequence) {
    if (sequence.isEmpty()) {
      sequences.remove(sequence.id, sequence);
    }
  }

  private void abandonWaiting(Sequence sequence) {
    metrics.waitingCommits().add(-sequence.waiting.size());
    for (var pending : sequence.waiting) {
      unsent.remove(pending);
      answer(pending, Outcome.ABANDONED);
    }
    sequence.waiting.clear();
  }

  /**
   * One bad proposal must not fail its neighbours: an error of the data splits the batch, an error
   * of the infrastructure repeats it.
   */
  private Future<Void> failed(
      CommitTarget target, List<Sequence> batch, Throwable error, long tookNanos) {
    boolean data =
        error instanceof UnwritableException
            || (error instanceof PgException sql && !DatabaseErrors.isInfrastructure(sql));
    if (!data) {
      if (error instanceof CommitSession.Unanswered) {
        batch.forEach(sequence -> sent(sequence).notAnswered());
      }
      return repeat(batch, error, tookNanos);
    }
    if (batch.size() > 1) {
      int middle = batch.size() / 2;
      return send(target, batch.subList(0, middle))
          .compose(_ -> send(target, batch.subList(middle, batch.size())));
    }
    refused(target, batch.getFirst(), error);
    giveAnswers();
    return Future.succeededFuture();
  }

  /** An earlier attempt that had no answer did not fail for its data: it may be committed. */
  private void refused(CommitTarget target, Sequence sequence, Throwable error) {
    var sent = sent(sequence);
    if (sent.uncertain) {
      askForFate(target, sequence);
    } else if (sent.members.size() > 1) {
      lost(sequence);
    } else {
      var explained = DatabaseErrors.explain("commit " + sequence.id, error);
      logRefused(sequence, explained);
      failAll(sequence, explained);
    }
  }

  /**
   * Has what may be tried again sent again, after a while. The repeat carries the same ids, so it
   * is harmless if an earlier attempt was committed after all.
   */
  private Future<Void> repeat(List<Sequence> batch, Throwable error, long tookNanos) {
    var inTime = new ArrayList<Sequence>();
    boolean silent = !(error instanceof PgException);
    if (silent) {
      refuseStale(error, tookNanos);
    }
    for (var sequence : batch) {
      var sent = sent(sequence);
      if (silent && !sent.uncertain && isStale(sent.queuedAt(), tookNanos)) {
        failAll(sequence, giveUp(sequence.id, false, error));
      } else {
        inTime.add(sequence);
      }
    }
    return sendAgain(inTime, error);
  }

  private Future<Void> sendAgain(List<Sequence> batch, Throwable error) {
    var again = new ArrayList<Sequence>();
    for (var sequence : batch) {
      var sent = sent(sequence);
      if (closed || sent.attempts >= options.retries().attemptsMax()) {
        failAll(sequence, giveUp(sequence.id, sent.uncertain, error));
      } else {
        again.add(sequence);
      }
    }
    giveAnswers();
    if (again.isEmpty()) {
      return Future.succeededFuture();
    }
    int attempt = sent(again.getFirst()).attempts;
    int count = again.stream().mapToInt(Sequence::sendable).sum();
    metrics.repeatedCommits().increment();
    metrics.waitingCommits().add(count);
    log.atWarn()
        .addKeyValue("transitions", count)
        .addKeyValue("attempt", attempt)
        .addKeyValue("cause", error.toString())
        .log("commit.repeated");
    return loop.after(Duration.ofMillis(options.retries().delayMillis() * attempt))
        .onComplete(_ -> {
          again.reversed().forEach(ready::addFirst);
          fly();
        });
  }

  /** A database that says nothing is not waited for by what has not been sent to it. */
  private void refuseStale(Throwable error, long tookNanos) {
    while (!unsent.isEmpty() && isStale(unsent.getFirst().queuedAt, tookNanos)) {
      var pending = unsent.removeFirst();
      var sequence = sequences.get(pending.proposal.id());
      if (sequence != null && sequence.waiting.remove(pending)) {
        metrics.waitingCommits().decrement();
        fail(pending, giveUp(sequence.id, false, error));
        abandonWaiting(sequence);
        if (sequence.sent == null) {
          ready.remove(sequence);
          forgetIfEmpty(sequence);
        }
      }
    }
  }

  /** Never sent, and too old by the time another attempt will have taken as long. */
  private boolean isStale(long queuedAt, long tookNanos) {
    return loop.nanoTime() - queuedAt + tookNanos > statementTimeout.toNanos();
  }

  private static SkeinException giveUp(InstanceId id, boolean uncertain, Throwable error) {
    return uncertain
        ? InstanceRefusals.outcomeUnknown(id, error)
        : SkeinException.storageUnavailable("commit of instance " + id, error);
  }

  private void answer(Pending pending, Outcome outcome) {
    answers.add(() -> pending.promise.complete(outcome));
  }

  private void fail(Pending pending, Throwable error) {
    answers.add(() -> pending.promise.fail(error));
  }

  /** Whoever is answered may commit something else at once, and finds everything in order. */
  private void giveAnswers() {
    if (answering) {
      return;
    }
    answering = true;
    try {
      for (var next = answers.poll(); next != null; next = answers.poll()) {
        next.run();
      }
    } finally {
      answering = false;
    }
  }

  /** Lets what is queued finish, then closes the connections. */
  public Future<Void> close() {
    loop.check();
    if (idle.size() < targets.size() || !sequences.isEmpty()) {
      return loop.after(CLOSE_LOOK).compose(_ -> close());
    }
    closed = true;
    targets.forEach(CommitTarget::close);
    return Future.succeededFuture();
  }
}
