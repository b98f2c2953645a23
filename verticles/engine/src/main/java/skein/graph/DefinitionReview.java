package skein.graph;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import skein.activities.ActivityMembers;
import skein.activities.ActivityNode;
import skein.activities.Input;
import skein.activities.Json;
import skein.activities.UnknownActivity;
import skein.activities.VariableDeclaration;
import skein.activities.WorkflowActivity;
import skein.expressions.Expression;
import skein.expressions.ExpressionException;
import skein.expressions.Expressions;
import skein.graph.Findings.About;
import skein.model.Finding.Severity;
import skein.model.FindingCode;
import skein.model.WorkflowDefinition;

/**
 * Looks in a compiled definition for what runs, but hardly as it was meant: misspelt members,
 * literals of the wrong type, unknown variables. Used once.
 */
final class DefinitionReview {
  /** The variable of an activity that runs instead of one that failed. */
  private static final String FAULT = "Fault";

  private final WorkflowDefinition definition;
  private final Graph graph;
  private final Map<String, String> pointers;
  private final Findings findings;
  private final Set<String> outputs = new HashSet<>();
  private final Map<String, Set<String>> members = new HashMap<>();

  DefinitionReview(
      WorkflowDefinition definition, Graph graph, Map<String, String> pointers, Findings findings) {
    this.definition = definition;
    this.graph = graph;
    this.pointers = pointers;
    this.findings = findings;
  }

  /** Workflows that are used were looked at when they were published themselves. */
  void run() {
    for (var item : Json.list(definition.json().get("outputs"))) {
      var output = Json.object(item);
      var name = output == null ? null : Json.text(output, "name");
      if (name != null) {
        outputs.add(name);
      }
    }
    review(graph.root(), names(graph.variables()));
  }

  private static Set<String> names(List<VariableDeclaration> declared) {
    var names = new LinkedHashSet<String>();
    for (var variable : declared) {
      names.add(variable.name());
      names.add(variable.id());
    }
    return names;
  }

  /** {@code visible}: names and ids of the variables around the activity. */
  private void review(ActivityNode node, Set<String> visible) {
    var about = about(node);
    var scope = visible;
    boolean use = node.activity() instanceof WorkflowActivity;
    if (!use && !node.variables().isEmpty()) {
      scope = new LinkedHashSet<>(visible);
      scope.addAll(names(node.variables()));
    }
    if (!(node.activity() instanceof UnknownActivity)) {
      reviewMembers(node, about);
      reviewBindings(node, about, scope);
      new PolicyReview(node, findings, about).run();
      node.activity()
          .review(
              node,
              (at, code, member, finding, suggestion) ->
                  warn(code, about(at), member, finding, suggestion));
    }
    if (use) {
      return;
    }
    var given = node.activity().givenVariables();
    if (!given.isEmpty()) {
      scope = new LinkedHashSet<>(scope);
      scope.addAll(given);
    }
    for (var held : node.children().values()) {
      for (var child : held) {
        review(child, child.detached() ? with(scope, FAULT) : scope);
      }
    }
  }

  private static Set<String> with(Set<String> names, String name) {
    var more = new LinkedHashSet<>(names);
    more.add(name);
    return more;
  }

  private About about(ActivityNode node) {
    return new About(node.type(), node.nodeId(), pointers.getOrDefault(node.nodeId(), ""));
  }

  private void warn(
      FindingCode code, About about, String member, String finding, @Nullable String suggestion) {
    findings.add(Severity.WARNING, code, about, member, finding, suggestion);
  }

  private void reviewMembers(ActivityNode node, About about) {
    var known =
        members.computeIfAbsent(
            node.descriptor().typeName() + " " + node.version(),
            _ -> ActivityMembers.of(node.descriptor()));
    for (var name : node.json().keySet()) {
      if (name.isEmpty() || name.startsWith("$") || name.startsWith("_") || known.contains(name)) {
        continue;
      }
      if (!known.contains(Character.toLowerCase(name.charAt(0)) + name.substring(1))) {
        warn(
            FindingCode.UNKNOWN_INPUT,
            about,
            Findings.step(name),
            "it has no input, output or port \"" + name + "\", so it is ignored",
            findings.nearest(name, known));
      }
    }
  }

  private void reviewBindings(ActivityNode node, About about, Set<String> visible) {
    for (var input : node.descriptor().inputs()) {
      var member = Findings.member(node.json(), input.property());
      var binding = node.input(input);
      if (binding != null) {
        reviewLiteral(binding, input, about, member);
        reviewNames(binding.expression(), about, member, visible);
      } else if (input.isUnbound()) {
        reviewReference(node, input, about, member, visible);
      } else {
        reviewEmpty(node, input, about, member);
      }
    }
    for (var expression : node.activity().expressions(node.json())) {
      reviewNames(expression, about, "", visible);
    }
    for (var output : node.descriptor().outputs()) {
      var target = node.boundTo(output);
      if (target != null && !visible.contains(target) && !outputs.contains(target)) {
        var candidates = new LinkedHashSet<>(visible);
        candidates.addAll(outputs);
        warn(
            FindingCode.UNKNOWN_VARIABLE,
            about,
            Findings.member(node.json(), output.property()) + "/memoryReference/id",
            "its output "
                + output.name()
                + " goes to \""
                + target
                + "\", which is neither a variable nor an output of the workflow",
            findings.nearest(target, candidates));
      }
    }
  }

  private void reviewLiteral(
      ActivityNode.Binding binding, Input input, About about, String member) {
    if (!binding.expression().type().equalsIgnoreCase("Literal")) {
      return;
    }
    try {
      Expressions.convert(binding.expression().value(), binding.typeName());
    } catch (ExpressionException e) {
      warn(
          FindingCode.WRONG_TYPE,
          about,
          member,
          "the input "
              + input.name()
              + " is wrong: "
              + e.getMessage()
              + LiteralForms.hint(binding.typeName()),
          null);
    }
  }

  /** Something stands there, and is taken for nothing. */
  private void reviewEmpty(ActivityNode node, Input input, About about, String member) {
    var wrapped = Json.object(Json.member(node.json(), input.property()));
    if (wrapped == null) {
      return;
    }
    var expression = Json.object(wrapped.get("expression"));
    if (expression != null && Json.text(expression, "type") == null) {
      warn(
          FindingCode.INVALID_EXPRESSION,
          about,
          member + "/expression",
          "the expression of the input " + input.name() + " has no type, so it is ignored",
          null);
    }
    for (var name : wrapped.keySet()) {
      if (!Set.of("typeName", "expression", "memoryReference").contains(name)
          && "expression".equals(findings.nearest(name, List.of("expression")))) {
        warn(
            FindingCode.UNKNOWN_INPUT,
            about,
            member + Findings.step(name),
            "the input " + input.name() + " has a member \"" + name + "\", which is ignored",
            "expression");
      }
    }
  }

  /** A variable that is named without an expression, as that of SetVariable. */
  private void reviewReference(
      ActivityNode node, Input input, About about, String member, Set<String> visible) {
    if (!input.typeName().equals("Variable")) {
      return;
    }
    var reference = node.raw(input.property());
    var named =
        switch (reference) {
          case String text -> List.of(text);
          case Map<?, ?> map ->
              Stream.of(map.get("id"), map.get("name"))
                  .filter(String.class::isInstance)
                  .map(String.class::cast)
                  .toList();
          case null, default -> List.<String>of();
        };
    if (!named.isEmpty() && named.stream().noneMatch(visible::contains)) {
      unknownVariable(named.getLast(), about, member, visible);
    }
  }

  private void reviewNames(Expression expression, About about, String member, Set<String> visible) {
    for (var name : named(expression)) {
      if (!visible.contains(name)) {
        unknownVariable(name, about, member, visible);
      }
    }
  }

  private static Set<String> named(Expression expression) {
    var source = expression.value() instanceof String text ? text : "";
    return switch (expression.type().toLowerCase(Locale.ROOT)) {
      case "variable" -> {
        var name = Expressions.variableName(expression);
        yield name == null ? Set.of() : Set.of(name);
      }
      case "javascript" -> ScriptVariables.ofJavaScript(source);
      case "liquid" -> ScriptVariables.ofLiquid(source);
      default -> Set.of();
    };
  }

  private void unknownVariable(String name, About about, String member, Set<String> visible) {
    warn(
        FindingCode.UNKNOWN_VARIABLE,
        about,
        member,
        "there is no variable \"" + name + "\"",
        findings.nearest(name, visible));
  }
}
