package skein.cluster;

import java.util.Locale;

/** What a node can be asked to do with itself. */
public enum NodeAction {
  /** To say how it is. */
  SHOW,
  /** To own no instances and to fire no timers until it is resumed. */
  PAUSE,
  /** To take part again. */
  RESUME,
  /** To hand over what it has and to send its clients away, as before a stop. */
  DRAIN,
  /** To do so and to stop. */
  STOP,
  /** To end its process at once, as a crash would; refused outside the console's tour. */
  KILL;

  public String wireName() {
    return name().toLowerCase(Locale.ROOT);
  }
}
