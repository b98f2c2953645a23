package skein.quiescence;

import io.vertx.core.Future;
import java.util.List;
import org.jspecify.annotations.Nullable;
import skein.cluster.Cluster;
import skein.cluster.Inquiries;
import skein.cluster.Inquiries.Topic;
import skein.model.ErrorCode;
import skein.model.RuntimePause;
import skein.model.SkeinException;
import skein.storage.PauseStore;

/**
 * Pauses the runtime of the cluster. The row in the database is the pause, and it outlives all
 * nodes; they are asked to read it, so that the caller knows which of them have. A node that joins
 * in between has read the row after it joined, or is among those who are asked. Thread-safe.
 */
public final class RuntimeAdmin {
  private final PauseStore store;
  private final Inquiries inquiries;
  private final Cluster cluster;

  public RuntimeAdmin(PauseStore store, Inquiries inquiries, Cluster cluster) {
    this.store = store;
    this.inquiries = inquiries;
    this.cluster = cluster;
  }

  /**
   * A member of the cluster.
   *
   * @param found null when it did not say how far it is
   * @param trouble why not
   */
  public record Member(
      Cluster.Node node, @Nullable NodeQuiescence found, @Nullable String trouble) {
    boolean isDrained() {
      return found != null && found.state().drainedAt() != null;
    }
  }

  /**
   * All members.
   *
   * @param pause as this node knows it
   */
  public record Status(@Nullable RuntimePause pause, List<Member> members) {
    /** The names of nodes that were drained by force and have not started again. */
    public List<String> drained() {
      return members.stream().filter(Member::isDrained).map(each -> each.node().name()).toList();
    }

    /** The sum over the members that report it. */
    public int commands() {
      return members.stream()
          .mapToInt(each -> each.found() == null ? 0 : each.found().commands())
          .sum();
    }
  }

  public Future<Status> status() {
    return ask(RuntimeQuestion.SHOW);
  }

  /** Changes nothing where it is paused already. What has begun may still run when it answers. */
  public Future<Status> pause(@Nullable String reason, @Nullable String requestedBy) {
    return store.pause(reason, requestedBy).compose(_ -> ask(RuntimeQuestion.LOOK));
  }

  /** Fails with {@code RUNTIME_DRAINING} while nodes are drained by force. */
  public Future<Status> resume() {
    return status()
        .compose(found -> {
          var drained = found.drained();
          return drained.isEmpty() ? store.resume() : Future.failedFuture(draining(drained));
        })
        .compose(_ -> ask(RuntimeQuestion.LOOK));
  }

  private static SkeinException draining(List<String> drained) {
    return new SkeinException(
        ErrorCode.RUNTIME_DRAINING,
        "Nodes were drained by force and begin nothing before their next start: "
            + String.join(", ", drained),
        drained,
        null);
  }

  /** Needs no database. */
  public Future<Status> forceDrain() {
    return ask(RuntimeQuestion.DRAIN);
  }

  private Future<Status> ask(RuntimeQuestion question) {
    return inquiries
        .all(Topic.RUNTIME, question.toJson())
        .map(answers -> status(answers.stream().map(RuntimeAdmin::member).toList()));
  }

  private static Member member(Inquiries.Answer answer) {
    var refused = answer.refused();
    return refused == null
        ? new Member(answer.node(), NodeQuiescence.read(answer.json()), null)
        : new Member(answer.node(), null, refused.detail());
  }

  private Status status(List<Member> members) {
    for (var member : members) {
      if (member.node().id().equals(cluster.nodeId()) && member.found() != null) {
        return new Status(member.found().state().pause(), members);
      }
    }
    return new Status(null, members);
  }
}
