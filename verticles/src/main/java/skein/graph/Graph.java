package skein.graph;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.activities.Activities;
import skein.activities.ActivityNode;
import skein.activities.VariableDeclaration;
import skein.expressions.ExpressionLimits;
import skein.expressions.Expressions;
import skein.model.DefinitionRef;
import skein.model.WorkflowDefinition;

/** A compiled definition. Immutable; any thread may use it. */
public final class Graph {
  /** Only asks whether expressions parse, which takes no time worth measuring. */
  private static final Expressions PARSER = new Expressions(ExpressionLimits.DEFAULT, () -> 0);

  private final DefinitionRef ref;
  private final ActivityNode root;
  private final Map<String, ActivityNode> byNodeId;
  private final Map<String, ActivityNode> byId;
  private final List<VariableDeclaration> variables;
  private final List<InputDeclaration> inputs;
  private final IncidentStrategy incidentStrategy;
  private final ActivationStrategy activationStrategy;
  private final boolean mayBlock;
  private final List<String> problems;

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
    this.byId = new LinkedHashMap<>();
    for (var node : compiled.nodes()) {
      byNodeId.putIfAbsent(node.nodeId(), node);
      byId.putIfAbsent(node.id(), node);
    }
    this.variables = List.copyOf(compiled.variables());
    this.inputs = List.copyOf(compiled.inputs());
    this.incidentStrategy = compiled.incidentStrategy();
    this.activationStrategy = compiled.activationStrategy();
    this.mayBlock = compiled.mayBlock();
    this.problems = List.copyOf(compiled.problems());
  }

  /** Never throws: what is wrong is in {@link #problems}, and runs as far as it goes. */
  public static Graph compile(WorkflowDefinition definition, Activities activities) {
    return compile(definition, activities, PARSER);
  }

  /** Asks these expressions what they can evaluate. */
  public static Graph compile(
      WorkflowDefinition definition, Activities activities, Expressions expressions) {
    return new DefinitionCompiler(definition, activities, expressions).compile();
  }

  public DefinitionRef ref() {
    return ref;
  }

  /** Whether a burst may evaluate something that does not belong on an event loop. */
  public boolean mayBlock() {
    return mayBlock;
  }

  /** Findings that forbid publishing, a sentence each; empty when there are none. */
  public List<String> problems() {
    return problems;
  }

  public ActivityNode root() {
    return root;
  }

  /** By path; null when the definition has no such activity, e.g. after a migration. */
  public @Nullable ActivityNode node(String nodeId) {
    return byNodeId.get(nodeId);
  }

  public @Nullable ActivityNode activity(String id) {
    return byId.get(id);
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
