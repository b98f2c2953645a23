package skein.activities;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.expressions.Expression;
import skein.expressions.ExpressionException;
import skein.expressions.Expressions;

/**
 * An activity at its place in a compiled definition. Equal only to itself.
 *
 * <p>Immutable; shared by every instance of the definition and every thread.
 */
public final class ActivityNode {
  private final Identity identity;
  private final Activity activity;
  private final Map<String, Binding> inputs;
  private final Map<String, String> outputs;
  private final Map<String, List<ActivityNode>> children;

  /** As children, without those that are detached. */
  private final Map<String, List<ActivityNode>> runnable;

  private final List<VariableDeclaration> variables;
  private final Map<String, @Nullable Object> json;
  private final @Nullable Object plan;
  private final Policy policy;
  private final LogPersistence logs;

  /**
   * @param id unique in the definition
   * @param nodeId the colon-joined path from the workflow
   * @param type as the definition says, also where no such activity is known
   * @param canStart marked as one that may start the workflow
   * @param detached named by one beside it as what undoes it or runs in its stead; never executed
   *     in the ordinary course
   */
  public record Identity(
      String id,
      String nodeId,
      String type,
      int version,
      @Nullable String name,
      boolean canStart,
      boolean detached) {}

  /** An input as the definition gives it, and the type to convert its value to. */
  public record Binding(Expression expression, String typeName) {}

  /**
   * Where values come from and go to.
   *
   * @param inputs by {@link Input#name}; only those that the definition says something about
   * @param outputs {@link Output#name} to the id of a variable or the name of a workflow output
   */
  public record Bindings(Map<String, Binding> inputs, Map<String, String> outputs) {
    public static final Bindings NONE = new Bindings(Map.of(), Map.of());
  }

  /**
   * What the definition says.
   *
   * @param json the activity's own
   * @param plan what the activity made of it when the definition was compiled
   */
  public record Source(Map<String, @Nullable Object> json, @Nullable Object plan) {
    public static final Source NONE = new Source(Map.of(), null);
  }

  /**
   * How it is executed.
   *
   * @param policy when it faults or takes long
   * @param logs what its journal entries may show
   */
  public record Terms(Policy policy, LogPersistence logs) {
    public static final Terms NONE = new Terms(Policy.NONE, LogPersistence.ALL);
  }

  /**
   * @param children by {@link Port#property}; those of cases one by one, by {@link Port#key}
   */
  public ActivityNode(
      Identity identity,
      Activity activity,
      Bindings bindings,
      Map<String, List<ActivityNode>> children,
      List<VariableDeclaration> variables,
      Source source,
      Terms terms) {
    this.identity = identity;
    this.activity = activity;
    this.inputs = Map.copyOf(bindings.inputs());
    this.outputs = Map.copyOf(bindings.outputs());
    this.children = Map.copyOf(children);
    this.runnable = new HashMap<>(this.children);
    this.runnable.replaceAll((_, held) -> runnable(held));
    this.variables = List.copyOf(variables);
    this.json = source.json();
    this.plan = source.plan();
    this.policy = terms.policy();
    this.logs = terms.logs();
  }

  public String id() {
    return identity.id();
  }

  public String nodeId() {
    return identity.nodeId();
  }

  public String type() {
    return identity.type();
  }

  public int version() {
    return identity.version();
  }

  public @Nullable String name() {
    return identity.name();
  }

  public boolean canStart() {
    return identity.canStart();
  }

  public boolean detached() {
    return identity.detached();
  }

  public Policy policy() {
    return policy;
  }

  /** The inputs and outputs that its journal entries may show. */
  public LogPersistence logs() {
    return logs;
  }

  public Activity activity() {
    return activity;
  }

  public ActivityDescriptor descriptor() {
    return activity.descriptor();
  }

  public @Nullable Binding input(Input input) {
    return inputs.get(input.name());
  }

  /**
   * The texts of an input that the definition spells out; empty without one, null where an
   * expression makes them.
   */
  @Nullable List<String> literalTexts(Input input) {
    var binding = input(input);
    if (binding == null) {
      return List.of();
    }
    if (!binding.expression().type().equalsIgnoreCase("Literal")) {
      return null;
    }
    try {
      var texts = Expressions.convert(binding.expression().value(), "String[]");
      return texts instanceof List<?> list
          ? list.stream().map(String::valueOf).toList()
          : List.of();
    } catch (ExpressionException e) {
      return null; // It faults when it is executed, with a better sentence.
    }
  }

  /** The expressions of all inputs, in no order. */
  public Map<String, Binding> inputs() {
    return inputs;
  }

  /** Where an output goes besides the results; null when it is not bound. */
  public @Nullable String boundTo(Output output) {
    return outputs.get(output.name());
  }

  public List<ActivityNode> children(Port port) {
    return children.getOrDefault(port.property(), List.of());
  }

  /** Those of a port's children that a container executes in the ordinary course, in order. */
  List<ActivityNode> runnable(Port port) {
    return runnable.getOrDefault(port.property(), List.of());
  }

  /** The same of any children. */
  static List<ActivityNode> runnable(List<ActivityNode> children) {
    return children.stream().anyMatch(ActivityNode::detached)
        ? children.stream().filter(child -> !child.detached()).toList()
        : children;
  }

  /** The child of a port that holds one activity. */
  public @Nullable ActivityNode child(Port port) {
    var all = children(port);
    return all.isEmpty() ? null : all.getFirst();
  }

  /** The child of one of a port's cases; null when that case has none. */
  public @Nullable ActivityNode child(Port port, int index) {
    var held = children.get(port.key(index));
    return held == null ? null : held.getFirst();
  }

  /** The child of any port with that id; null when there is none. */
  public @Nullable ActivityNode childById(String id) {
    for (var held : children.values()) {
      for (var child : held) {
        if (child.id().equals(id)) {
          return child;
        }
      }
    }
    return null;
  }

  public Map<String, List<ActivityNode>> children() {
    return children;
  }

  public List<VariableDeclaration> variables() {
    return variables;
  }

  /** As it stands in the definition. */
  public Map<String, @Nullable Object> json() {
    return json;
  }

  /** A member of the activity's JSON as it was written; the first letter may be of either case. */
  public @Nullable Object raw(String property) {
    var value = json.get(property);
    return value != null || property.isEmpty()
        ? value
        : json.get(Character.toUpperCase(property.charAt(0)) + property.substring(1));
  }

  /** The result of {@link Activity#plan}. */
  public @Nullable Object plan() {
    return plan;
  }

  @Override
  public String toString() {
    return type() + " " + nodeId();
  }
}
