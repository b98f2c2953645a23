package skein.activities;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Brings branches of a flowchart together; the {@link Flowchart} decides when it runs. */
final class FlowJoin implements Activity {
  static final Input MODE =
      Input.of("Mode", "FlowJoinMode", "WaitAny")
          .oneOf("WaitAll", "WaitAllActive", "WaitAny")
          .described("Which branches it waits for.");
  private static final ActivityDescriptor DESCRIPTOR =
      ActivityDescriptor.of("Elsa.FlowJoin", "Branching", "Brings branches together.")
          .with(MODE)
          .titled("Join");

  enum Mode {
    /** Every inbound connection must have been followed. */
    WAIT_ALL,
    /** Every inbound connection must be decided, one at least followed. */
    WAIT_ALL_ACTIVE,
    /** The first one followed is enough; what else leads here is cancelled. */
    WAIT_ANY;

    static Mode of(@Nullable Object value) {
      return switch (String.valueOf(value).toLowerCase(Locale.ROOT)) {
        case "waitall", "0" -> WAIT_ALL;
        case "waitallactive", "1" -> WAIT_ALL_ACTIVE;
        case "waitany", "2", "null", "" -> WAIT_ANY;
        default -> throw new FaultException("UnknownMode", "There is no join mode " + value);
      };
    }
  }

  @Override
  public ActivityDescriptor descriptor() {
    return DESCRIPTOR;
  }

  @Override
  public void execute(ActivityContext context) {
    context.complete();
  }
}
