package skein.graph;

import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import skein.activities.Activities;
import skein.activities.ActivityDescriptor;
import skein.activities.ActivityNode;
import skein.activities.VariableDeclaration;
import skein.expressions.ExpressionLimits;
import skein.expressions.Expressions;
import skein.expressions.ScriptName;
import skein.model.DefinitionRef;
import skein.model.Finding;
import skein.model.WorkflowDefinition;

/** A compiled definition. Immutable; any thread may use it. */
public final class Graph {
  /** Only asks whether expressions parse, which takes no time worth measuring. */
  private static final Expressions PARSER = new Expressions(ExpressionLimits.DEFAULT, () -> 0);

  private final DefinitionRef ref;
  private final ActivityNode root;
  private final Map<String, ActivityNode> byNodeId;
  private final Map<String, String> users;
  private final Map<String, Map<String, ActivityNode>> byUser = new HashMap<>();
  private final List<VariableDeclaration> variables;
  private final List<InputDeclaration> inputs;
  private final IncidentStrategy incidentStrategy;
  private final ActivationStrategy activationStrategy;
  private final boolean mayBlock;
  private final List<Finding> findings;
  private final Set<String> uses;
  private final boolean floats;

  /**
   * An input of the workflow.
   *
   * @param defaultValue a JSON value of that type, for a start that does not give it
   */
  public record InputDeclaration(String name, String typeName, @Nullable Object defaultValue) {}

  /** Which unfinished instances keep a new one from being started. */
  public enum ActivationStrategy {
    ALLOW_ALWAYS,
    /** One of the definition. */
    SINGLETON,
    /** One of the definition with the same correlation id. */
    CORRELATED_SINGLETON,
    /** One of any definition with the same correlation id. */
    CORRELATION
  }

  /** What a fault does to the rest of the instance. */
  public enum IncidentStrategy {
    /** The instance is Faulted, once what is queued has run. */
    FAULT,
    /** The faulted activity stays where it is; everything else goes on. */
    CONTINUE,
    /** As {@code CONTINUE}, and a bookmark waits for an operator to say what becomes of it. */
    SUSPEND
  }

  Graph(DefinitionCompiler compiled, ActivityNode root) {
    this.ref = compiled.ref();
    this.root = root;
    this.byNodeId = new LinkedHashMap<>();
    this.users = Map.copyOf(compiled.users());
    for (var node : compiled.nodes()) {
      byNodeId.putIfAbsent(node.nodeId(), node);
      within(node).putIfAbsent(node.id(), node);
    }
    byNodeId.values().forEach(this::addNames);
    this.variables = List.copyOf(compiled.variables());
    this.inputs = List.copyOf(compiled.inputs());
    this.incidentStrategy = compiled.incidentStrategy();
    this.activationStrategy = compiled.activationStrategy();
    this.mayBlock = compiled.mayBlock();
    this.findings = List.copyOf(compiled.findings().all());
    this.uses = Set.copyOf(compiled.uses().definitionIds());
    this.floats = compiled.uses().floats();
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

  /** Never throws: what is wrong is in {@link #problems}, and runs as far as it goes. */
  public static Graph compile(WorkflowDefinition definition, Activities activities) {
    return compile(definition, activities, PARSER);
  }

  /** Asks these expressions what they can evaluate. */
  public static Graph compile(
      WorkflowDefinition definition, Activities activities, Expressions expressions) {
    return compile(
        definition, UsedWorkflows.NONE, activities, expressions, CompilerOptions.DEFAULT);
  }

  /** With the definitions that it uses, each in the place of its use. */
  public static Graph compile(
      WorkflowDefinition definition,
      UsedWorkflows used,
      Activities activities,
      CompilerOptions options) {
    return compile(definition, used, activities, PARSER, options);
  }

  private static Graph compile(
      WorkflowDefinition definition,
      UsedWorkflows used,
      Activities activities,
      Expressions expressions,
      CompilerOptions options) {
    return new DefinitionCompiler(definition, used, activities, expressions, options).compile();
  }

  /**
   * A graph, and all that is wrong with its definition.
   *
   * @param findings those of the graph first
   * @param pointers by path of an activity: the JSON Pointer to it
   */
  public record Checked(Graph graph, List<Finding> findings, Map<String, String> pointers) {
    public Checked {
      findings = List.copyOf(findings);
      pointers = Map.copyOf(pointers);
    }
  }

  /** Compiles, and looks for what can hardly be meant: slower, for those who save and publish. */
  public static Checked check(
      WorkflowDefinition definition,
      UsedWorkflows used,
      Activities activities,
      CompilerOptions options) {
    var compiler = new DefinitionCompiler(definition, used, activities, PARSER, options);
    var graph = compiler.compile();
    new DefinitionReview(definition, graph, compiler.pointers(), compiler.findings()).run();
    return new Checked(graph, compiler.findings().all(), compiler.pointers());
  }

  /** What a definition is to those who use it as an activity. */
  public static ActivityDescriptor asActivity(WorkflowDefinition definition, String typeName) {
    return new Declarations(_ -> {}).activity(definition, typeName).descriptor();
  }

  public DefinitionRef ref() {
    return ref;
  }

  /** Whether a burst may evaluate something that does not belong on an event loop. */
  public boolean mayBlock() {
    return mayBlock;
  }

  /**
   * What is wrong, as far as running it must know; {@link #check} finds more.
   *
   * @see #problems
   */
  public List<Finding> findings() {
    return findings;
  }

  /** Findings that forbid publishing, a sentence each; empty when there are none. */
  public List<String> problems() {
    return findings.stream().filter(Finding::isError).map(Finding::message).toList();
  }

  /** Findings that do not forbid publishing, a sentence each. */
  public List<String> warnings() {
    return findings.stream().filter(found -> !found.isError()).map(Finding::message).toList();
  }

  public ActivityNode root() {
    return root;
  }

  /** By path; null when the definition has no such activity, e.g. after a migration. */
  public @Nullable ActivityNode node(String nodeId) {
    return byNodeId.get(nodeId);
  }

  /** By id, of the definition itself; null when there is none. */
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
    return uses;
  }

  /** Whether a use may mean another version tomorrow, or be found that is not there today. */
  public boolean floats() {
    return floats;
  }

  /** In document order, the root first. */
  public Collection<ActivityNode> nodes() {
    return byNodeId.values();
  }

  /** Of the workflow itself; those of containers are at their nodes. */
  public List<VariableDeclaration> variables() {
    return variables;
  }

  public List<InputDeclaration> inputs() {
    return inputs;
  }

  public ActivationStrategy activationStrategy() {
    return activationStrategy;
  }

  public IncidentStrategy incidentStrategy() {
    return incidentStrategy;
  }
}
