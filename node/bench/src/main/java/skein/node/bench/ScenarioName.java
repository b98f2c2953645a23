package skein.node.bench;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The names of scenarios. */
public enum ScenarioName {
  START,
  STEPS,
  RESUME,
  EVENT,
  FAN_OUT,
  TIMERS,
  CATCH_UP,
  HOT,
  HTTP,
  CHILDREN,
  LIST,
  SOAK;

  /** All that end soon. */
  public static List<ScenarioName> all() {
    return Arrays.stream(values()).filter(name -> name != SOAK).toList();
  }

  /** Whether its callers wait for their answer before they ask again. */
  public boolean isClosed() {
    return switch (this) {
      case START, STEPS, RESUME, EVENT, FAN_OUT, HOT, HTTP, LIST -> true;
      case TIMERS, CATCH_UP, CHILDREN, SOAK -> false;
    };
  }

  /** As it is written on the command line and in results. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
