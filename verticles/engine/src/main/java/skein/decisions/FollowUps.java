package skein.decisions;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import org.jspecify.annotations.Nullable;
import skein.model.Effect;
import skein.model.Timer;
import skein.model.Transition;
import skein.model.WorkflowInstance;
import skein.model.WorkflowStatus;

/**
 * Work that must follow a commit even if this node has died by then: rows of the same commit, which
 * any node consumes.
 */
final class FollowUps {
  private final Duration grace;

  /** {@code grace}: how long the node that commits has for delivering an event itself. */
  FollowUps(Duration grace) {
    this.grace = grace;
  }

  Transition add(Transition transition, @Nullable WorkflowInstance before, Instant now) {
    var timers = new ArrayList<>(transition.timersMade());
    var next = transition.next();
    for (var effect : transition.effects()) {
      if (effect instanceof Effect.EventPublished event) {
        var payload = Payloads.event(event, next.definition().tenant());
        timers.add(new Timer(event.id(), now.plus(grace), next.id(), Timer.Kind.Event, payload));
      }
    }
    var news = ChildNews.of(before, next, now);
    if (news != null) {
      timers.add(news);
    }
    if (next.status() == WorkflowStatus.Cancelled && CancelChildren.mayBeNeeded(next)) {
      timers.add(CancelChildren.first(next.id(), now));
    }
    return timers.size() == transition.timersMade().size()
        ? transition
        : transition.withTimersMade(timers);
  }
}
