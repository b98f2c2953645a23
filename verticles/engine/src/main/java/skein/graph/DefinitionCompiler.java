package skein.graph;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import skein.activities.Activities;
import skein.activities.ActivityDescriptor;
import skein.activities.ActivityNode;
import skein.activities.Json;
import skein.activities.LogPersistence;
import skein.activities.Policy;
import skein.activities.UnknownActivity;
import skein.activities.VariableDeclaration;
import skein.activities.WorkflowActivity;
import skein.expressions.Expressions;
import skein.graph.Graph.InputDeclaration;
import skein.model.Finding.Severity;
import skein.model.FindingCode;
import skein.model.WorkflowDefinition;

/** Turns a definition's JSON into a graph and collects what is wrong with it. Used once. */
final class DefinitionCompiler {
  private static final String ROOT_PATH = "Workflow1";
  static final int DEPTH_MAX = 100;
  private static final int ID_CHARS_MAX = 255;

  private final Workflow workflow;
  private final WorkflowDefinition definition;
  private final Extent extent;
  private final Uses uses;
  private final Bindings bindings;

  /** In document order. */
  private final List<ActivityNode> nodes = new ArrayList<>();

  /** For the paths of activities in used workflows: the path of the innermost use. */
  private final Map<String, String> users = new HashMap<>();

  private final Set<String> paths = new HashSet<>();

  /** The last number given beside each path that was taken. */
  private final Map<String, Integer> numbered = new HashMap<>();

  /** The place of each activity's JSON in the document, by its path. */
  private final Map<String, String> pointers = new HashMap<>();

  private final Findings findings = new Findings();
  private final Declarations declarations =
      new Declarations(problem -> findings.error(FindingCode.INVALID_DECLARATION, "", problem));
  private final List<VariableDeclaration> variables;
  private final List<InputDeclaration> inputs;

  DefinitionCompiler(
      WorkflowDefinition definition,
      UsedWorkflows used,
      Activities activities,
      Expressions expressions,
      CompilerOptions options) {
    this.definition = definition;
    this.extent = new Extent(options.activitiesMax(), findings);
    this.uses = new Uses(used, activities, options, findings, extent);
    this.bindings = new Bindings(expressions, options.forms());
    this.workflow =
        new Workflow(
            definition,
            activities.forWorkflow(definition.json()),
            null,
            List.of(definition.ref().definitionId()),
            new HashSet<>());
    this.variables = declarations.variables(definition.json(), "The workflow");
    this.inputs = declarations.inputs(definition);
    if (!used.complete()) {
      findings.error(
          FindingCode.LIMIT_EXCEEDED,
          "",
          "The workflow refers to more than " + options.referencesMax() + " other workflows");
    }
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
      findings.error(FindingCode.NO_ROOT, "", "The workflow has no root activity");
      root = Map.of("type", "Elsa.Sequence", "id", "Root");
    }
    var top = node(root, new Place(workflow, ROOT_PATH, "/root", 0, Set.of()));
    return new Graph(
        definition.ref(),
        new Graph.Tree(top, nodes, users),
        new Graph.Declared(
            variables,
            inputs,
            Declarations.activationStrategy(definition),
            Declarations.incidentStrategy(definition)),
        new Graph.Known(bindings.mayBlock(), findings.all(), uses.definitionIds(), uses.floats()));
  }

  Findings findings() {
    return findings;
  }

  /** The JSON Pointers of activities, or of the use of the workflow they are in, by path. */
  Map<String, String> pointers() {
    return pointers;
  }

  /**
   * Where an activity stands.
   *
   * @param path of the activity around it
   * @param pointer to it, or to the use of the workflow that it is in
   * @param detached ids that those beside it name as what undoes them or runs in their stead
   */
  private record Place(
      Workflow workflow, String path, String pointer, int depth, Set<String> detached) {
    /** The place of an activity in this one. */
    Place within(Findings.About around, String step, Set<String> detachedIds) {
      return new Place(workflow, around.nodeId(), pointer + step, depth + 1, detachedIds);
    }

    /** Whether it is the root of its workflow. */
    boolean isRoot() {
      var user = workflow.user();
      return path.equals(user == null ? ROOT_PATH : user);
    }
  }

  private ActivityNode node(Map<String, @Nullable Object> json, Place at) {
    var type = Json.text(json, "type");
    if (type == null) {
      type = "";
    }
    var id = id(json, type, at);
    var path = path(at.path(), id);
    pointers.put(path, at.pointer());
    extent.add(path, at.pointer());
    if (at.workflow().user() != null) {
      users.put(path, at.workflow().user());
    }
    var about = new Findings.About(type, path, at.pointer());
    var name = name(json, about);
    var version = json.get("version") instanceof Number number ? number.intValue() : 1;
    var activity = at.workflow().activities().find(type, version);
    WorkflowDefinition use = null;
    if (at.depth() >= DEPTH_MAX) {
      findings.error(
          FindingCode.LIMIT_EXCEEDED, about, "", "activities are nested deeper than " + DEPTH_MAX);
      activity = new UnknownActivity(type, version);
    } else if (activity == null) {
      use = uses.find(json, at.workflow().chain(), about);
      activity =
          use == null
              ? at.workflow().activities().unknown(type, version)
              : declarations.activity(use, type.isEmpty() ? "Workflow" : type);
      version = use == null ? version : use.ref().version();
    }
    var place = nodes.size();
    var children =
        use == null ? children(json, activity.descriptor(), about, at) : inlined(use, path, at);
    checkSiblings(children);
    var node =
        new ActivityNode(
            new ActivityNode.Identity(
                id, path, type, version, name, canStart(json), at.detached().contains(id)),
            activity,
            new ActivityNode.Bindings(
                bindings.inputs(
                    json,
                    activity,
                    (code, member, finding) -> findings.error(code, about, member, finding)),
                Bindings.outputs(json, activity.descriptor())),
            children,
            activity.descriptor().container()
                ? declarations.variables(use == null ? json : use.json(), about.subject())
                : List.of(),
            new ActivityNode.Source(
                json,
                activity.plan(
                    json,
                    children,
                    finding -> findings.error(FindingCode.INVALID_ACTIVITY, about, "", finding))),
            new ActivityNode.Terms(
                policy(json, at, about),
                LogPersistence.of(at.workflow().definition().json(), json)));
    nodes.add(place, node);
    return node;
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
        List.of(node(root, new Place(inner, path, user.pointer(), user.depth() + 1, Set.of()))));
  }

  /** The timeout of a workflow is that of its root. */
  private Policy policy(Map<String, @Nullable Object> json, Place at, Findings.About about) {
    var own =
        PolicyReader.read(
            json,
            (member, finding) ->
                findings.error(FindingCode.INVALID_POLICY, about, member, finding));
    if (!at.isRoot()) {
      return own;
    }
    for (var member : List.of("options", "customProperties")) {
      var holder = Json.object(at.workflow().definition().json().get(member));
      var timeout =
          holder == null
              ? null
              : PolicyReader.duration(
                  holder,
                  "timeout",
                  finding ->
                      findings.error(
                          FindingCode.INVALID_POLICY,
                          new Findings.About(about.type(), about.nodeId(), ""),
                          "/" + member + "/timeout",
                          finding));
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
        checkSibling(child, "onFault", child.policy().onFault(), counts);
        checkSibling(child, "compensatedBy", child.policy().compensatedBy(), counts);
      }
    }
  }

  private void checkSibling(
      ActivityNode child, String member, @Nullable String id, Map<String, Integer> counts) {
    if (id != null && counts.getOrDefault(id, 0) <= (child.id().equals(id) ? 1 : 0)) {
      findings.add(
          Severity.ERROR,
          FindingCode.UNKNOWN_ACTIVITY,
          new Findings.About(
              child.type(), child.nodeId(), pointers.getOrDefault(child.nodeId(), "")),
          "/customProperties/" + member,
          "there is no activity \"" + id + "\" beside it",
          findings.nearest(id, counts.keySet()));
    }
  }

  private Map<String, List<ActivityNode>> children(
      Map<String, @Nullable Object> json,
      ActivityDescriptor descriptor,
      Findings.About about,
      Place at) {
    var children = new LinkedHashMap<String, List<ActivityNode>>();
    for (var port : descriptor.ports()) {
      var items = Json.list(Json.member(json, port.property()));
      var detached = PolicyReader.detached(items);
      var found = new ArrayList<ActivityNode>();
      for (var i = 0; i < items.size() && !extent.isFull(about); i++) {
        var item = Json.object(items.get(i));
        var member = port.member();
        var step = at.workflow().user() == null ? Findings.item(json, port.property(), i) : "";
        if (member != null) {
          var held = item == null ? null : Json.object(Json.member(item, member));
          if (item != null && held != null) {
            var in = step.isEmpty() ? "" : step + Findings.member(item, member);
            children.put(port.key(i), List.of(node(held, at.within(about, in, detached))));
          }
        } else if (item != null) {
          found.add(node(item, at.within(about, step, detached)));
        } else {
          findings.error(
              FindingCode.INVALID_ACTIVITY,
              about,
              step,
              "\"" + port.property() + "\" holds something that is not an activity");
        }
      }
      if (port.member() == null) {
        children.put(port.property(), List.copyOf(found));
      }
    }
    return children;
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
    if (id.length() > ID_CHARS_MAX) {
      // Paths repeat the ids of all that is around.
      id = id.substring(0, ID_CHARS_MAX);
      wrongId(type, id, at, "its id is longer than " + ID_CHARS_MAX + " characters");
    }
    if (!ids.add(id)) {
      wrongId(type, id, at, "the activity id \"" + id + "\" is used twice");
    }
    return id;
  }

  /** Every entry of the journal may repeat it. */
  private @Nullable String name(Map<String, @Nullable Object> json, Findings.About about) {
    var name = Json.text(json, "name");
    if (name == null || name.length() <= ID_CHARS_MAX) {
      return name;
    }
    findings.error(
        FindingCode.INVALID_ACTIVITY,
        about,
        "/name",
        "its name is longer than " + ID_CHARS_MAX + " characters");
    return name.substring(0, ID_CHARS_MAX);
  }

  private void wrongId(String type, String id, Place at, String finding) {
    var about = new Findings.About(type, at.path() + ":" + id, at.pointer());
    findings.error(
        FindingCode.INVALID_ACTIVITY_ID, about, at.workflow().user() == null ? "/id" : "", finding);
  }

  private String path(String parentPath, String id) {
    var path = parentPath + ":" + id;
    var unique = path;
    while (!paths.add(unique)) {
      unique = path + "#" + numbered.merge(path, 2, (last, _) -> last + 1);
    }
    return unique;
  }

  private static boolean canStart(Map<String, @Nullable Object> json) {
    var custom = Json.object(Json.member(json, "customProperties"));
    var mark = custom == null ? null : Json.member(custom, "canStartWorkflow");
    return Boolean.TRUE.equals(mark == null ? Json.member(json, "canStartWorkflow") : mark);
  }
}
