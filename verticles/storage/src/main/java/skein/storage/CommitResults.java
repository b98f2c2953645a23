package skein.storage;

import io.vertx.pgclient.PgException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import skein.storage.CommitTarget.Fate;
import skein.storage.Proposal.Outcome;

/**
 * What the end of a statement means for the chains that were in it: which are committed, which are
 * lost, which are given up, and how to continue with the others.
 *
 * <p>No I/O and no clock: moments are passed, in nanoseconds of one clock. Called on the event loop
 * of its {@link Committer}.
 */
final class CommitResults {
  /** The next step. */
  sealed interface Next {
    /** Nothing: the outcome of each chain is known. */
    record Nothing() implements Next {}

    /**
     * Ask the database for the outcome of these chains. Until the answer nothing of their instances
     * is sent.
     */
    record AskForFate(List<Sequence> doubtful) implements Next {}

    /** Send each half of the batch by itself, one after the other. */
    record SendHalves() implements Next {}

    /**
     * Send these chains again, as they are, after a while. A repeat carries the same ids, so it is
     * harmless if an earlier attempt was committed after all.
     *
     * @param chains empty: all were given up
     * @param error why
     */
    record SendAgain(List<Sequence> chains, Throwable error) implements Next {}
  }

  private static final Next NOTHING = new Next.Nothing();
  private static final Next HALVES = new Next.SendHalves();

  private final CommitQueue queue;
  private final CommitAnswers answers;
  private final int attemptsMax;
  private final long statementTimeoutNanos;
  private boolean closed;

  /**
   * @param statementTimeout after which a database that says nothing is not waited for by what was
   *     not sent to it
   */
  CommitResults(
      CommitQueue queue, CommitAnswers answers, int attemptsMax, Duration statementTimeout) {
    this.queue = queue;
    this.answers = answers;
    this.attemptsMax = attemptsMax;
    this.statementTimeoutNanos = statementTimeout.toNanos();
  }

  /**
   * The statement was executed. A repeated chain that lost may have lost to itself.
   *
   * @param won the instances whose chain it has written
   */
  Next executed(List<Sequence> batch, Set<String> won) {
    List<Sequence> doubtful = List.of();
    for (var sequence : batch) {
      if (won.contains(sequence.id.value())) {
        committed(sequence);
      } else if (sequence.underWay().uncertain) {
        doubtful = doubtful.isEmpty() ? new ArrayList<>() : doubtful;
        doubtful.add(sequence);
      } else {
        lost(sequence);
      }
    }
    return doubtful.isEmpty() ? NOTHING : new Next.AskForFate(doubtful);
  }

  /**
   * The statement failed. One bad proposal must not fail its neighbours: an error of the data
   * splits the batch, an error of the infrastructure repeats it.
   */
  Next failed(List<Sequence> batch, Throwable error, long sentAt, long now) {
    if (!isAboutData(error)) {
      if (error instanceof CommitSession.Unanswered) {
        batch.forEach(sequence -> sequence.underWay().notAnswered());
      }
      return repeated(batch, error, sentAt, now);
    }
    return batch.size() > 1 ? HALVES : refused(batch.getFirst(), error);
  }

  /** The database has reported the outcome of a chain. */
  Next fateKnown(Sequence sequence, Fate fate) {
    return switch (fate) {
      case COMMITTED -> {
        committed(sequence);
        yield NOTHING;
      }
      case LOST -> {
        lost(sequence);
        yield NOTHING;
      }
      case OPEN ->
          sentAgain(
              List.of(sequence),
              new IllegalStateException("An earlier attempt may still be committed"));
    };
  }

  /** The database was asked for the outcome of a chain, without an answer. */
  Next fateUnknown(Sequence sequence, Throwable error, long askedAt, long now) {
    return repeated(List.of(sequence), error, askedAt, now);
  }

  /** From now on nothing is sent again. */
  void close() {
    closed = true;
  }

  private static boolean isAboutData(Throwable error) {
    return error instanceof UnwritableException
        || (error instanceof PgException sql && !DatabaseErrors.isInfrastructure(sql));
  }

  private void committed(Sequence sequence) {
    answers.committed(sequence.underWay());
    queue.committed(sequence);
  }

  /** Of several it is unknown which lost: each must be decided again. */
  private void lost(Sequence sequence) {
    var members = sequence.underWay().members;
    var outcome = members.size() == 1 ? Outcome.LOST : Outcome.ABANDONED;
    members.forEach(pending -> answers.add(pending, outcome));
    queue.notCommitted(sequence);
  }

  private void givenUp(Sequence sequence, Throwable error) {
    var sent = sequence.underWay();
    sent.members.forEach(pending -> answers.giveUp(pending, sent.uncertain, error));
    queue.notCommitted(sequence);
  }

  /** An earlier attempt that had no answer did not fail for its data: it may be committed. */
  private Next refused(Sequence sequence, Throwable error) {
    var sent = sequence.underWay();
    if (sent.uncertain) {
      return new Next.AskForFate(List.of(sequence));
    }
    if (sent.members.size() > 1) {
      lost(sequence);
    } else {
      var explained = DatabaseErrors.explain("commit " + sequence.id, error);
      answers.refuse(sent.members.getFirst(), explained);
      queue.notCommitted(sequence);
    }
    return NOTHING;
  }

  /** Proposals that have not been sent do not wait for a silent database. */
  private Next repeated(List<Sequence> batch, Throwable error, long sentAt, long now) {
    if (error instanceof PgException) {
      return sentAgain(batch, error);
    }
    long staleBefore = staleBefore(sentAt, now);
    queue.giveUpUnsent(staleBefore, error);
    var inTime = new ArrayList<Sequence>();
    for (var sequence : batch) {
      var sent = sequence.underWay();
      if (!sent.uncertain && sent.queuedAt() - staleBefore < 0) {
        givenUp(sequence, error);
      } else {
        inTime.add(sequence);
      }
    }
    return sentAgain(inTime, error);
  }

  /**
   * Proposals that were queued earlier are too old by the time another attempt has taken as long.
   */
  private long staleBefore(long sentAt, long now) {
    return now + (now - sentAt) - statementTimeoutNanos;
  }

  private Next sentAgain(List<Sequence> batch, Throwable error) {
    var again = new ArrayList<Sequence>();
    for (var sequence : batch) {
      if (closed || sequence.underWay().attempts >= attemptsMax) {
        givenUp(sequence, error);
      } else {
        again.add(sequence);
      }
    }
    return new Next.SendAgain(again, error);
  }
}
