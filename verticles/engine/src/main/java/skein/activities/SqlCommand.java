package skein.activities;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import skein.expressions.Expression;

/** Runs a statement; the result is the number of rows that it changed. */
final class SqlCommand implements Activity {
  private static final Output RESULT = new Output("Result", "Int64");
  private static final ActivityDescriptor DESCRIPTOR =
      ActivityDescriptor.of(
              "Elsa.SqlCommand", "SQL", "Runs a statement and gives the number of rows changed.")
          .with(SqlCall.CLIENT, SqlCall.SOURCE, SqlCall.COMMAND, SqlCall.PARAMETERS)
          .with(RESULT);

  @Override
  public ActivityDescriptor descriptor() {
    return DESCRIPTOR;
  }

  @Override
  public List<Expression> expressions(Map<String, @Nullable Object> json) {
    return SqlCall.expressions(json, SqlCall.COMMAND);
  }

  @Override
  public @Nullable Object plan(
      Map<String, @Nullable Object> json,
      Map<String, List<ActivityNode>> children,
      Consumer<String> problem) {
    return SqlCall.plan(json, SqlCall.COMMAND, problem);
  }

  @Override
  public void execute(ActivityContext context) {
    context.perform(SqlCall.order(context, SqlCall.COMMAND, "count"));
  }

  @Override
  public void resume(ActivityContext context, Resumption resumption) {
    context.output(RESULT, SqlCall.result(resumption));
    context.complete();
  }
}
