package skein.expressions;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.expressions.PlainValues.NotPlainException;

/**
 * A script that only reads its scope and computes: literals, variables, inputs and outputs,
 * members, operators, templates, constants. It has the value here that it has in the engine, or
 * none, and then the engine is asked: for everything that is rare or long to say, and for every
 * error.
 */
final class PlainScript {
  /**
   * Characters of functions' sources that one evaluation goes through, a thirty-second of the
   * characters of texts and a few for each item of a list among them: below a millisecond. The
   * engine does what is more, on a thread of its own and within its limits.
   */
  private static final int WORK_MAX = 100_000;

  private final List<Node> constants;
  private final int parametersMax;
  private final Node result;

  /**
   * @param constants in the order of their places
   * @param parametersMax how many parameters functions have that stand one in the other
   */
  PlainScript(List<Node> constants, int parametersMax, Node result) {
    this.constants = constants;
    this.parametersMax = parametersMax;
    this.result = result;
  }

  /**
   * @throws NotPlainException with these values it is a script for the engine; nothing has happened
   */
  @Nullable Object value(Scope scope, ExpressionLimits limits) {
    var run =
        new Run(
            scope,
            limits.stringCharsMax(),
            new Object[constants.size()],
            new Object[parametersMax]);
    for (var i = 0; i < constants.size(); i++) {
      run.constants[i] = constants.get(i).in(run);
    }
    return PlainValues.out(result.in(run), limits.resultCharsMax());
  }

  /** One evaluation. */
  static final class Run {
    private final Scope scope;
    private final ScopeNames names;
    final long charsMax;
    private final @Nullable Object[] constants;
    final @Nullable Object[] parameters;
    private long left = WORK_MAX;

    private Run(
        Scope scope, long charsMax, @Nullable Object[] constants, @Nullable Object[] parameters) {
      this.scope = scope;
      this.names = new ScopeNames(scope);
      this.charsMax = charsMax;
      this.constants = constants;
      this.parameters = parameters;
    }

    void work(long chars) {
      left -= chars;
      if (left < 0) {
        throw new NotPlainException();
      }
    }

    void workOn(@Nullable Object value) {
      if (value instanceof String text) {
        work(text.length() >> 5);
      }
    }

    private String joined(String left, String right) {
      var text = PlainValues.joined(left, right, charsMax);
      workOn(text);
      return text;
    }
  }

  /** A part of a script. */
  sealed interface Node {
    @Nullable Object in(Run run);
  }

  record Literal(@Nullable Object value) implements Node {
    @Override
    public @Nullable Object in(Run run) {
      return value;
    }
  }

  record Constant(int place) implements Node {
    @Override
    public @Nullable Object in(Run run) {
      return run.constants[place];
    }
  }

  /** {@code getCount()}, where {@code subject} is {@code Count}. */
  record Getter(String subject) implements Node {
    @Override
    public @Nullable Object in(Run run) {
      var input = run.names.inputOf(subject);
      if (input != null) {
        return PlainValues.in(input.getValue());
      }
      var variable = run.names.variableOf(subject);
      if (variable != null) {
        return PlainValues.in(run.scope.variable(variable.id()));
      }
      if (ScopeNames.isOutput(subject)) {
        return PlainValues.in(run.names.outputOf(subject));
      }
      throw new NotPlainException();
    }
  }

  /**
   * A function of Elsa's, which an input or variable may hide.
   *
   * @param arguments texts
   */
  record Known(String subject, Function function, List<String> arguments) implements Node {
    @Override
    public @Nullable Object in(Run run) {
      if (run.names.inputOf(subject) != null || run.names.variableOf(subject) != null) {
        throw new NotPlainException();
      }
      return PlainValues.in(function.value(run, arguments));
    }
  }

  enum Function {
    VARIABLE(1),
    INPUT(1),
    OUTPUT_FROM(2),
    LAST_RESULT(0),
    CORRELATION_ID(0),
    WORKFLOW_INSTANCE_ID(0),
    WORKFLOW_INSTANCE_NAME(0);

    final int arity;

    Function(int arity) {
      this.arity = arity;
    }

    private @Nullable Object value(Run run, List<String> arguments) {
      return switch (this) {
        case VARIABLE -> {
          var variable = run.names.variable(arguments.getFirst());
          yield variable == null ? null : run.scope.variable(variable.id());
        }
        case INPUT -> run.names.input(arguments.getFirst());
        case OUTPUT_FROM -> run.scope.outputFrom(arguments.getFirst(), arguments.getLast());
        case LAST_RESULT -> run.scope.lastResult();
        case CORRELATION_ID -> run.scope.workflow().correlationId();
        case WORKFLOW_INSTANCE_ID -> run.scope.workflow().instanceId();
        case WORKFLOW_INSTANCE_NAME -> run.scope.workflow().name();
      };
    }
  }

  /** {@code variables.Count}. */
  record OfVariables(String name) implements Node {
    @Override
    public @Nullable Object in(Run run) {
      var variable = run.names.variable(name);
      if (variable == null) {
        throw new NotPlainException();
      }
      return PlainValues.in(run.scope.variable(variable.id()));
    }
  }

  /** {@code args}. */
  record Inputs() implements Node {
    @Override
    public Object in(Run run) {
      return run.scope.inputs();
    }
  }

  /** A value and its members one in the other; a {@code ?.} ends all of it with undefined. */
  record Chain(Node start, List<Link> links) implements Node {
    @Override
    public @Nullable Object in(Run run) {
      var value = start.in(run);
      for (var link : links) {
        if (link.optional() && PlainValues.isNullish(value)) {
          return PlainValues.UNDEFINED;
        }
        value = link.of(value, run);
      }
      return value;
    }
  }

  /** The rest after a value: a member of it, or a method with its arguments. */
  interface Link {
    boolean optional();

    @Nullable Object of(@Nullable Object holder, Run run);
  }

  record Member(Node key, boolean optional) implements Link {
    @Override
    public @Nullable Object of(@Nullable Object holder, Run run) {
      return PlainValues.member(holder, key.in(run));
    }
  }

  /** A parameter of a function. */
  record Parameter(int place) implements Node {
    @Override
    public @Nullable Object in(Run run) {
      return run.parameters[place];
    }
  }

  record Unary(char operator, Node operand) implements Node {
    @Override
    public Object in(Run run) {
      var value = operand.in(run);
      return switch (operator) {
        case '!' -> !PlainValues.isTrue(value);
        case '-' -> -PlainValues.number(value);
        case '+' -> PlainValues.number(value);
        default -> PlainValues.typeOf(value);
      };
    }
  }

  /** {@code operator}: of those that look at both sides. */
  record Binary(String operator, Node left, Node right) implements Node {
    @Override
    public Object in(Run run) {
      var one = left.in(run);
      var other = right.in(run);
      run.workOn(one);
      run.workOn(other);
      return switch (operator) {
        case "+" -> PlainValues.sum(one, other, run.charsMax);
        case "-" -> PlainValues.number(one) - PlainValues.number(other);
        case "*" -> PlainValues.number(one) * PlainValues.number(other);
        case "/" -> PlainValues.number(one) / PlainValues.number(other);
        case "%" -> PlainValues.number(one) % PlainValues.number(other);
        case "<" -> PlainValues.less(one, other);
        case ">" -> PlainValues.less(other, one);
        case "<=" -> PlainValues.lessOrEqual(one, other);
        case ">=" -> PlainValues.lessOrEqual(other, one);
        case "===" -> PlainValues.same(one, other);
        case "!==" -> !PlainValues.same(one, other);
        case "==" -> PlainValues.alike(one, other);
        case "!=" -> !PlainValues.alike(one, other);
        default -> throw new NotPlainException();
      };
    }
  }

  /** {@code operator}: {@code &&}, {@code ||} or {@code ??}. */
  record Choice(String operator, Node left, Node right) implements Node {
    @Override
    public @Nullable Object in(Run run) {
      var value = left.in(run);
      var taken =
          switch (operator) {
            case "&&" -> !PlainValues.isTrue(value);
            case "||" -> PlainValues.isTrue(value);
            default -> !PlainValues.isNullish(value);
          };
      return taken ? value : right.in(run);
    }
  }

  record Conditional(Node condition, Node then, Node otherwise) implements Node {
    @Override
    public @Nullable Object in(Run run) {
      return PlainValues.isTrue(condition.in(run)) ? then.in(run) : otherwise.in(run);
    }
  }

  record Template(List<Node> parts) implements Node {
    @Override
    public Object in(Run run) {
      var text = "";
      for (var part : parts) {
        text = run.joined(text, PlainValues.text(part.in(run)));
      }
      return text;
    }
  }

  record Items(List<Node> items) implements Node {
    @Override
    public Object in(Run run) {
      var list = new ArrayList<@Nullable Object>(items.size());
      for (var item : items) {
        list.add(item.in(run));
      }
      return list;
    }
  }

  record Members(Map<String, Node> members) implements Node {
    @Override
    public Object in(Run run) {
      var map = LinkedHashMap.<String, @Nullable Object>newLinkedHashMap(members.size());
      members.forEach((name, member) -> map.put(name, member.in(run)));
      return map;
    }
  }
}
