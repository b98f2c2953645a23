package skein.activities;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import skein.expressions.Expression;

/** Runs a query; the result is the first column of its first row. */
final class SqlSingleValue implements Activity {
  private static final Output RESULT = new Output("Result", "Object");
  private static final ActivityDescriptor DESCRIPTOR =
      ActivityDescriptor.of("Elsa.SqlSingleValue", "SQL", "Runs a query and gives a single value.")
          .with(SqlCall.CLIENT, SqlCall.SOURCE, SqlCall.QUERY, SqlCall.PARAMETERS)
          .with(RESULT);

  @Override
  public ActivityDescriptor descriptor() {
    return DESCRIPTOR;
  }

  @Override
  public List<Expression> expressions(Map<String, @Nullable Object> json) {
    return SqlCall.expressions(json, SqlCall.QUERY);
  }

  @Override
  public @Nullable Object plan(
      Map<String, @Nullable Object> json,
      Map<String, List<ActivityNode>> children,
      Consumer<String> problem) {
    return SqlCall.plan(json, SqlCall.QUERY, problem);
  }

  @Override
  public void execute(ActivityContext context) {
    context.perform(SqlCall.order(context, SqlCall.QUERY, "value"));
  }

  @Override
  public void resume(ActivityContext context, Resumption resumption) {
    context.output(RESULT, SqlCall.result(resumption));
    context.complete();
  }
}
