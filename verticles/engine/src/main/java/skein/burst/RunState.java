package skein.burst;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import skein.graph.Graph;
import skein.model.Effect;
import skein.model.InstanceId;
import skein.model.WorkflowInstance;

/**
 * The inputs of one burst, and the parts of the instance as it changes them. Decides nothing;
 * {@link Run} makes those who do.
 */
final class RunState {
  final Graph graph;
  final BurstLimits limits;
  final BurstInputs in;
  final InstanceId id;

  final Cause cause = new Cause();
  final Agenda agenda = new Agenda();
  final Ending ending = new Ending();

  final InstanceState instance;
  final Executions executions;
  final Bookmarks bookmarks;
  final Links links;
  final LocalStimuli local;
  final Expiries expiries;
  final ShortWaits shortWaits = new ShortWaits();

  final Journal journal;
  final Children children;
  final Usage usage;
  final Effects effects;

  private final SplittableRandom random;

  RunState(
      Graph graph,
      BurstLimits limits,
      BookmarkOptions bookmarkOptions,
      BurstInputs in,
      WorkflowInstance stored) {
    this.graph = graph;
    this.limits = limits;
    this.in = in;
    this.id = stored.id();
    this.random = new SplittableRandom(in.seed());
    this.instance = new InstanceState(graph, stored);
    this.journal = new Journal(in.now(), stored.counters().journal(), limits.journal());
    this.bookmarks = new Bookmarks(id, in, stored.bookmarks(), stored.counters().bookmarks());
    this.executions = new Executions(graph, stored);
    this.local = new LocalStimuli(executions.root(), in.now());
    var effectsToCome = new ArrayList<Effect>();
    this.usage = new Usage(limits, instance, executions, bookmarks, local, effectsToCome);
    this.children =
        new Children(
            id,
            stored.timing().createdAt(),
            graph.ref().tenant(),
            executions,
            limits.children(),
            in.now());
    this.effects = new Effects(effectsToCome, usage, children);
    this.links =
        new Links(graph, executions, bookmarks, bookmarkOptions, limits.bookmarksMax(), in);
    this.expiries = new Expiries(bookmarks, bookmarkOptions.expiry(), in.now());
    instance.readLast(executions.root());
  }

  /** The next of the numbers that follow from the seed. */
  long random() {
    return random.nextLong();
  }

  /** As they are to be stored. */
  List<Execution> storedExecutions() {
    local.store(executions.root());
    instance.storeLast(executions.root());
    return executions.all();
  }
}
