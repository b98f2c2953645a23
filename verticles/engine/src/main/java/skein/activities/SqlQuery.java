package skein.activities;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import skein.expressions.Expression;

/** Runs a query; its rows are objects by the names of the columns. */
final class SqlQuery implements Activity {
  private static final Output RESULTS = new Output("Results", "Object");
  private static final ActivityDescriptor DESCRIPTOR =
      ActivityDescriptor.of("Elsa.SqlQuery", "SQL", "Runs a query and gives its rows.")
          .with(SqlCall.CLIENT, SqlCall.SOURCE, SqlCall.QUERY, SqlCall.PARAMETERS)
          .with(RESULTS);

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
    context.perform(SqlCall.order(context, SqlCall.QUERY, "rows"));
  }

  @Override
  public void resume(ActivityContext context, Resumption resumption) {
    context.output(RESULTS, SqlCall.result(resumption));
    context.complete();
  }
}
