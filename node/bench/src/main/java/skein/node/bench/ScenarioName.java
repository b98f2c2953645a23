package skein.node.bench;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** What can be asked for. */
public enum ScenarioName {
  START,
  RESUME,
  EVENT,
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

  /** As it is written on the command line and in results. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
