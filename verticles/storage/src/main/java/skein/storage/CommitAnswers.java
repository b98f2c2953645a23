package skein.storage;

import java.util.ArrayDeque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import skein.model.InstanceRefusals;
import skein.model.SkeinException;
import skein.storage.Proposal.Outcome;
import skein.storage.Sequence.Pending;
import skein.storage.Sequence.Sent;

/**
 * Answers to proposers. They are collected while queue and chains are being changed, and given when
 * these are consistent: a proposer may commit something else at once.
 *
 * <p>Called on the event loop of its {@link Committer}.
 */
final class CommitAnswers {
  private static final Logger log = LoggerFactory.getLogger(CommitAnswers.class);

  /** Those of the present turn. */
  private final ArrayDeque<Runnable> answers = new ArrayDeque<>();

  private boolean giving;

  /** All of the chain are committed. The state that was written is the one of the last. */
  void committed(Sent sent) {
    int last = sent.members.size() - 1;
    for (var pending : sent.members.subList(0, last)) {
      add(pending, Outcome.COMMITTED);
    }
    var pending = sent.members.get(last);
    answers.add(() -> {
      try {
        pending.committed.accept(sent.state);
      } finally {
        pending.promise.complete(Outcome.COMMITTED);
      }
    });
  }

  void add(Pending pending, Outcome outcome) {
    answers.add(() -> pending.promise.complete(outcome));
  }

  /** It cannot be written. What is refused for what a workflow did is logged there. */
  void refuse(Pending pending, Throwable error) {
    if (!(error instanceof SkeinException)) {
      log.atError()
          .addKeyValue("instanceId", pending.proposal.id())
          .setCause(error)
          .log("commit.refused");
    }
    fail(pending, error);
  }

  /**
   * It is not tried any more.
   *
   * @param uncertain an attempt may have been committed, or may still be
   * @param error of the last attempt
   */
  void giveUp(Pending pending, boolean uncertain, Throwable error) {
    var id = pending.proposal.id();
    fail(
        pending,
        uncertain
            ? InstanceRefusals.outcomeUnknown(id, error)
            : SkeinException.storageUnavailable("commit of instance " + id, error));
  }

  private void fail(Pending pending, Throwable error) {
    answers.add(() -> pending.promise.fail(error));
  }

  /** Gives all answers, also those that are added while it runs, and whatever a proposer throws. */
  void give() {
    if (giving) {
      return;
    }
    giving = true;
    try {
      for (var next = answers.poll(); next != null; next = answers.poll()) {
        give(next);
      }
    } finally {
      giving = false;
    }
  }

  private static void give(Runnable answer) {
    try {
      answer.run();
    } catch (Throwable e) { // Others must not wait for ever for the mistake of one.
      log.atError().setCause(e).log("commit.answerFailed");
    }
  }
}
