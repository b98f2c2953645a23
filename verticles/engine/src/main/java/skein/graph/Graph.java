package skein.graph;

import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import skein.activities.ActivityNode;
import skein.activities.VariableDeclaration;
import skein.expressions.ScriptName;
import skein.model.DefinitionRef;
import skein.model.Finding;

/** A compiled definition. Immutable; any thread may use it. */
public final class Graph {
  private final DefinitionRef ref;
  private final ActivityNode root;
  private final Map<String, ActivityNode> byNodeId;
  private final Map<String, String> users;
  private final Map<String, Map<String, ActivityNode>> byUser = new HashMap<>();
  private final Declared declared;
  private final Known known;

  /**
   * An input of the workflow.
   *
   * @param defaultValue a JSON value of that type, for a start that does not give it
   */
  public record InputDeclaration(String name, String typeName, @Nullable Object defaultValue) {}

  /** The unfinished instances that keep a new one from being started. */
  public enum ActivationStrategy {
    ALLOW_ALWAYS,
    /** One of the definition. */
    SINGLETON,
    /** One of the definition with the same correlation id. */
    CORRELATED_SINGLETON,
    /** One of any definition with the same correlation id. */
    CORRELATION
  }

  /** The effect of a fault on the rest of the instance. */
  public enum IncidentStrategy {
    /** The instance is Faulted, once what is queued has run. */
    FAULT,
    /** The faulted activity stays where it is; everything else continues. */
    CONTINUE,
    /** As {@code CONTINUE}, and a bookmark waits for an operator to decide. */
    SUSPEND
  }

  /**
   * The activities.
   *
   * @param nodes in document order, the root first
   * @param users see {@link #user}
   */
  record Tree(ActivityNode root, List<ActivityNode> nodes, Map<String, String> users) {}

  /** The options of the workflow as a whole. */
  record Declared(
      List<VariableDeclaration> variables,
      List<InputDeclaration> inputs,
      ActivationStrategy activationStrategy,
      IncidentStrategy incidentStrategy) {
    Declared {
      variables = List.copyOf(variables);
      inputs = List.copyOf(inputs);
    }
  }

  /** The findings of its compilation. */
  record Known(boolean mayBlock, List<Finding> findings, Set<String> uses, boolean floats) {
    Known {
      findings = List.copyOf(findings);
      uses = Set.copyOf(uses);
    }
  }

  Graph(DefinitionRef ref, Tree tree, Declared declared, Known known) {
    this.ref = ref;
    this.root = tree.root();
    this.byNodeId = new LinkedHashMap<>();
    this.users = Map.copyOf(tree.users());
    for (var node : tree.nodes()) {
      byNodeId.putIfAbsent(node.nodeId(), node);
      within(node).putIfAbsent(node.id(), node);
    }
    byNodeId.values().forEach(this::addNames);
    this.declared = declared;
    this.known = known;
  }

  private Map<String, ActivityNode> within(ActivityNode node) {
    return byUser.computeIfAbsent(users.getOrDefault(node.nodeId(), ""), _ -> new HashMap<>());
  }

  /** Every id comes before any name. */
  private void addNames(ActivityNode node) {
    var name = node.name();
    if (name != null) {
      within(node).putIfAbsent(name, node);
      within(node).putIfAbsent(ScriptName.of(name), node);
    }
  }

  public DefinitionRef ref() {
    return ref;
  }

  /** Whether a burst may evaluate something that does not belong on an event loop. */
  public boolean mayBlock() {
    return known.mayBlock();
  }

  /**
   * What is wrong, as far as running it must know; {@link GraphCompiler#check} finds more.
   *
   * @see #problems
   */
  public List<Finding> findings() {
    return known.findings();
  }

  /** Findings that forbid publishing, a sentence each; empty when there are none. */
  public List<String> problems() {
    return known.findings().stream().filter(Finding::isError).map(Finding::message).toList();
  }

  /** Findings that do not forbid publishing, a sentence each. */
  public List<String> warnings() {
    return known.findings().stream()
        .filter(found -> !found.isError())
        .map(Finding::message)
        .toList();
  }

  public ActivityNode root() {
    return root;
  }

  /** The node with this path; null when the definition has none, e.g. after a migration. */
  public @Nullable ActivityNode node(String nodeId) {
    return byNodeId.get(nodeId);
  }

  /** The activity with this id, in the definition itself; null when there is none. */
  public @Nullable ActivityNode activity(String id) {
    var found = byUser.getOrDefault("", Map.of()).get(id);
    return found == null || !found.id().equals(id) ? null : found;
  }

  /**
   * By id or name, in the innermost workflow that has such an activity.
   *
   * @param from the path of an activity, whose workflow is the innermost
   */
  public @Nullable ActivityNode visible(String from, String idOrName) {
    for (var at = from; at != null; at = user(at)) {
      var user = user(at);
      var found = byUser.getOrDefault(user == null ? "" : user, Map.of()).get(idOrName);
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  /**
   * The path of the activity as which the workflow of this activity is used; null when it belongs
   * to the definition itself.
   */
  public @Nullable String user(String nodeId) {
    return users.get(nodeId);
  }

  /** Ids of the definitions that are used as activities, directly or not. */
  public Set<String> uses() {
    return known.uses();
  }

  /** Whether a use may mean another version tomorrow, or be found that is not there today. */
  public boolean floats() {
    return known.floats();
  }

  /** All nodes in document order, the root first. */
  public Collection<ActivityNode> nodes() {
    return byNodeId.values();
  }

  /** The variables of the workflow itself; those of containers are at their nodes. */
  public List<VariableDeclaration> variables() {
    return declared.variables();
  }

  public List<InputDeclaration> inputs() {
    return declared.inputs();
  }

  public ActivationStrategy activationStrategy() {
    return declared.activationStrategy();
  }

  public IncidentStrategy incidentStrategy() {
    return declared.incidentStrategy();
  }
}
