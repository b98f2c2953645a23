package skein.storage;

import io.vertx.core.Future;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import skein.codecs.EncodedInstance;
import skein.codecs.Format;
import skein.metrics.DatabaseMetrics;
import skein.storage.Proposal.Outcome;

/** A queue of commits whose statements the test ends as it likes. */
final class QueuedCommits {
  final DatabaseMetrics metrics = new DatabaseMetrics();
  final CommitAnswers answers = new CommitAnswers();
  final CommitQueue queue =
      new CommitQueue(
          new CommitOptions(
              new CommitOptions.Batches(4, 1, 1, 200), 8, new CommitOptions.Retries(2, 20), 10_000),
          Format::newest,
          answers,
          metrics);

  /** The states that were told to be written, with the revision that was proposed. */
  final Map<Long, EncodedInstance> written = new HashMap<>();

  /** Proposes the sample of this revision, which is built on that of the revision before. */
  Future<Outcome> propose(String instance, long revision, long now) {
    var proposal = Samples.proposal(Samples.transition(instance, revision));
    var pending = queue.add(proposal, state -> written.put(revision, state), now);
    return pending == null ? Future.succeededFuture(Outcome.ABANDONED) : pending.promise.future();
  }

  Future<Outcome> propose(String instance, long revision) {
    return propose(instance, revision, 0);
  }

  /** Takes the next batch and counts an attempt of it. */
  List<Sequence> send() {
    var batch = queue.takeBatch();
    batch.forEach(each -> each.underWay().attempts++);
    return batch;
  }

  /** What a batch consists of, as {@code instance@revision+revision}. */
  static List<String> shown(List<Sequence> batch) {
    return batch.stream().map(each -> shown(each.underWay().chain)).toList();
  }

  private static String shown(Chain chain) {
    var revisions =
        chain.transitions().stream().map(each -> String.valueOf(each.next().revision())).toList();
    return chain.id().value() + "@" + String.join("+", revisions);
  }

  static Set<String> ids(List<Sequence> batch) {
    var ids = new HashSet<String>();
    batch.forEach(each -> ids.add(each.id.value()));
    return ids;
  }
}
