package skein.activities;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Runs its branches at once, until all have completed or until the first has. */
final class Fork implements Activity {
  private static final Input JOIN_MODE =
      Input.raw("JoinMode", "String")
          .oneOf("WaitAll", "WaitAny")
          .described("WaitAll completes after all branches, WaitAny after the first.");
  static final Port BRANCHES = Port.list("branches");
  private static final ActivityDescriptor DESCRIPTOR =
      ActivityDescriptor.of("Elsa.Fork", "Control Flow", "Runs branches at once.")
          .with(JOIN_MODE)
          .with(BRANCHES)
          .hidden();

  /** When it completes. */
  enum Mode {
    WAIT_ALL,
    WAIT_ANY
  }

  @Override
  public ActivityDescriptor descriptor() {
    return DESCRIPTOR;
  }

  @Override
  public Mode plan(
      Map<String, @Nullable Object> json,
      Map<String, List<ActivityNode>> children,
      Consumer<String> problem) {
    var given = Json.member(json, JOIN_MODE.property());
    return switch (String.valueOf(given).toLowerCase(Locale.ROOT)) {
      case "waitall", "0", "null", "" -> Mode.WAIT_ALL;
      case "waitany", "1" -> Mode.WAIT_ANY;
      default -> {
        problem.accept("there is no join mode " + given + " but WaitAll and WaitAny");
        yield Mode.WAIT_ALL;
      }
    };
  }

  @Override
  public void execute(ActivityContext context) {
    var branches = context.node().runnable(BRANCHES);
    if (branches.isEmpty()) {
      context.complete();
      return;
    }
    branches.forEach(context::schedule);
  }

  @Override
  public void childCompleted(ActivityContext context, Child child, List<String> outcomes) {
    if (Breaking.is(context)
        || context.node().plan() == Mode.WAIT_ANY
        || !context.hasPendingChildren()) {
      context.complete();
    }
  }

  /** A break ends the fork on its way to the loop that it is meant for. */
  @Override
  public boolean signalled(ActivityContext context, String signal, @Nullable Object value) {
    Breaking.note(context, signal);
    return false;
  }
}
