package skein.burst;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import skein.activities.ActivityDescriptor;
import skein.activities.Output;
import skein.activities.UnknownActivity;
import skein.model.ActivityStatus;
import skein.model.Alteration;
import skein.model.Alteration.Target;
import skein.model.ErrorCode;
import skein.model.SkeinException;

/**
 * Ends executions as if they had completed, without asking their activities. What they wait for is
 * cancelled with all below them; instances that they have started run on, and are not awaited.
 */
final class Skips {
  /** Outcomes that a refusal names at most. */
  private static final int NAMED_MAX = 20;

  private final ActivityServices services;
  private final Undo undo;

  Skips(ActivityServices services, Undo undo) {
    this.services = services;
    this.undo = undo;
  }

  /** Refuses with {@code ALTERATION_REFUSED}; {@code actor}: for the journal. */
  void skip(Alteration.Skip skip, @Nullable String actor) {
    var found = 0;
    var executions = services.state().executions;
    for (var execution : matching(skip.target())) {
      if (executions.get(execution.number) != null) {
        skip(execution, skip, actor);
        found++;
      }
    }
    if (found == 0) {
      throw refused("Nothing that waits or is faulted matches the activity to skip");
    }
  }

  private List<Execution> matching(Target target) {
    var matching = new ArrayList<Execution>();
    for (var execution : services.state().executions.all()) {
      var meant =
          execution.number == target.execution() || execution.node.id().equals(target.activityId());
      if (meant && execution.parent != 0 && !(execution.node.activity() instanceof Compensation)) {
        matching.add(execution);
      }
    }
    return matching;
  }

  private void skip(Execution execution, Alteration.Skip skip, @Nullable String actor) {
    var state = services.state();
    var below = state.executions.below(execution);
    refuseWhatIsEnding(execution);
    below.forEach(this::refuseWhatIsEnding);
    refuseUnlessFollowed(execution, skip.outcomes());
    below.forEach(b -> state.instance.resolveIncidentsOf(b.number));
    state.instance.resolveIncidentsOf(execution.number);
    undo.gather(execution);
    execution.status = ActivityStatus.Running;
    var context = new Context(services, execution);
    skip.output().forEach((name, value) -> context.output(output(execution, name), value));
    if (state.usage.limitPassed()) {
      throw refused("The instance cannot hold so large an output of " + execution.node.id());
    }
    state.journal.add(execution, Journal.SKIPPED, message(actor, skip.reason()));
    services.completion().complete(execution, skip.outcomes());
  }

  private void refuseWhatIsEnding(Execution execution) {
    if (undo.isEnding(execution)) {
      throw refused("What " + execution.node.id() + " has completed is being undone");
    }
  }

  /**
   * An outcome that leads nowhere would end a flowchart without the activities that follow.
   *
   * @param outcomes none: Done
   */
  private void refuseUnlessFollowed(Execution execution, List<String> outcomes) {
    var node = execution.node;
    var parent = services.state().executions.get(execution.parent);
    var followed = parent == null ? null : parent.node.activity().followed(parent.node, node);
    if (followed == null) {
      return;
    }
    var own = node.activity().outcomes(node);
    var names = new LinkedHashSet<String>(own == null ? List.of() : own);
    names.addAll(followed);
    if (outcomes.isEmpty()) {
      // Where any outcome may come, Done is a guess, which something must follow.
      var mayEnd = followed.isEmpty() || (own != null && own.isEmpty());
      requireOutcome(execution, ActivityDescriptor.DONE, names, mayEnd);
    }
    for (var outcome : outcomes) {
      var mayEnd = followed.isEmpty() || own == null || own.isEmpty();
      requireOutcome(execution, outcome, names, mayEnd && outcome.equals(ActivityDescriptor.DONE));
    }
  }

  /** {@code mayEnd}: nothing need follow. */
  private static void requireOutcome(
      Execution execution, String outcome, Set<String> names, boolean mayEnd) {
    if (!mayEnd && !names.contains(outcome)) {
      throw refused(
          execution,
          "Activity "
              + execution.node.id()
              + " has no outcome \""
              + outcome
              + "\", and no connection leaves it by that name; its outcomes are "
              + names.stream().limit(NAMED_MAX).toList());
    }
  }

  private static Output output(Execution execution, String name) {
    var outputs = execution.node.descriptor().outputs();
    return outputs.stream()
        .filter(output -> output.name().equals(name))
        .findFirst()
        .orElseThrow(() ->
            refused(
                execution,
                "Activity "
                    + execution.node.id()
                    + " has no output \""
                    + name
                    + "\", but "
                    + outputs.stream().map(Output::name).toList()));
  }

  private static @Nullable String message(@Nullable String actor, @Nullable String reason) {
    var by = actor == null ? null : "by " + actor;
    return reason == null || reason.isBlank() ? by : by == null ? reason : by + ": " + reason;
  }

  /** Only nodes that know the type of the activity know its outputs and outcomes. */
  private static SkeinException refused(Execution execution, String detail) {
    var node = execution.node;
    return node.activity() instanceof UnknownActivity unknown && unknown.isKnownElsewhere()
        ? SkeinException.activityElsewhere(node.type(), node.nodeId())
        : refused(detail);
  }

  private static SkeinException refused(String detail) {
    return new SkeinException(ErrorCode.ALTERATION_REFUSED, detail);
  }
}
