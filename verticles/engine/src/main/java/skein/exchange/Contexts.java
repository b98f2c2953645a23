package skein.exchange;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import skein.activities.ActivityNode;
import skein.activities.ChildOrder;
import skein.activities.ElsaProperties;
import skein.activities.UnknownActivity;
import skein.activities.VariableDeclaration;
import skein.activities.WorkflowActivity;
import skein.expressions.ExpressionException;
import skein.graph.Graph;
import skein.model.ActivityExecution;
import skein.model.ActivityStatus;
import skein.model.Bookmark;

/** The activity executions that a file has under way, from Elsa's contexts. */
final class Contexts {
  private static final Set<String> OVER = Set.of("completed", "canceled");

  private final Members state;
  private final Graph graph;
  private final ContextIds ids;

  /** Those that are under way, by id; older versions of Elsa keep those that are over, too. */
  private final Map<String, Members> given = new LinkedHashMap<>();

  private final Set<String> over = new HashSet<>();
  private final Set<String> placed = new HashSet<>();
  private final Variables older;
  private @Nullable Members workflow;
  private @Nullable Members root;

  Contexts(Members state, Graph graph, ContextIds ids) {
    this.state = state;
    this.graph = graph;
    this.ids = ids;
    this.older = new Variables().add(state.object("properties"));
    var all = state.each("activityExecutionContexts");
    all.stream().filter(Contexts::isWorkflow).forEach(this::setWorkflow);
    for (var context : all) {
      var id = context.required("id");
      if (isOver(context)) {
        over.add(id);
      } else if (given.put(id, context) != null) {
        throw ImportRefusals.at(context.path("id"), "another context has it");
      }
    }
  }

  private void setWorkflow(Members context) {
    if (workflow != null) {
      throw ImportRefusals.at(
          context.path("scheduledActivityNodeId"), "there is another context of the workflow");
    }
    workflow = context;
  }

  /** The root stays, because it has the workflow's variables. */
  private boolean isOver(Members context) {
    return context != workflow
        && (workflow == null || !workflow.required("id").equals(context.text("parentContextId")))
        && OVER.contains(context.required("status").toLowerCase(Locale.ROOT));
  }

  /** How many there are beside the workflow's own. */
  int size() {
    return workflow == null ? given.size() : given.size() - 1;
  }

  /** Parents before their children, and those that began first. */
  void number() {
    given.keySet().forEach(ids::see);
    if (workflow != null) {
      var id = workflow.required("id");
      ids.fix(id, ContextIds.WORKFLOW);
      placed.add(id);
    }
    var children = new HashMap<String, List<Members>>();
    for (var context : given.values()) {
      if (context != workflow) {
        children.computeIfAbsent(parent(context), _ -> new ArrayList<>()).add(context);
      }
    }
    var first = Comparator.<Members, Instant>comparing(c -> c.requiredTime("startedAt"));
    var open = new PriorityQueue<>(first);
    placed.forEach(id -> open.addAll(children.getOrDefault(id, List.of())));
    while (!open.isEmpty()) {
      var context = open.remove();
      place(context);
      open.addAll(children.getOrDefault(context.required("id"), List.of()));
    }
    for (var context : given.values()) {
      if (!placed.contains(context.required("id"))) {
        throw ImportRefusals.at(context.path("parentContextId"), "it is below itself");
      }
    }
  }

  private String parent(Members context) {
    var parentId = context.text("parentContextId");
    if (parentId == null || parentId.isEmpty()) {
      throw ImportRefusals.at(
          context.path("parentContextId"), "only the workflow itself has no parent");
    }
    if (!given.containsKey(parentId)) {
      throw ImportRefusals.at(context.path("parentContextId"), "it names none of the contexts");
    }
    return parentId;
  }

  private void place(Members context) {
    var id = context.required("id");
    if (Integer.valueOf(ContextIds.WORKFLOW).equals(ids.known(parent(context)))) {
      root(context, id);
    } else {
      ids.number(id);
    }
    placed.add(id);
  }

  private void root(Members context, String id) {
    if (root != null) {
      throw ImportRefusals.at(
          context.path("parentContextId"), "the workflow has another root already");
    }
    if (!nodeId(context).equals(graph.root().nodeId())) {
      throw ImportRefusals.at(
          context.path("scheduledActivityNodeId"),
          "the root of the definition here is "
              + graph.root().nodeId()
              + ": import the definition as it was when the instance began");
    }
    root = context;
    ids.fix(id, ContextIds.ROOT);
  }

  /** The number of one that is in the file, and is not the workflow itself; else null. */
  @Nullable Integer execution(@Nullable String id) {
    var number = ids.known(id);
    return id == null || !placed.contains(id) || isWorkflow(number) ? null : number;
  }

  private static boolean isWorkflow(@Nullable Integer number) {
    return number != null && number == ContextIds.WORKFLOW;
  }

  private static boolean isWorkflow(Members context) {
    return context.required("scheduledActivityNodeId").indexOf(':') < 0;
  }

  private String nodeId(Members context) {
    return NodePaths.here(graph, context.required("scheduledActivityNodeId"));
  }

  /** In order of their numbers; {@code bookmarks}: where they wait. */
  List<ActivityExecution> executions(List<Bookmark> bookmarks) {
    var found = new ArrayList<Found>();
    var byNumber = new HashMap<Integer, Found>();
    for (var context : given.values()) {
      if (context != workflow) {
        var one = find(context);
        found.add(one);
        byNumber.put(one.number, one);
      }
    }
    var waits = bookmarks.stream().collect(Collectors.groupingBy(Bookmark::execution));
    for (var one : found) {
      one.memory.putAll(memory(one, waits.getOrDefault(one.number, List.of())));
    }
    checkCallbacks();
    return found.stream()
        .map(one -> execution(one, byNumber.get(one.parent)))
        .sorted(Comparator.comparingInt(ActivityExecution::number))
        .toList();
  }

  /**
   * @param node null where the definition does not have it and the context is ours
   * @param own what Elsa has no place for; null in contexts of Elsa's
   */
  private record Found(
      Members context,
      int number,
      int parent,
      String nodeId,
      @Nullable ActivityNode node,
      @Nullable Map<String, @Nullable Object> own,
      Map<String, @Nullable Object> memory) {}

  private Found find(Members context) {
    var nodeId = nodeId(context);
    var node = graph.node(nodeId);
    var kept = context.within("properties").get(ContextWriter.OWN);
    var own = kept instanceof Map<?, ?> map ? Members.of(map) : null;
    if (own == null) {
      checkKnown(context, nodeId, node);
    }
    var parent = ids.known(context.text("parentContextId"));
    return new Found(
        context,
        ids.number(context.required("id")),
        parent == null ? ContextIds.WORKFLOW : parent,
        nodeId,
        node,
        own,
        new LinkedHashMap<>());
  }

  private static void checkKnown(Members context, String nodeId, @Nullable ActivityNode node) {
    var member = context.path("scheduledActivityNodeId");
    if (node == null) {
      throw ImportRefusals.at(
          member,
          "the definition here has no activity "
              + nodeId
              + ": import the definition as it was when the instance began");
    }
    if (node.activity() instanceof UnknownActivity) {
      throw ImportRefusals.at(
          member, "activities of the type " + node.type() + " are not known here: install them");
    }
    if (node.activity() instanceof WorkflowActivity) {
      throw ImportRefusals.at(
          member,
          "the workflow that it uses as activity "
              + nodeId
              + " is under way, whose scope differs in Elsa: export it when that has ended");
    }
  }

  private static Map<String, @Nullable Object> memory(Found one, List<Bookmark> bookmarks) {
    var own = one.own;
    if (one.node == null) {
      return own == null ? Map.of() : own;
    }
    var properties = one.context.object("properties");
    try {
      var memory =
          new LinkedHashMap<String, @Nullable Object>(
              ElsaProperties.read(one.node, properties, one.context.object("activityState"), own));
      if (own == null) {
        long children = 0;
        for (var bookmark : bookmarks) {
          children += Bookmarks.children(bookmark, ElsaProperties.childrenLeft(memory));
        }
        if (children > 0) {
          memory.put(ChildOrder.AWAITED, children);
        }
      }
      return memory;
    } catch (ElsaProperties.MissingInputException e) {
      throw ImportRefusals.at(
          one.context.path("activityState." + e.input()),
          "it is missing, and the definition does not spell it out: "
              + "the activity cannot continue without it");
    } catch (ExpressionException e) {
      throw ImportRefusals.at(
          one.context.path("activityState"),
          "activity " + one.nodeId + " cannot read it: " + e.getMessage());
    }
  }

  /** Whether it waits for other instances, which report their ends to it without a bookmark. */
  static boolean waitsForChildren(ActivityExecution execution) {
    return execution.memory().get(ChildOrder.AWAITED) instanceof Long children && children > 0;
  }

  private ActivityExecution execution(Found one, @Nullable Found parent) {
    return new ActivityExecution(
        one.number,
        one.parent,
        one.nodeId,
        status(one.context),
        variables(one, parent),
        Collections.unmodifiableMap(one.memory),
        one.context.text("tag"),
        one.context.requiredTime("startedAt"));
  }

  private static ActivityStatus status(Members context) {
    var status = context.required("status");
    for (var known : ActivityStatus.values()) {
      if (known.name().equalsIgnoreCase(status)) {
        return known;
      }
    }
    throw ImportRefusals.at(
        context.path("status"),
        "an activity that is " + status + " has not begun: export it when it is suspended");
  }

  private Map<String, @Nullable Object> variables(Found one, @Nullable Found parent) {
    var properties = one.context.object("properties");
    var variables = new Variables().add(properties).addOf(one.context.required("id"), older);
    var all = new LinkedHashMap<String, @Nullable Object>();
    if (one.number == ContextIds.ROOT) {
      all.putAll(workflowVariables());
    }
    if (one.node != null) {
      all.putAll(variables.take(one.node.variables(), one.node.id()));
    }
    var given =
        parent == null || parent.node == null
            ? Map.<String, @Nullable Object>of()
            : ElsaProperties.loopVariables(parent.node, parent.memory);
    all.putAll(variables.takeOthers(one.context.each("dynamicVariables"), given));
    return all;
  }

  /** Those of the workflow are the root's here. */
  private Map<String, @Nullable Object> workflowVariables() {
    var context = workflow;
    var variables = new Variables();
    List<VariableDeclaration> declared = graph.variables();
    if (context == null) {
      return variables.add(state.object("properties")).take(declared, "Workflow1");
    }
    variables.addOf(context.required("id"), older).add(context.object("properties"));
    var all =
        new LinkedHashMap<String, @Nullable Object>(
            variables.take(declared, context.required("scheduledActivityNodeId")));
    all.putAll(variables.takeOthers(context.each("dynamicVariables"), Map.of()));
    return all;
  }

  /** A container that is told of an unknown child would wait for ever. */
  private void checkCallbacks() {
    for (var callback : state.each("completionCallbacks")) {
      var owner = callback.text("ownerInstanceId");
      if (owner == null || (!placed.contains(owner) && !over.contains(owner))) {
        throw ImportRefusals.at(
            callback.path("ownerInstanceId"), "it names none of the activityExecutionContexts");
      }
    }
  }
}
