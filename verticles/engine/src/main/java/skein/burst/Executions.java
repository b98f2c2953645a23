package skein.burst;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import skein.activities.ActivityNode;
import skein.activities.UnknownActivity;
import skein.activities.VariableDeclaration;
import skein.activities.WorkflowActivity;
import skein.graph.Graph;
import skein.model.ActivityStatus;
import skein.model.WorkflowInstance;

/** The activity executions of an instance that are not over, and the root in any case. */
final class Executions {
  private static final int ROOT = 1;

  private final Graph graph;
  private final TreeMap<Integer, Execution> byNumber = new TreeMap<>();
  private int last;

  Executions(Graph graph, WorkflowInstance instance) {
    this.graph = graph;
    this.last = instance.counters().executions();
    for (var stored : instance.executions()) {
      byNumber.put(stored.number(), Execution.of(stored, node(stored.nodeId())));
    }
    for (var execution : byNumber.values()) {
      var parent = get(execution.parent);
      if (parent != null) {
        parent.children.add(execution.number);
      }
    }
  }

  /** One that the definition does not have any more faults as soon as it is touched. */
  private ActivityNode node(String nodeId) {
    var node = graph.node(nodeId);
    if (node == null) {
      node = Compensation.nodeOf(nodeId, graph);
    }
    if (node != null) {
      return node;
    }
    var activityId = nodeId.substring(nodeId.lastIndexOf(':') + 1);
    return new ActivityNode(
        new ActivityNode.Identity(activityId, nodeId, "", 1, null, false, false),
        new UnknownActivity("of " + nodeId + " (gone from the definition)", 1),
        ActivityNode.Bindings.NONE,
        Map.of(),
        List.of(),
        ActivityNode.Source.NONE,
        ActivityNode.Terms.NONE);
  }

  @Nullable Execution get(int number) {
    return byNumber.get(number);
  }

  @Nullable Execution root() {
    return byNumber.get(ROOT);
  }

  List<Execution> all() {
    return List.copyOf(byNumber.values());
  }

  int size() {
    return byNumber.size();
  }

  /** The number used last. */
  int last() {
    return last;
  }

  /** The variables that the parent gives are added to those that the node declares. */
  Execution open(Agenda.Work.Perform work, BurstInputs in) {
    var memory = new LinkedHashMap<String, @Nullable Object>(work.memory());
    var execution =
        new Execution(++last, work.parent(), work.node(), work.tag(), in.now(), Map.of(), memory);
    declareAgain(execution);
    execution.variables.putAll(work.variables());
    if (execution.parent == 0) {
      work.variables()
          .forEach((id, value) -> execution.noted().variables().put(nameOf(id, execution), value));
    }
    byNumber.put(execution.number, execution);
    var parent = get(work.parent());
    if (parent != null) {
      parent.children.add(execution.number);
    }
    return execution;
  }

  /** Of a variable of the workflow; its id, where nothing declares it. */
  private String nameOf(String id, Execution root) {
    return Stream.concat(graph.variables().stream(), root.node.variables().stream())
        .filter(variable -> variable.id().equals(id))
        .map(VariableDeclaration::name)
        .findFirst()
        .orElse(id);
  }

  /** Gives the declared variables their defaults. */
  void declareAgain(Execution execution) {
    if (execution.parent == 0) {
      declare(execution.variables, graph.variables());
    }
    declare(execution.variables, execution.node.variables());
  }

  /** The future root before it begins; for evaluations that need no instance. */
  Execution imagineRoot(BurstInputs in) {
    var variables = new LinkedHashMap<String, @Nullable Object>();
    declare(variables, graph.variables());
    declare(variables, graph.root().variables());
    return new Execution(ROOT, 0, graph.root(), null, in.now(), variables, new LinkedHashMap<>());
  }

  private static void declare(
      Map<String, @Nullable Object> variables, List<VariableDeclaration> declared) {
    declared.forEach(variable -> variables.put(variable.id(), variable.defaultValue()));
  }

  /** The root stays, because it has the workflow's variables. */
  void close(Execution execution, ActivityStatus status) {
    execution.status = status;
    if (execution.parent != 0) {
      byNumber.remove(execution.number);
      var parent = get(execution.parent);
      if (parent != null) {
        parent.children.remove(execution.number);
      }
    }
  }

  /** All below, children before their parents. */
  List<Execution> below(Execution execution) {
    if (execution.children.isEmpty()) {
      return List.of();
    }
    var found = new ArrayList<Execution>();
    var open = new ArrayDeque<>(List.of(execution));
    while (!open.isEmpty()) {
      for (var number : open.pop().children) {
        var child = get(number);
        if (child != null) {
          found.add(child);
          open.push(child);
        }
      }
    }
    return found.reversed();
  }

  /** The execution as which the workflow of this one is used; null for the instance's own. */
  @Nullable Execution user(Execution execution) {
    for (var at = get(execution.parent); at != null; at = get(at.parent)) {
      if (at.node.activity() instanceof WorkflowActivity) {
        return at;
      }
    }
    return null;
  }

  /** Parent, grandparent and so on to the root. */
  List<Execution> above(Execution execution) {
    var found = new ArrayList<Execution>();
    for (var at = get(execution.parent); at != null; at = get(at.parent)) {
      found.add(at);
    }
    return found;
  }
}
