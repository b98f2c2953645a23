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
   * @param pause as this node knows it; where it is late itself, as one knows it that answered
   */
  public record Status(@Nullable RuntimePause pause, List<Member> members) {
    /** The names of nodes that were drained by force and have not started again. */
    public List<String> drained() {
      return members.stream().filter(Member::isDrained).map(each -> each.node().name()).toList();
    }

    private boolean isComplete() {
      return members.stream().allMatch(member -> member.found() != null);
    }

    private boolean isUnknown() {
      return members.stream().allMatch(member -> member.found() == null);
    }

    /** The sum over the members that report it. */
    public int commands() {
      return members.stream()
          .mapToInt(each -> each.found() == null ? 0 : each.found().commands())
          .sum();
    }
  }

  /** Fails with {@code TIMEOUT}, as the others do, when no node says how far it is. */
  public Future<Status> status() {
    return told(RuntimeQuestion.SHOW);
  }

  /** Changes nothing where it is paused already. What has begun may still run when it answers. */
  public Future<Status> pause(@Nullable String reason, @Nullable String requestedBy) {
    return store.pause(reason, requestedBy).compose(_ -> told(RuntimeQuestion.LOOK));
  }

  /**
   * Fails with {@code RUNTIME_DRAINING} while nodes are drained by force. One that does not say is
   * asked twice; it does not keep the others from going on.
   */
  public Future<Status> resume() {
    return notDrained()
        .compose(found -> found.isComplete() ? Future.succeededFuture(found) : notDrained())
        .compose(_ -> store.resume())
        .compose(_ -> told(RuntimeQuestion.LOOK));
  }

  private Future<Status> notDrained() {
    return ask(RuntimeQuestion.SHOW)
        .compose(found -> {
          var drained = found.drained();
          return drained.isEmpty()
              ? Future.succeededFuture(found)
              : Future.failedFuture(draining(drained));
        });
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
    return told(RuntimeQuestion.DRAIN);
  }

  private Future<Status> told(RuntimeQuestion question) {
    return ask(question)
        .compose(found ->
            found.isUnknown()
                ? Future.failedFuture(
                    new SkeinException(
                        ErrorCode.TIMEOUT, "No node said whether the runtime is paused"))
                : Future.succeededFuture(found));
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
    RuntimePause pause = null;
    for (var member : members) {
      var found = member.found();
      if (found == null) {
        continue;
      }
      if (member.node().id().equals(cluster.nodeId())) {
        return new Status(found.state().pause(), members);
      }
      pause = pause == null ? found.state().pause() : pause;
    }
    return new Status(pause, members);
  }
}
