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
import skein.activities.WorkflowActivity;
import skein.expressions.Expression;
import skein.expressions.Expressions;
import skein.graph.Graph.ActivationStrategy;
import skein.graph.Graph.IncidentStrategy;
import skein.graph.Graph.InputDeclaration;
import skein.model.DefinitionRef;
import skein.model.WorkflowDefinition;

/** Turns a definition's JSON into a graph and collects what is wrong with it. Used once. */
final class DefinitionCompiler {
  private static final String ROOT_PATH = "Workflow1";
  static final int DEPTH_MAX = 100;

  private final Workflow workflow;
  private final WorkflowDefinition definition;
  private final UsedWorkflows used;
  private final CompilerOptions options;
  private final Expressions expressions;
  private final List<ActivityNode> nodes = new ArrayList<>();
  private final Map<String, String> users = new HashMap<>();
  private final Set<String> paths = new HashSet<>();
  private final Set<String> usedIds = new LinkedHashSet<>();
  private final List<String> problems = new ArrayList<>();
  private final List<String> warnings = new ArrayList<>();
  private final Declarations declarations = new Declarations(problems::add);
  private final List<VariableDeclaration> variables;
  private final List<InputDeclaration> inputs;
  private boolean mayBlock;
  private boolean floats;
  private boolean full;
  private int count;

  DefinitionCompiler(
      WorkflowDefinition definition,
      UsedWorkflows used,
      Activities activities,
      Expressions expressions,
      CompilerOptions options) {
    this.definition = definition;
    this.used = used;
    this.options = options;
    this.expressions = expressions;
    this.workflow =
        new Workflow(
            definition,
            activities.forWorkflow(definition.json()),
            null,
            List.of(definition.ref().definitionId()),
            new HashSet<>());
    this.variables = declarations.variables(definition.json(), "The workflow");
    this.inputs = declarations.inputs(definition);
  }

  /**
   * The definition itself or one that it uses.
   *
   * @param user the path of the activity that it is; null for the definition itself
   * @param chain the ids of those that use it, and its own
   * @param ids of its activities so far
   */
  private record Workflow(
      WorkflowDefinition definition,
      Activities activities,
      @Nullable String user,
      List<String> chain,
      Set<String> ids) {}

  Graph compile() {
    var root = Json.object(definition.json().get("root"));
    if (root == null) {
      problems.add("The workflow has no root activity");
      root = Map.of("type", "Elsa.Sequence", "id", "Root");
    }
    if (!used.complete()) {
      problems.add(
          "The workflow refers to more than " + options.referencesMax() + " other workflows");
    }
    return new Graph(this, node(root, new Place(workflow, ROOT_PATH, 0, true, Set.of())));
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

  List<String> warnings() {
    return warnings;
  }

  /** For the paths of activities in used workflows: the path of the innermost use. */
  Map<String, String> users() {
    return users;
  }

  Set<String> usedIds() {
    return usedIds;
  }

  boolean floats() {
    return floats;
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
   * @param root it is the root of its workflow
   * @param detached ids that those beside it name as what undoes them or runs in their stead
   */
  private record Place(
      Workflow workflow, String path, int depth, boolean root, Set<String> detached) {}

  private ActivityNode node(Map<String, @Nullable Object> json, Place at) {
    count++;
    var type = Json.text(json, "type");
    if (type == null) {
      type = "";
    }
    var id = id(json, type, at);
    var path = path(at.path(), id);
    if (at.workflow().user() != null) {
      users.put(path, at.workflow().user());
    }
    var version = json.get("version") instanceof Number number ? number.intValue() : 1;
    var activity = at.workflow().activities().find(type, version);
    WorkflowDefinition use = null;
    if (at.depth() >= DEPTH_MAX) {
      problem(type, path, "activities are nested deeper than " + DEPTH_MAX);
      activity = new UnknownActivity(type, version);
    } else if (activity == null) {
      use = use(json, type, path, at.workflow());
      activity =
          use == null
              ? new UnknownActivity(type, version)
              : declarations.activity(use, type.isEmpty() ? "Workflow" : type);
      version = use == null ? version : use.ref().version();
    }
    var place = nodes.size();
    var children =
        use == null
            ? children(json, activity.descriptor(), type, path, at)
            : inlined(use, path, at);
    var owner = type;
    Consumer<String> problem = finding -> problem(owner, path, finding);
    children.values().forEach(held -> held.forEach(child -> checkSiblings(child, children)));
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
                ? declarations.variables(use == null ? json : use.json(), sentence(type, path, ""))
                : List.of(),
            json,
            activity.plan(json, children, problem),
            at.root()
                ? rootPolicy(json, at.workflow().definition(), problem)
                : PolicyReader.read(json, problem),
            LogPersistence.of(at.workflow().definition().json(), json));
    nodes.add(place, node);
    return node;
  }

  /** The workflow that an activity is a use of; null where there is none, or none that may be. */
  private @Nullable WorkflowDefinition use(
      Map<String, @Nullable Object> json, String type, String path, Workflow user) {
    var reference = Reference.of(json);
    var found = used.find(reference);
    if (found == null) {
      floats = true;
      unknown(type, path, reference);
      return null;
    }
    floats |= !reference.pins(found.ref());
    usedIds.add(found.ref().definitionId());
    if (user.chain().contains(found.ref().definitionId())) {
      problem(
          type,
          path,
          "a workflow cannot contain itself: "
              + String.join(" uses ", user.chain())
              + " uses "
              + found.ref().definitionId());
      return null;
    }
    if (user.chain().size() > options.usesDepthMax()) {
      problem(
          type, path, "workflows use one another more than " + options.usesDepthMax() + " deep");
      return null;
    }
    if (count > options.activitiesMax()) {
      if (!full) {
        problem(
            type,
            path,
            "the workflow has more than "
                + options.activitiesMax()
                + " activities with those that it uses: start some with Elsa.ExecuteWorkflow or"
                + " Elsa.DispatchWorkflow instead");
      }
      full = true;
      return null;
    }
    return found;
  }

  private void unknown(String type, String path, Reference reference) {
    var instead = LeftOut.instead(type);
    if (instead != null) {
      problem(type, path, "this activity of Elsa is left out here: " + instead);
      return;
    }
    var finding =
        reference.definitionId() == null && reference.versionId() == null
            ? "the activity type is not known here"
            : "the workflow that it uses is not here, or is not usable as an activity: publish it"
                + " first";
    if (options.unknownRefused() || type.isEmpty()) {
      problem(type, path, finding);
    } else {
      warnings.add(sentence(type, path, ": " + finding + "; it faults when it is executed"));
    }
  }

  private Map<String, List<ActivityNode>> inlined(WorkflowDefinition use, String path, Place user) {
    var root = Json.object(use.json().get("root"));
    if (root == null) {
      return Map.of();
    }
    var chain = new ArrayList<>(user.workflow().chain());
    chain.add(use.ref().definitionId());
    var inner =
        new Workflow(
            use,
            user.workflow().activities().forWorkflow(use.json()),
            path,
            List.copyOf(chain),
            new HashSet<>());
    return Map.of(
        WorkflowActivity.ROOT.property(),
        List.of(node(root, new Place(inner, path, user.depth() + 1, true, Set.of()))));
  }

  /** The timeout of a workflow is that of its root. */
  private static Policy rootPolicy(
      Map<String, @Nullable Object> json, WorkflowDefinition definition, Consumer<String> problem) {
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

  private void checkSiblings(ActivityNode child, Map<String, List<ActivityNode>> siblings) {
    for (var id : Arrays.asList(child.policy().onFault(), child.policy().compensatedBy())) {
      var there =
          id == null
              || siblings.values().stream()
                  .flatMap(List::stream)
                  .anyMatch(sibling -> sibling.id().equals(id) && sibling != child);
      if (!there) {
        problem(child.type(), child.nodeId(), "there is no activity \"" + id + "\" beside it");
      }
    }
  }

  private Map<String, List<ActivityNode>> children(
      Map<String, @Nullable Object> json,
      ActivityDescriptor descriptor,
      String type,
      String path,
      Place at) {
    var children = new LinkedHashMap<String, List<ActivityNode>>();
    for (var port : descriptor.ports()) {
      var items = Json.list(Json.member(json, port.property()));
      var place =
          new Place(at.workflow(), path, at.depth() + 1, false, PolicyReader.detached(items));
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

  private String id(Map<String, @Nullable Object> json, String type, Place at) {
    var ids = at.workflow().ids();
    var id = Json.text(json, "id");
    if (id == null || id.isBlank()) {
      id = type.substring(type.lastIndexOf('.') + 1) + (ids.size() + 1);
      while (ids.contains(id)) {
        id += "x";
      }
    }
    if (!ids.add(id)) {
      problem(type, at.path() + ":" + id, "the activity id \"" + id + "\" is used twice");
    }
    return id;
  }

  private String path(String parentPath, String id) {
    var path = parentPath + ":" + id;
    var unique = path;
    for (var n = 2; !paths.add(unique); n++) {
      unique = path + "#" + n;
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

  private void problem(String type, String path, String finding) {
    problems.add(sentence(type, path, ": " + finding));
  }

  private static String sentence(String type, String path, String finding) {
    return (type.isEmpty() ? "An activity without a type" : type) + " (" + path + ")" + finding;
  }
}
