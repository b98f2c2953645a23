package skein.burst;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.activities.ActivityNode;
import skein.expressions.Expressions;
import skein.graph.Graph;
import skein.model.ActivityStatus;
import skein.model.Alteration;
import skein.model.Alteration.Target;
import skein.model.ErrorCode;
import skein.model.InstanceRefusals;
import skein.model.SkeinException;
import skein.model.WorkflowInstance;
import skein.model.WorkflowStatus;

/** Makes alterations, one after another, and runs the instance on. All of them are made or none. */
final class Alterations {
  private final Expressions expressions;
  private final BurstLimits limits;
  private final BookmarkOptions links;
  private final BurstInputs in;
  private final QuickBound quick;

  Alterations(
      Expressions expressions,
      BurstLimits limits,
      BookmarkOptions links,
      BurstInputs in,
      QuickBound quick) {
    this.links = links;
    this.quick = quick;
    this.expressions = expressions;
    this.limits = limits;
    this.in = in;
  }

  /** {@code before}: the instance as the run began with it. */
  record Altered(Run run, WorkflowInstance before) {}

  Altered apply(
      Graph graph,
      Map<Integer, Graph> targets,
      WorkflowInstance instance,
      List<Alteration> alterations,
      @Nullable String actor) {
    if (instance.status() == WorkflowStatus.Pending) {
      throw InstanceRefusals.inProgress(instance.id());
    }
    var ended = instance.status().finished() && instance.status() != WorkflowStatus.Faulted;
    if (ended && alterations.stream().anyMatch(Alteration::executes)) {
      throw InstanceRefusals.instanceFinished(instance.id(), instance.status());
    }
    var before = instance;
    var current = graph;
    var versions = new ArrayList<>(List.of(graph.ref()));
    for (var alteration : alterations) {
      if (alteration instanceof Alteration.Migrate migrate) {
        var target = target(targets, migrate);
        before = Migration.of(before, current, target, migrate);
        current = target;
        versions.add(target.ref());
      }
    }
    var run = new Run(current, expressions, limits, links, in, before, quick);
    run.state.bookmarks.reopen(before.shelved());
    for (int i = 1; i < versions.size(); i++) {
      run.state.journal.migrated(versions.get(i - 1), versions.get(i));
    }
    for (var alteration : alterations) {
      apply(run, before, alteration, actor);
    }
    if (ended) {
      return new Altered(run, before);
    }
    if (before.status() == WorkflowStatus.Faulted && !run.state.ending.isCancelled()) {
      if (alterations.stream().anyMatch(Alteration::executes)) {
        run.goOn(before);
      } else {
        run.state.ending.fault();
      }
    }
    run.drain();
    return new Altered(run, before);
  }

  private static Graph target(Map<Integer, Graph> targets, Alteration.Migrate migrate) {
    var graph = targets.get(migrate.targetVersion());
    if (graph == null) {
      throw SkeinException.definitionNotFound("version " + migrate.targetVersion());
    }
    return graph;
  }

  private void apply(
      Run run, WorkflowInstance before, Alteration alteration, @Nullable String actor) {
    switch (alteration) {
      case Alteration.ModifyVariable(var variableId, var value) ->
          modify(run.state, variableId, value);
      case Alteration.ScheduleActivity(var target) -> schedule(run, target);
      case Alteration.CancelActivity(var target) -> cancel(run, target);
      case Alteration.Retry(var activityIds) -> retry(run.state, before, activityIds);
      case Alteration.Cancel() -> run.cancel();
      case Alteration.Skip skip -> run.skips.skip(skip, actor);
      case Alteration.Migrate _ -> {} // Made before the run began.
    }
  }

  private static void modify(RunState state, String variableId, @Nullable Object value) {
    if (!ExecutionScope.modify(state, variableId, value)) {
      throw refused("The instance has no variable \"" + variableId + "\"");
    }
    if (state.usage.limitPassed()) {
      throw refused("The instance cannot hold so large a value of \"" + variableId + "\"");
    }
  }

  private static void schedule(Run run, Target target) {
    var faulted = run.state.executions.get(target.execution());
    if (faulted != null) {
      if (faulted.status == ActivityStatus.Faulted) {
        run.state.agenda.add(new Agenda.Work.Settle(faulted.number, "retry"));
        return;
      }
      throw refused("Execution " + target.execution() + " is under way already");
    }
    var node = node(run.state.graph, target);
    for (var parent : run.state.executions.all().reversed()) {
      if (parent.running() && holds(parent.node, node)) {
        run.lifecycle.schedule(parent.number, node, null, Map.of(), Map.of());
        return;
      }
    }
    throw refused("Nothing that runs contains the activity " + node.id());
  }

  private static boolean holds(ActivityNode parent, ActivityNode node) {
    return parent.children().values().stream().anyMatch(held -> held.contains(node));
  }

  private static void cancel(Run run, Target target) {
    var found = 0;
    for (var execution : run.state.executions.all()) {
      var meant =
          execution.number == target.execution() || execution.node.id().equals(target.activityId());
      if (meant && execution.parent != 0 && run.state.executions.get(execution.number) != null) {
        run.lifecycle.cancel(execution);
        found++;
      }
    }
    if (found == 0) {
      throw refused("Nothing that runs or is faulted matches the activity to cancel");
    }
  }

  private static ActivityNode node(Graph graph, Target target) {
    var id = target.activityId();
    var node = id == null ? null : graph.activity(id);
    if (node == null && id != null) {
      node = graph.node(id);
    }
    if (node == null) {
      throw refused("The definition has no activity " + id);
    }
    return node;
  }

  private static void retry(RunState state, WorkflowInstance before, List<String> activityIds) {
    var wanted = new LinkedHashSet<>(activityIds);
    var retried = 0;
    for (var execution : state.executions.all()) {
      if (execution.status == ActivityStatus.Faulted
          && (wanted.isEmpty() || wanted.contains(execution.node.id()))) {
        state.bookmarks.burnAll(execution);
        state.agenda.add(new Agenda.Work.Settle(execution.number, "retry"));
        retried++;
      }
    }
    // A workflow that failed as a whole, e.g. for its size, continues where it waited.
    if (retried == 0 && before.shelved().isEmpty()) {
      throw refused("No activity of the instance is faulted, so nothing can be retried");
    }
    state.instance.resolveIncidentsOf(0);
  }

  private static SkeinException refused(String detail) {
    return new SkeinException(ErrorCode.ALTERATION_REFUSED, detail);
  }
}
