package skein.activities;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import skein.expressions.Expression;

/** Runs a statement; the three activities differ in what they make of its rows. */
final class SqlActivity implements Activity {
  static final String SINGLE_VALUE = "Elsa.SqlSingleValue";

  private final ActivityDescriptor descriptor;
  private final SqlCall.Statement statement;
  private final String mode;

  /** {@code mode}: see {@link SqlCall#order}. */
  private SqlActivity(
      ActivityDescriptor plain, SqlCall.Statement statement, Output output, String mode) {
    this.descriptor =
        plain
            .with(SqlCall.CLIENT, SqlCall.SOURCE, statement.input(), SqlCall.PARAMETERS)
            .with(output);
    this.statement = statement;
    this.mode = mode;
  }

  /** Its rows are objects by the names of the columns. */
  static SqlActivity query() {
    return new SqlActivity(
        ActivityDescriptor.of("Elsa.SqlQuery", "SQL", "Runs a query and gives its rows.")
            .titled("SQL Query"),
        new SqlCall.Statement(SqlCall.QUERY),
        new Output("Results", "Object").described("Rows, as objects by the names of columns."),
        "rows");
  }

  /** The result is the first column of the first row. */
  static SqlActivity singleValue() {
    return new SqlActivity(
        ActivityDescriptor.of(SINGLE_VALUE, "SQL", "Runs a query and gives a single value.")
            .titled("SQL Single Value"),
        new SqlCall.Statement(SqlCall.COMMAND, SqlCall.FORMER_COMMAND),
        new Output("Result", "Object").described("The first column of the first row."),
        "value");
  }

  /** The result is the number of rows that it changed. */
  static SqlActivity command() {
    return new SqlActivity(
        ActivityDescriptor.of(
                "Elsa.SqlCommand", "SQL", "Runs a statement and gives the number of rows changed.")
            .titled("SQL Command"),
        new SqlCall.Statement(SqlCall.COMMAND),
        new Output("Result", "Int32?").described("The number of rows changed."),
        "count");
  }

  @Override
  public ActivityDescriptor descriptor() {
    return descriptor;
  }

  @Override
  public List<Expression> expressions(Map<String, @Nullable Object> json) {
    return SqlCall.expressions(json, statement);
  }

  @Override
  public @Nullable Object plan(
      Map<String, @Nullable Object> json,
      Map<String, List<ActivityNode>> children,
      Consumer<String> problem) {
    return SqlCall.plan(json, statement, problem);
  }

  @Override
  public void execute(ActivityContext context) {
    context.perform(SqlCall.order(context, statement, mode));
  }

  @Override
  public void resume(ActivityContext context, Resumption resumption) {
    context.output(descriptor.outputs().getFirst(), SqlCall.result(resumption));
    context.complete();
  }
}
