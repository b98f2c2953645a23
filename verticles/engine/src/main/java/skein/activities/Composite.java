package skein.activities;

import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Holds one activity with variables of its own; a {@link Complete} below it says how it ends. */
final class Composite implements Activity {
  private static final Port ROOT = Port.of("root");
  private final ActivityDescriptor descriptor;

  Composite(String typeName) {
    descriptor =
        ActivityDescriptor.of(typeName, "Workflows", "Runs one activity with its own variables.")
            .with(ROOT)
            .asContainer()
            .hidden();
  }

  @Override
  public ActivityDescriptor descriptor() {
    return descriptor;
  }

  /** Whatever a {@link Complete} below it says. */
  @Override
  public @Nullable Collection<String> outcomes(ActivityNode node) {
    return null;
  }

  @Override
  public void execute(ActivityContext context) {
    var root = context.node().child(ROOT);
    if (root == null) {
      context.complete();
      return;
    }
    context.schedule(root);
  }

  @Override
  public boolean signalled(ActivityContext context, String signal, @Nullable Object value) {
    if (!signal.equals(Signals.COMPLETE)) {
      return false;
    }
    var outcomes = value instanceof List<?> list ? list : List.of();
    context.complete(outcomes.stream().map(String::valueOf).toArray(String[]::new));
    return true;
  }
}
