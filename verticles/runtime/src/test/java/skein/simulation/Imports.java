package skein.simulation;

import io.vertx.core.Future;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import skein.burst.Burst;
import skein.burst.BurstInputs;
import skein.burst.BurstLimits;
import skein.expressions.ExpressionLimits;
import skein.expressions.Expressions;
import skein.graph.Graph;
import skein.loop.Simulator;
import skein.messages.Reply;
import skein.model.Alteration;
import skein.model.InstanceId;
import skein.model.JournalEntry;
import skein.model.Labels;
import skein.model.SkeinException;
import skein.model.StartRequest;
import skein.model.Transition;
import skein.model.WorkflowInstance;
import skein.model.WorkflowStatus;
import skein.simulation.Client.Call;
import skein.simulation.Plan.Item;
import skein.simulation.Plan.Op;
import skein.storage.SimulatedDatabase;
import skein.storage.TenantScope;

/** Instances of files, as another cluster has exported them, and who has imported them. */
final class Imports {
  /** Beyond the numbers of all instances that are started or forked. */
  private static final int NUMBERS = 2_000_000;

  private static final List<Past> PASTS = List.of(Past.values());

  /** Choices of an item that is an import. */
  static final int FAULTED = choice(Past.FAULTED);

  static final int WENT_ON = choice(Past.WENT_ON);

  private static final Burst BURST =
      new Burst(new Expressions(ExpressionLimits.DEFAULT, () -> 0), BurstLimits.DEFAULT);

  private final Plan plan;
  private final Simulator simulator;

  /** The nodes at which each command has arrived; those of imports are added. */
  private final Map<UUID, Set<String>> nodes;

  private final SplittableRandom random;
  private final Map<Integer, File> files = new LinkedHashMap<>();
  private final Map<UUID, Call> calls = new HashMap<>();
  private final Map<Integer, String> definitions = new HashMap<>();

  private static int choice(Past past) {
    return 4 * PASTS.indexOf(past) + 1;
  }

  /** What the other cluster has done with an instance before its export. */
  private enum Past {
    WAITS,
    FAULTED,
    WENT_ON,
    ENDED,
    /** Its timers fall due later. */
    TIMED,
    /** Its timers have been due for a while. */
    OVERDUE
  }

  /** An instance, at whatever revision it had there, and its journal so far. */
  record File(WorkflowInstance instance, List<JournalEntry> journal) {
    boolean isFaulted() {
      return instance.status() == WorkflowStatus.Faulted;
    }
  }

  Imports(Plan plan, Simulator simulator, Map<UUID, Set<String>> nodes) {
    this.plan = plan;
    this.simulator = simulator;
    this.nodes = nodes;
    this.random = new SplittableRandom(plan.seed() + 5);
  }

  /** The same for all copies of an item. */
  File file(Item item) {
    return files.computeIfAbsent(item.number(), _ -> made(item));
  }

  /** Call on the loop of the node's HTTP server. */
  Future<Reply> restore(Call call, Member member) {
    var file = file(call.item);
    definitions.put(call.item.number(), file.instance().definition().definitionId());
    var imports = member.node().imports(member.http(), () -> drawn(call));
    try {
      return imports
          .restore(file.instance(), file.journal(), TenantScope.ALL)
          .map(_ -> new Reply.Delivered(1, 0, List.of(file.instance().id())));
    } catch (SkeinException e) {
      return Future.failedFuture(e);
    }
  }

  private UUID drawn(Call call) {
    var id = new UUID(random.nextLong(), random.nextLong());
    calls.put(id, call);
    nodes.computeIfAbsent(id, _ -> new HashSet<>()).add(call.node);
    return id;
  }

  /** What an item that follows an import is about. */
  void follows(Item item, File file) {
    definitions.put(item.number(), file.instance().definition().definitionId());
  }

  /** The definition of the instance that an item is about. */
  String definition(Item item) {
    var known = definitions.get(item.number());
    return known == null ? plan.definitions().get(item.instance()) : known;
  }

  /** The call whose import was committed under this id; null: it is of something else. */
  Call call(UUID commitId) {
    return calls.get(commitId);
  }

  /** Some want an id that another one was asked for with. */
  private InstanceId id(Item item) {
    var asked = files.values().iterator();
    return item.choice() % 4 == 0 && asked.hasNext()
        ? asked.next().instance().id()
        : Client.instance(NUMBERS + item.number());
  }

  private File made(Item item) {
    var past = PASTS.get(item.choice() / 4 % PASTS.size());
    var now = SimulatedDatabase.clock(simulator);
    var elsewhere = new Elsewhere(graph(past), item.mark(), past == Past.OVERDUE ? ago(now) : now);
    elsewhere.start(id(item));
    switch (past) {
      case WAITS, TIMED, OVERDUE -> {}
      case FAULTED -> elsewhere.resume();
      case WENT_ON -> elsewhere.goOn();
      case ENDED -> {
        elsewhere.goOn();
        elsewhere.resume();
      }
    }
    return new File(elsewhere.instance, List.copyOf(elsewhere.journal));
  }

  private static Instant ago(Instant now) {
    return now.minusSeconds(1);
  }

  /** Where the number of instances is limited, one of which callers start some, too. */
  private Graph graph(Past past) {
    var settings = plan.settings();
    var first = plan.definitions().getFirst();
    var name =
        switch (past) {
          case TIMED, OVERDUE -> Workflows.TIMED;
          case WAITS, WENT_ON, ENDED ->
              settings.limitsTenants()
                  ? Workflows.TENANT_ROW
                  : past == Past.WAITS && Workflows.waitsForEventsAlone(first)
                      ? first
                      : Workflows.FRAGILE;
          case FAULTED -> Workflows.FRAGILE;
        };
    return new Workflows().published(name).result();
  }

  /** A cluster with nothing but one instance. */
  private static final class Elsewhere {
    private final Graph graph;
    private final String mark;
    private final Instant now;
    private final List<JournalEntry> journal = new ArrayList<>();
    private WorkflowInstance instance;
    private long commits;

    Elsewhere(Graph graph, String mark, Instant now) {
      this.graph = graph;
      this.mark = mark;
      this.now = now;
    }

    void start(InstanceId id) {
      var request = new StartRequest(Map.of("mark", mark), Labels.NONE, null, null, null);
      done(BURST.start(graph, id, request, inputs()));
    }

    /** What it waits for comes. */
    void resume() {
      var bookmark = instance.bookmarks().getFirst().id();
      done(BURST.resume(graph, instance, bookmark, Map.of("payload", mark), false, inputs()));
    }

    /** Past its first wait, and past the fault behind it if there is one. */
    void goOn() {
      resume();
      if (instance.status() == WorkflowStatus.Faulted) {
        var fault = Alteration.Target.activity(Workflows.FAULT);
        var skip = new Alteration.Skip(fault, Map.of(), List.of(), "no more needed");
        done(BURST.alter(graph, Map.of(), instance, List.of(skip), inputs()));
      }
    }

    private BurstInputs inputs() {
      return new BurstInputs(now, 1, new UUID(0, ++commits));
    }

    private void done(Transition transition) {
      instance = transition.next();
      journal.addAll(transition.journal());
    }
  }

  static boolean isImport(Call call) {
    return call.item.op() == Op.IMPORT;
  }
}
