package skein.graph;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import skein.activities.Activities;
import skein.activities.Activity;
import skein.activities.ActivityDescriptor;
import skein.activities.ActivityNode;
import skein.activities.Input;
import skein.activities.Json;
import skein.activities.LogPersistence;
import skein.activities.Policy;
import skein.activities.UnknownActivity;
import skein.activities.VariableDeclaration;
import skein.expressions.Expression;
import skein.expressions.ExpressionException;
import skein.expressions.Expressions;
import skein.graph.Graph.ActivationStrategy;
import skein.graph.Graph.IncidentStrategy;
import skein.graph.Graph.InputDeclaration;
import skein.model.DefinitionRef;
import skein.model.WorkflowDefinition;

/** Turns a definition's JSON into a graph and collects what is wrong with it. Used once. */
final class DefinitionCompiler {
  private static final String ROOT_PATH = "Workflow1";
  private static final int DEPTH_MAX = 100;
  private static final int ID_CHARS_MAX = 255;

  private final WorkflowDefinition definition;
  private final Activities activities;
  private final Expressions expressions;
  private final List<ActivityNode> nodes = new ArrayList<>();
  private final Set<String> ids = new HashSet<>();
  private final Set<String> paths = new HashSet<>();

  /** By path that was taken: the number that the last one beside it got. */
  private final Map<String, Integer> numbered = new HashMap<>();

  private final List<String> problems = new ArrayList<>();
  private final List<VariableDeclaration> variables;
  private final List<InputDeclaration> inputs;
  private boolean mayBlock;

  DefinitionCompiler(
      WorkflowDefinition definition, Activities activities, Expressions expressions) {
    this.definition = definition;
    this.activities = activities.forWorkflow(definition.json());
    this.expressions = expressions;
    this.variables = declaredVariables(definition.json(), "The workflow");
    this.inputs = declaredInputs();
  }

  Graph compile() {
    var root = Json.object(definition.json().get("root"));
    if (root == null) {
      problems.add("The workflow has no root activity");
      root = Map.of("type", "Elsa.Sequence", "id", "Root");
    }
    return new Graph(this, node(root, new Place(ROOT_PATH, 0, Set.of())));
  }

  DefinitionRef ref() {
    return definition.ref();
  }

  /** In document order. */
  List<ActivityNode> nodes() {
    return nodes;
  }

  List<String> problems() {
    return problems;
  }

  List<VariableDeclaration> variables() {
    return variables;
  }

  List<InputDeclaration> inputs() {
    return inputs;
  }

  boolean mayBlock() {
    return mayBlock;
  }

  /** Elsa writes the name of a class: {@code …SingletonStrategy, Elsa.Workflows.Runtime}. */
  ActivationStrategy activationStrategy() {
    var name = option("activationStrategyType");
    if (name == null) {
      return ActivationStrategy.ALLOW_ALWAYS;
    }
    if (name.contains("CorrelatedSingleton")) {
      return ActivationStrategy.CORRELATED_SINGLETON;
    }
    if (name.contains("Singleton")) {
      return ActivationStrategy.SINGLETON;
    }
    return name.contains("Correlation")
        ? ActivationStrategy.CORRELATION
        : ActivationStrategy.ALLOW_ALWAYS;
  }

  private @Nullable String option(String member) {
    var options = Json.object(definition.json().get("options"));
    return options == null ? null : Json.text(options, member);
  }

  IncidentStrategy incidentStrategy() {
    var name = option("incidentStrategyType");
    if (name == null) {
      return IncidentStrategy.FAULT;
    }
    if (name.contains("ContinueWithIncidents")) {
      return IncidentStrategy.CONTINUE;
    }
    return name.contains("Suspend") ? IncidentStrategy.SUSPEND : IncidentStrategy.FAULT;
  }

  /**
   * Where an activity stands.
   *
   * @param detached ids that those beside it name as what undoes them or runs in their stead
   */
  private record Place(String path, int depth, Set<String> detached) {}

  private ActivityNode node(Map<String, @Nullable Object> json, Place at) {
    var type = Json.text(json, "type");
    if (type == null) {
      type = "";
    }
    var id = id(json, type, at.path());
    var path = path(at.path(), id);
    var version = json.get("version") instanceof Number number ? number.intValue() : 1;
    var known = activities.find(type, version);
    if (known == null) {
      problem(type, path, "the activity type is not known here");
    }
    var deep = at.depth() >= DEPTH_MAX;
    if (deep) {
      problem(type, path, "activities are nested deeper than " + DEPTH_MAX);
    }
    var activity = known == null || deep ? new UnknownActivity(type, version) : known;
    var place = nodes.size();
    var children = children(json, activity.descriptor(), type, path, at.depth());
    var owner = type;
    Consumer<String> problem = finding -> problem(owner, path, finding);
    checkSiblings(children);
    var node =
        new ActivityNode(
            new ActivityNode.Identity(
                id,
                path,
                type,
                version,
                Json.text(json, "name"),
                canStart(json),
                at.detached().contains(id)),
            activity,
            bindings(json, activity, type, path),
            outputs(json, activity.descriptor()),
            children,
            activity.descriptor().container()
                ? declaredVariables(json, sentence(type, path, ""))
                : List.of(),
            json,
            activity.plan(json, children, problem),
            at.depth() == 0 ? rootPolicy(json, problem) : PolicyReader.read(json, problem),
            LogPersistence.of(definition.json(), json));
    nodes.add(place, node);
    return node;
  }

  /** The timeout of the workflow is that of its root. */
  private Policy rootPolicy(Map<String, @Nullable Object> json, Consumer<String> problem) {
    var own = PolicyReader.read(json, problem);
    for (var member : List.of("options", "customProperties")) {
      var holder = Json.object(definition.json().get(member));
      var timeout = holder == null ? null : PolicyReader.duration(holder, "timeout", problem);
      if (timeout != null) {
        return new Policy(own.retry(), timeout, own.onFault(), own.compensatedBy());
      }
    }
    return own;
  }

  private void checkSiblings(Map<String, List<ActivityNode>> siblings) {
    var counts = new HashMap<String, Integer>();
    siblings.values().forEach(held -> held.forEach(s -> counts.merge(s.id(), 1, Integer::sum)));
    for (var held : siblings.values()) {
      for (var child : held) {
        for (var id : Arrays.asList(child.policy().onFault(), child.policy().compensatedBy())) {
          if (id != null && counts.getOrDefault(id, 0) <= (child.id().equals(id) ? 1 : 0)) {
            problem(child.type(), child.nodeId(), "there is no activity \"" + id + "\" beside it");
          }
        }
      }
    }
  }

  private Map<String, List<ActivityNode>> children(
      Map<String, @Nullable Object> json,
      ActivityDescriptor descriptor,
      String type,
      String path,
      int depth) {
    var children = new LinkedHashMap<String, List<ActivityNode>>();
    for (var port : descriptor.ports()) {
      var items = Json.list(Json.member(json, port.property()));
      var place = new Place(path, depth + 1, PolicyReader.detached(items));
      var found = new ArrayList<ActivityNode>();
      for (var i = 0; i < items.size(); i++) {
        var item = Json.object(items.get(i));
        if (port.member() != null) {
          var held = item == null ? null : Json.object(Json.member(item, port.member()));
          if (held != null) {
            children.put(port.key(i), List.of(node(held, place)));
          }
        } else if (item != null) {
          found.add(node(item, place));
        } else {
          problem(type, path, "\"" + port.property() + "\" holds something that is no activity");
        }
      }
      if (port.member() == null) {
        children.put(port.property(), List.copyOf(found));
      }
    }
    return children;
  }

  private Map<String, ActivityNode.Binding> bindings(
      Map<String, @Nullable Object> json, Activity activity, String type, String path) {
    for (var expression : activity.expressions(json)) {
      mayBlock |= expressions.mayBlock(expression);
      for (var finding : expressions.problems(expression)) {
        problem(type, path, finding);
      }
    }
    var bindings = new LinkedHashMap<String, ActivityNode.Binding>();
    for (var input : activity.descriptor().inputs()) {
      var binding = binding(json, input, type, path);
      if (binding != null) {
        bindings.put(input.name(), binding);
      }
    }
    return bindings;
  }

  private static Map<String, String> outputs(
      Map<String, @Nullable Object> json, ActivityDescriptor descriptor) {
    var outputs = new LinkedHashMap<String, String>();
    for (var output : descriptor.outputs()) {
      var target = boundTo(Json.member(json, output.property()));
      if (target != null) {
        outputs.put(output.name(), target);
      }
    }
    return outputs;
  }

  private String id(Map<String, @Nullable Object> json, String type, String parentPath) {
    var id = Json.text(json, "id");
    if (id == null || id.isBlank()) {
      id = type.substring(type.lastIndexOf('.') + 1) + (ids.size() + 1);
      while (ids.contains(id)) {
        id += "x";
      }
    }
    if (id.length() > ID_CHARS_MAX) {
      // Paths repeat the ids of all that is around.
      id = id.substring(0, ID_CHARS_MAX);
      problem(type, parentPath + ":" + id, "its id is longer than " + ID_CHARS_MAX + " characters");
    }
    if (!ids.add(id)) {
      problem(type, parentPath + ":" + id, "the activity id \"" + id + "\" is used twice");
    }
    return id;
  }

  private String path(String parentPath, String id) {
    var path = parentPath + ":" + id;
    var unique = path;
    while (!paths.add(unique)) {
      unique = path + "#" + numbered.merge(path, 2, (last, _) -> last + 1);
    }
    return unique;
  }

  private ActivityNode.@Nullable Binding binding(
      Map<String, @Nullable Object> json, Input input, String type, String path) {
    var given = Json.member(json, input.property());
    if (given == null || input.form() == Input.Form.RAW) {
      return null;
    }
    var wrapped = Json.object(given);
    var expression = wrapped == null ? new Expression("Literal", given) : wrapped(wrapped);
    if (expression == null) {
      return null;
    }
    for (var finding : expressions.problems(expression)) {
      problem(type, path, "the input " + input.name() + " is wrong: " + finding);
    }
    mayBlock |= expressions.mayBlock(expression);
    var written = wrapped == null ? null : Json.text(wrapped, "typeName");
    var typeName =
        written != null && input.typeName().equals("Object") ? written : input.typeName();
    return new ActivityNode.Binding(expression, typeName);
  }

  /** An object without an expression is taken as it is, unless it is an input left empty. */
  private static @Nullable Expression wrapped(Map<String, @Nullable Object> wrapped) {
    if (wrapped.containsKey("expression")) {
      return expression(wrapped);
    }
    return wrapped.containsKey("typeName") || wrapped.containsKey("memoryReference")
        ? null
        : new Expression("Literal", wrapped);
  }

  private static @Nullable Expression expression(Map<String, @Nullable Object> wrapped) {
    var expression = Json.object(wrapped.get("expression"));
    if (expression == null) {
      return null;
    }
    var language = Json.text(expression, "type");
    var value = Json.member(expression, "value");
    if (language == null || (value == null && language.equalsIgnoreCase("Literal"))) {
      return null;
    }
    return new Expression(language, value);
  }

  private static @Nullable String boundTo(@Nullable Object output) {
    var wrapped = Json.object(output);
    var reference = wrapped == null ? null : Json.object(wrapped.get("memoryReference"));
    return reference == null ? null : Json.text(reference, "id");
  }

  private static boolean canStart(Map<String, @Nullable Object> json) {
    var custom = Json.object(json.get("customProperties"));
    var mark = custom == null ? null : custom.get("canStartWorkflow");
    return Boolean.TRUE.equals(mark == null ? json.get("canStartWorkflow") : mark);
  }

  private List<VariableDeclaration> declaredVariables(
      Map<String, @Nullable Object> json, String where) {
    var declared = new ArrayList<VariableDeclaration>();
    for (var item : Json.list(json.get("variables"))) {
      var variable = Json.object(item);
      var name = variable == null ? null : Json.text(variable, "name");
      if (variable == null || name == null) {
        continue;
      }
      var id = Json.text(variable, "id");
      var type = typeName(variable, "typeName");
      declared.add(
          new VariableDeclaration(
              id == null ? name : id,
              name,
              type,
              value(variable.get("value"), type, where + " variable " + name)));
    }
    return declared;
  }

  private List<InputDeclaration> declaredInputs() {
    var declared = new ArrayList<InputDeclaration>();
    var seen = new HashSet<String>();
    var twice = new LinkedHashSet<String>();
    for (var item : Json.list(definition.json().get("inputs"))) {
      var input = Json.object(item);
      var name = input == null ? null : Json.text(input, "name");
      if (input == null || name == null) {
        continue;
      }
      if (!seen.add(name)) {
        twice.add(name);
        continue;
      }
      var type = typeName(input, "type");
      declared.add(
          new InputDeclaration(
              name, type, value(input.get("defaultValue"), type, "The workflow input " + name)));
    }
    if (!twice.isEmpty()) {
      problems.add("The following inputs are defined more than once: " + String.join(", ", twice));
    }
    return declared;
  }

  private static String typeName(Map<String, @Nullable Object> json, String member) {
    var type = Json.text(json, member);
    var element = type == null ? "Object" : type;
    var array = Boolean.TRUE.equals(json.get("isArray")) && !element.endsWith("[]");
    return array ? element + "[]" : element;
  }

  /** A default may be wrapped as an expression in newer files; only literals make sense there. */
  private @Nullable Object value(@Nullable Object given, String type, String where) {
    var wrapped = Json.object(given);
    var value = wrapped != null && wrapped.containsKey("expression") ? literal(wrapped) : given;
    try {
      return Expressions.convert(value, type);
    } catch (ExpressionException e) {
      problems.add(where + " has a wrong default: " + e.getMessage());
      return null;
    }
  }

  private static @Nullable Object literal(Map<String, @Nullable Object> wrapped) {
    var expression = Json.object(wrapped.get("expression"));
    return expression == null ? null : expression.get("value");
  }

  private void problem(String type, String path, String finding) {
    problems.add(sentence(type, path, ": " + finding));
  }

  private static String sentence(String type, String path, String finding) {
    return (type.isEmpty() ? "An activity without a type" : type) + " (" + path + ")" + finding;
  }
}
