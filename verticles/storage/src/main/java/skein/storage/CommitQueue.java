package skein.storage;

import io.vertx.core.buffer.Buffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;
import skein.codecs.EncodedInstance;
import skein.codecs.InstanceCodec;
import skein.metrics.DatabaseMetrics;
import skein.model.InstanceId;
import skein.storage.Proposal.Outcome;
import skein.storage.Sequence.Pending;
import skein.storage.Sequence.Sent;

/**
 * The proposals that are not committed yet, by instance, and the content of the next statement.
 * Waiting ones of one instance are taken together, as one {@link Chain}. While a chain is under
 * way, and until its outcome is known, nothing else of its instance is taken.
 *
 * <p>No I/O and no clock: moments are passed, in nanoseconds of one clock. Called on the event loop
 * of its {@link Committer}.
 */
final class CommitQueue {
  private final CommitOptions options;
  private final IntSupplier format;
  private final CommitAnswers answers;
  private final DatabaseMetrics metrics;
  private final Map<InstanceId, Sequence> sequences = new HashMap<>();

  /** Those with something to send and nothing under way, in the order in which they may. */
  private final ArrayDeque<Sequence> ready = new ArrayDeque<>();

  /** All that was not sent yet, the oldest first. */
  private final LinkedHashSet<Pending> unsent = new LinkedHashSet<>();

  /** Proposals of the chains that are under way. */
  private int underWay;

  /**
   * @param format in which states are written now
   * @param answers get the outcome of proposals that are not sent
   */
  CommitQueue(
      CommitOptions options, IntSupplier format, CommitAnswers answers, DatabaseMetrics metrics) {
    this.options = options;
    this.format = format;
    this.answers = answers;
    this.metrics = metrics;
  }

  /** As many wait as may. */
  boolean isFull() {
    return unsent.size() >= options.queueMax();
  }

  /** Nothing waits, and nothing is under way. */
  boolean isEmpty() {
    return sequences.isEmpty();
  }

  /**
   * Queues a proposal; null: it is not built on the newest one of its instance, and so cannot be
   * committed.
   *
   * @param committed as {@link Committer#commit(Proposal, Consumer)} has it
   */
  @Nullable Pending add(Proposal proposal, Consumer<EncodedInstance> committed, long now) {
    var sequence = sequences.computeIfAbsent(proposal.id(), Sequence::new);
    var newest = sequence.newest();
    if (newest != null && !proposal.follows(newest)) {
      return null;
    }
    boolean isReady = sequence.isEmpty();
    var pending = new Pending(proposal, committed, now);
    sequence.waiting.add(pending);
    unsent.add(pending);
    metrics.waitingCommits().increment();
    if (isReady) {
      ready.add(sequence);
    }
    return pending;
  }

  /** How many nanoseconds the oldest proposal has waited for its statement; 0: none waits. */
  long behind(long now) {
    long oldest = unsent.isEmpty() ? now : unsent.getFirst().queuedAt;
    var first = ready.peek();
    if (first != null && first.sent != null) {
      oldest = Math.min(oldest, first.sent.queuedAt());
    }
    return now - oldest;
  }

  /** Whether so many proposals could be taken now, 1 or more. */
  boolean has(int proposals) {
    int found = 0;
    for (var sequence : ready) {
      found += sequence.sendable();
      if (found >= proposals) {
        return true;
      }
    }
    return false;
  }

  /**
   * The next batch, each with a chain that is under way from now on; empty: nothing can be sent.
   * Sorted by instance, so that two nodes that commit the same instances do not deadlock.
   */
  List<Sequence> takeBatch() {
    var batch = new ArrayList<Sequence>();
    var bounds = nextBounds();
    int share = Math.min(bounds.max(), share());
    int count = 0;
    long bytes = 0;
    while (count < share && bytes < bounds.bytesMax() && !ready.isEmpty()) {
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

  /**
   * After how many proposals a batch takes no other instance: an equal part of all there are for
   * each statement that may be under way, if there is enough for all of them. If one took all,
   * callers would wait together for its end, and then the database for them.
   */
  private int share() {
    int flights = options.batches().flightsMax();
    int all = unsent.size() + underWay;
    boolean enoughForAll = all / flights >= options.batches().overlapMin();
    return enoughForAll ? Math.ceilDiv(all, flights) : Integer.MAX_VALUE;
  }

  /** A repeated batch comes first. */
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
        underWay += members.size();
        return new Sent(List.copyOf(members), chain, state, bytes);
      } catch (RuntimeException e) { // Also what no codec can write: others must not wait for it.
        metrics.waitingCommits().decrement();
        answers.refuse(members.removeLast(), e);
        proposals.removeLast();
        abandonWaiting(sequence);
      }
    }
    return null;
  }

  private EncodedInstance encoded(Proposal proposal) {
    var next = proposal.transition().next();
    return InstanceCodec.measured(next, format.getAsInt(), options.stateBytesMax());
  }

  /** The chain that was under way is committed: what was built on it may be sent. */
  void committed(Sequence sequence) {
    landed(sequence);
    if (!sequence.waiting.isEmpty()) {
      ready.add(sequence);
    }
    forgetIfEmpty(sequence);
  }

  /**
   * The chain that was under way is not known to be committed, so nothing that was built on it can
   * be.
   */
  void notCommitted(Sequence sequence) {
    landed(sequence);
    abandonWaiting(sequence);
    forgetIfEmpty(sequence);
  }

  private void landed(Sequence sequence) {
    underWay -= sequence.underWay().members.size();
    sequence.sent = null;
  }

  /** Their chains are the next that are taken, as they are. */
  void addFirst(List<Sequence> again) {
    again.reversed().forEach(ready::addFirst);
  }

  /**
   * Gives up what was queued before this moment and never sent, for this error; what was built on
   * it is abandoned.
   */
  void giveUpUnsent(long queuedBefore, Throwable error) {
    while (!unsent.isEmpty() && unsent.getFirst().queuedAt - queuedBefore < 0) {
      var pending = unsent.removeFirst();
      var sequence = sequences.get(pending.proposal.id());
      if (sequence != null && sequence.waiting.remove(pending)) {
        metrics.waitingCommits().decrement();
        answers.giveUp(pending, false, error);
        abandonWaiting(sequence);
        if (sequence.sent == null) {
          ready.remove(sequence);
          forgetIfEmpty(sequence);
        }
      }
    }
  }

  private void abandonWaiting(Sequence sequence) {
    metrics.waitingCommits().add(-sequence.waiting.size());
    for (var pending : sequence.waiting) {
      unsent.remove(pending);
      answers.add(pending, Outcome.ABANDONED);
    }
    sequence.waiting.clear();
  }

  private void forgetIfEmpty(Sequence sequence) {
    if (sequence.isEmpty()) {
      sequences.remove(sequence.id, sequence);
    }
  }
}
