package skein.decisions;

import java.util.List;
import org.jspecify.annotations.Nullable;
import skein.burst.Burst;
import skein.graph.Graph;
import skein.messages.Command;
import skein.model.AuditEntry;
import skein.model.InstanceRefusals;
import skein.model.Transition;
import skein.model.WorkflowInstance;

/** Decides how an instance begins that continues from an earlier moment of another one. */
final class DecideFork {
  private final Burst burst;

  DecideFork(Burst burst) {
    this.burst = burst;
  }

  Decision decide(
      Command.Fork fork, @Nullable WorkflowInstance current, Graph graph, DecisionContext context) {
    if (current != null) {
      throw InstanceRefusals.instanceExists(current.id());
    }
    var past = context.past();
    if (past == null) {
      throw new IllegalStateException("A fork is decided on a journal");
    }
    var transition =
        burst.fork(
            graph, fork.instanceId(), fork.request(), past, fork.variables(), context.inputs());
    var correlationId = fork.request().labels().correlationId();
    var guard = Transition.Guard.NONE.andActivation(Activations.of(graph, correlationId));
    var entry =
        new AuditEntry("instance.fork", "ok", fork.instanceId().value(), null, fork.actor());
    return Decision.commit(transition.withGuard(guard).withAudit(List.of(entry)));
  }
}
