package skein.activities;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import skein.expressions.Expression;
import skein.expressions.Expressions;
import skein.expressions.Scope;

/** The common part of activities that run SQL: the data source, the text, its values. */
final class SqlCall {
  static final Input CLIENT =
      Input.of("Client", "String").described("Ignored by Skein; kept for Elsa.");
  static final Input SOURCE =
      Input.of("ConnectionString", "String")
          .secret(Input.Secrecy.CONNECTION)
          .described("The name of a data source, or a secret of the nodes: the URL of a database.");

  /** The language of statements; no other input has it. */
  private static final String SQL = "Sql";

  static final Input QUERY =
      Input.own("Query", "String")
          .edited(Editor.CODE)
          .written(SQL)
          .described(
              "The statement; {{Variables.name}} and @name are passed as parameters, never as text.");
  static final Input COMMAND =
      Input.own("Command", "String")
          .edited(Editor.CODE)
          .written(SQL)
          .described(
              "The statement; {{Variables.name}} and @name are passed as parameters, never as text.");

  /**
   * The former name of the statement of {@code Elsa.SqlSingleValue}; read where there is no other.
   */
  static final String FORMER_COMMAND = "query";

  static final Input PARAMETERS =
      Input.of("Parameters", "Object").described("Values of @name in the statement, by name.");

  private static final Pattern SOURCE_NAME = Pattern.compile("[A-Za-z0-9_-]{1,100}");
  private static final Set<String> ROOTS = Set.of("Variable", "Variables", "Input", "Inputs");

  private static final String NO_CONNECTION_STRING =
      "ConnectionString must be the name of a data source of the configuration"
          + " (data-sources.<name>.url) or a secret, not a connection string";

  private SqlCall() {}

  /**
   * Where an activity has its statement.
   *
   * @param former what the member was called, read where the input has none; null: nothing else
   */
  record Statement(Input input, @Nullable String former) {
    Statement(Input input) {
      this(input, null);
    }

    @Nullable Expression expression(Map<String, @Nullable Object> json) {
      var given = Json.member(json, input.property());
      return SqlCall.expression(
          given == null && former != null ? Json.member(json, former) : given);
    }
  }

  /** {@code mode}: what is made of the rows, {@code rows}, {@code count} or {@code value}. */
  static WorkOrder order(ActivityContext context, Statement statement, String mode) {
    var secret = secret(context.node());
    var source = secret == null ? source(context) : null;
    var sql = sql(context, statement);
    var values = new ArrayList<@Nullable Object>();
    var parts = new ArrayList<String>();
    var part = new StringBuilder(sql.parts().getFirst());
    var parameters = parameters(context.get(PARAMETERS));
    for (var i = 0; i < sql.names().size(); i++) {
      var name = sql.names().get(i);
      if (name.startsWith("@") && !parameters.containsKey(name.substring(1))) {
        part.append(name); // Not ours: a variable of the database, or a mistake that it reports.
      } else {
        parts.add(part.toString());
        part.setLength(0);
        values.add(name.startsWith("@") ? parameters.get(name.substring(1)) : value(context, name));
      }
      part.append(sql.parts().get(i + 1));
    }
    parts.add(part.toString());
    return new WorkOrder(
        WorkOrder.SQL,
        Json.members(
            "source", source, "secret", secret, "mode", mode, "parts", parts, "values", values));
  }

  private static String source(ActivityContext context) {
    var source = context.required(SOURCE).strip();
    if (!SOURCE_NAME.matcher(source).matches()) {
      throw new FaultException("ConnectionStringRefused", NO_CONNECTION_STRING);
    }
    return source;
  }

  /** The name of the secret that is the URL of the database; null where the input is another. */
  private static @Nullable String secret(ActivityNode node) {
    var binding = node.input(SOURCE);
    return binding != null && Expressions.isSecret(binding.expression())
        ? Expressions.secretName(binding.expression())
        : null;
  }

  static @Nullable Object result(Resumption resumption) {
    var result = WorkResult.read(resumption.input());
    if (result == null) {
      throw new FaultException("WorkFailed", "The statement ended without a result");
    }
    return result.orFault().get("result");
  }

  private static SqlText sql(ActivityContext context, Statement statement) {
    if (context.node().plan() instanceof SqlText ready) {
      return ready;
    }
    var expression = statement.expression(context.node().json());
    var text = expression == null ? null : (String) context.evaluate(expression, "String");
    if (text == null || text.isBlank()) {
      throw new FaultException(
          "MissingInput", "The input " + statement.input().name() + " is empty");
    }
    try {
      return SqlText.parse(text);
    } catch (IllegalArgumentException e) {
      throw new FaultException("InvalidStatement", String.valueOf(e.getMessage()));
    }
  }

  /** A list gives {@code @1}, {@code @2} and so on. */
  private static Map<String, @Nullable Object> parameters(@Nullable Object given) {
    var named = Json.object(given);
    if (named != null) {
      return named;
    }
    var numbered = Json.members();
    for (var item : Json.list(given)) {
      numbered.put(String.valueOf(numbered.size() + 1), item);
    }
    return numbered;
  }

  /** A value under Elsa's name, or {@code IdempotencyKey}: the same for every attempt. */
  private static @Nullable Object value(ActivityContext context, String path) {
    var scope = context.scope();
    var workflow = scope.workflow();
    return switch (path) {
      case "IdempotencyKey" -> context.instanceId() + ":" + context.execution();
      case "Workflow.Definition.Id" -> workflow.definitionId();
      case "Workflow.Definition.Version.Id" -> workflow.versionId();
      case "Workflow.Definition.Version" -> (long) workflow.version();
      case "Workflow.Instance.Id" -> workflow.instanceId();
      case "Correlation.Id" -> workflow.correlationId();
      case "LastResult" -> scope.lastResult();
      default -> nested(scope, path);
    };
  }

  private static @Nullable Object nested(Scope scope, String path) {
    var names = path.split("\\.", -1);
    var root = names.length < 2 ? "" : names[0];
    Object value =
        switch (root) {
          case "Variables", "Variable" -> scope.variable(names[1]);
          case "Input", "Inputs" -> scope.inputs().get(names[1]);
          default -> throw new FaultException("InvalidStatement", unknown(path));
        };
    for (var i = 2; i < names.length; i++) {
      var object = Json.object(value);
      value = object == null ? null : object.get(names[i]);
    }
    return value;
  }

  private static String unknown(String path) {
    return "{{"
        + path
        + "}} is not known: there are Variables.name, Input.name, LastResult, IdempotencyKey,"
        + " Correlation.Id, Workflow.Instance.Id, Workflow.Definition.Id,"
        + " Workflow.Definition.Version and Workflow.Definition.Version.Id";
  }

  /** The statement, where it is the same in every run; problems of it are reported at publish. */
  static @Nullable SqlText plan(
      Map<String, @Nullable Object> json, Statement written, Consumer<String> problem) {
    var source = expression(Json.member(json, SOURCE.property()));
    if (source != null
        && isFixed(source)
        && source.value() != null
        && !SOURCE_NAME.matcher(String.valueOf(source.value()).strip()).matches()) {
      problem.accept(NO_CONNECTION_STRING);
    }
    var statement = written.expression(json);
    if (statement == null || !isFixed(statement) || !(statement.value() instanceof String sql)) {
      return null;
    }
    try {
      var parsed = SqlText.parse(sql);
      parsed.names().stream()
          .filter(name -> !name.startsWith("@") && !isKnown(name))
          .forEach(name -> problem.accept(unknown(name)));
      return parsed;
    } catch (IllegalArgumentException e) {
      problem.accept(String.valueOf(e.getMessage()));
      return null;
    }
  }

  private static boolean isKnown(String path) {
    return switch (path) {
      case "IdempotencyKey",
          "Workflow.Definition.Id",
          "Workflow.Definition.Version.Id",
          "Workflow.Definition.Version",
          "Workflow.Instance.Id",
          "Correlation.Id",
          "LastResult" ->
          true;
      default -> {
        var names = List.of(path.split("\\.", -1));
        yield names.size() > 1 && ROOTS.contains(names.getFirst()) && !names.contains("");
      }
    };
  }

  /** The text, where an expression has to be evaluated to have it. */
  static List<Expression> expressions(Map<String, @Nullable Object> json, Statement statement) {
    var expression = statement.expression(json);
    return expression == null || isFixed(expression) ? List.of() : List.of(expression);
  }

  private static boolean isFixed(Expression expression) {
    return expression.type().equalsIgnoreCase("Literal") || expression.type().equalsIgnoreCase(SQL);
  }

  private static @Nullable Expression expression(@Nullable Object input) {
    var wrapped = Json.object(input);
    if (wrapped == null) {
      return input == null ? null : new Expression("Literal", input);
    }
    var expression = Json.object(wrapped.get("expression"));
    var type = expression == null ? null : Json.text(expression, "type");
    return expression == null || type == null
        ? null
        : new Expression(type, Json.member(expression, "value"));
  }
}
