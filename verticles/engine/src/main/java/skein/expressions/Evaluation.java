package skein.expressions;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import skein.expressions.Scope.VariableInfo;
import skein.pacing.Pace;
import skein.scripts.ScriptHost;

/**
 * One evaluation: what it sees of the scope, and what it has asked to change. Changes reach the
 * scope when the script has ended well, so a script that fails changes nothing.
 */
final class Evaluation implements ScriptHost {
  /** Loops and calls of a script between two looks at the clock. */
  private static final int INSTRUCTIONS_PER_CHECK = 1_000;

  private static final double RANDOM_UNIT = 0x1.0p-53;

  private final Scope scope;
  private final ExpressionLimits limits;
  private final EvaluationTime time;
  private final Map<String, String> configuration;
  private final ScopeNames names;

  /** The variables that the script has asked for, by the numbers that it knows them by. */
  private final List<Held> held = new ArrayList<>();

  private long instructions;
  private @Nullable Pending correlationId;
  private @Nullable Pending name;
  private @Nullable List<String> outcomes;
  private final List<Scope.Link> links = new ArrayList<>();

  private record Pending(@Nullable String value) {}

  private record Held(VariableInfo variable, @Nullable Object original) {}

  private record Change(String variableId, @Nullable Object value) {}

  Evaluation(
      Scope scope,
      ExpressionLimits limits,
      EvaluationClocks clocks,
      Map<String, String> configuration) {
    this.scope = scope;
    this.limits = limits;
    this.time = new EvaluationTime(limits.times(), clocks);
    this.configuration = configuration;
    this.names = new ScopeNames(scope);
  }

  @Override
  public void check() {
    instructions += INSTRUCTIONS_PER_CHECK;
    if (instructions > limits.instructionsMax()) {
      throw new BudgetExceededError(
          "more than " + limits.instructionsMax() + " instructions (expressions.instructions-max)");
    }
    time.check();
    Pace.pause();
  }

  @Override
  public long epochMillis() {
    return scope.now().toEpochMilli();
  }

  @Override
  public @Nullable String call(int function, String argument) {
    var answer = answer(HostFunction.of(function), argument);
    if (answer != null && answer.length() > limits.stringCharsMax()) {
      throw new BudgetExceededError(longString(limits));
    }
    return answer;
  }

  static String longString(ExpressionLimits limits) {
    return "a string of more than "
        + limits.stringCharsMax()
        + " characters (expressions.string-chars-max)";
  }

  private @Nullable String answer(HostFunction function, String argument) {
    return switch (function) {
      case ACCESSOR -> accessor(argument, true);
      case ACCESSOR_BUT_OUTPUT -> accessor(argument, false);
      case VARIABLE -> {
        var variable = names.variable(argument);
        yield variable == null ? null : hold(variable);
      }
      case VARIABLE_NAMES ->
          json(scope.variables().stream().map(VariableInfo::name).distinct().toList());
      case INPUTS -> ScriptValues.in(scope.inputs());
      case INPUT -> ScriptValues.in(names.input(argument));
      case OUTPUT -> ScriptValues.in(output(list(argument)));
      case LAST_RESULT -> ScriptValues.in(scope.lastResult());
      case WORKFLOW -> json(workflow(scope.workflow()));
      case CORRELATION_ID ->
          json(correlationId == null ? scope.workflow().correlationId() : correlationId.value);
      case INSTANCE_NAME -> json(name == null ? scope.workflow().name() : name.value);
      case SET_CORRELATION_ID -> {
        correlationId = new Pending((String) ScriptValues.out(argument));
        yield null;
      }
      case SET_INSTANCE_NAME -> {
        name = new Pending((String) ScriptValues.out(argument));
        yield null;
      }
      case SET_OUTCOMES -> {
        outcomes = list(argument).stream().map(String::valueOf).toList();
        yield null;
      }
      case GUID -> json(ScriptBytes.guid(scope).toString());
      case SHORT_GUID -> json(ScriptBytes.shortGuid(ScriptBytes.guid(scope)));
      case PARSE_GUID -> json(ScriptBytes.parseGuid(text(argument)));
      case BYTES -> ScriptBytes.json(ScriptBytes.of(ScriptValues.out(argument)));
      case BYTES_OF_TEXT -> ScriptBytes.json(ScriptBytes.utf8(text(argument)));
      case TEXT_OF_BYTES -> json(ScriptBytes.text(ScriptBytes.of(ScriptValues.out(argument))));
      case BASE64_OF_BYTES -> json(ScriptBytes.base64(ScriptBytes.of(ScriptValues.out(argument))));
      case BASE64_OF_TEXT -> json(ScriptBytes.base64(ScriptBytes.utf8(text(argument))));
      case CONFIGURED -> json(configured(text(argument)));
      case EVENT_LINK -> link(list(argument), scope::eventLink);
      case BOOKMARK_LINK -> link(list(argument), scope::bookmarkLink);
      case RANDOM -> Double.toString((scope.random() >>> 11) * RANDOM_UNIT);
      case EXCEEDED -> throw exceeded(argument);
    };
  }

  private @Nullable String accessor(String function, boolean mayBeOutput) {
    var subject = function.substring(3);
    var input = function.startsWith("get") ? names.inputOf(subject) : null;
    if (input != null) {
      return "i" + ScriptValues.in(input.getValue());
    }
    var variable = names.variableOf(subject);
    if (variable != null) {
      return "v" + hold(variable);
    }
    return mayBeOutput && function.startsWith("get") && ScopeNames.isOutput(subject)
        ? "o" + ScriptValues.in(names.outputOf(subject))
        : null;
  }

  private String hold(VariableInfo variable) {
    for (var i = 0; i < held.size(); i++) {
      if (held.get(i).variable.id().equals(variable.id())) {
        return i + ":" + ScriptValues.in(held.get(i).original);
      }
    }
    var original = scope.variable(variable.id());
    held.add(new Held(variable, original));
    return held.size() - 1 + ":" + ScriptValues.in(original);
  }

  private static Map<String, Object> workflow(Scope.WorkflowInfo workflow) {
    return Map.of(
        "instanceId", workflow.instanceId(),
        "definitionId", workflow.definitionId(),
        "versionId", workflow.versionId(),
        "version", workflow.version());
  }

  private @Nullable Object output(List<?> activityAndOutput) {
    return scope.outputFrom(
        String.valueOf(activityAndOutput.getFirst()), (String) activityAndOutput.getLast());
  }

  private String configured(String name) {
    var value = configuration.get(name);
    if (value == null) {
      throw new RefusalException(notConfigured(name));
    }
    return value;
  }

  static String notConfigured(String name) {
    return "expressions may not read the configuration value " + name;
  }

  private String link(
      List<?> targetAndUntil, BiFunction<String, @Nullable Object, Scope.Link> maker) {
    try {
      var link = maker.apply(String.valueOf(targetAndUntil.getFirst()), targetAndUntil.getLast());
      links.add(link);
      return json(link.url());
    } catch (IllegalArgumentException e) {
      throw new RefusalException(String.valueOf(e.getMessage()));
    }
  }

  private BudgetExceededError exceeded(String limit) {
    return new BudgetExceededError(
        limit.equals("result")
            ? "a value of more than "
                + limits.resultCharsMax()
                + " characters (expressions.result-chars-max)"
            : "a value nested deeper than " + ScriptValues.DEPTH_MAX + " levels");
  }

  private static String json(@Nullable Object value) {
    return ScriptValues.json(value);
  }

  private static List<?> list(String json) {
    return ScriptValues.out(json) instanceof List<?> list ? list : List.of();
  }

  private static String text(String json) {
    return String.valueOf(ScriptValues.out(json));
  }

  /**
   * Ends the evaluation with what the prelude made of it. Everything is converted before anything
   * is set.
   */
  @Nullable Object end(String made) {
    var parts = list(made);
    var changes = new ArrayList<Change>();
    for (var part : parts.subList(1, parts.size())) {
      if (part instanceof List<?> change) {
        var variable = held.get(((Number) change.getFirst()).intValue());
        var value = change.getLast();
        if (Boolean.TRUE.equals(change.get(1)) || !Numbers.sameJson(variable.original, value)) {
          changes.add(new Change(variable.variable.id(), value));
        }
      }
    }
    time.check();
    changes.forEach(this::set);
    if (correlationId != null) {
      scope.setCorrelationId(correlationId.value);
    }
    if (name != null) {
      scope.setName(name.value);
    }
    if (outcomes != null) {
      scope.setOutcomes(outcomes);
    }
    links.forEach(link -> link.keep().run());
    return parts.getFirst();
  }

  private void set(Change change) {
    if (!scope.setVariable(change.variableId, change.value)) {
      throw new IllegalStateException(
          "a variable that the scope lists cannot be set: " + change.variableId);
    }
  }
}
