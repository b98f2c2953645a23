package skein.cluster;

import java.util.Locale;

/** An action of a node on itself. */
public enum NodeAction {
  /** Reports its state. */
  SHOW,
  /** Owns no instances and fires no timers until it is resumed. */
  PAUSE,
  /** Takes part again. */
  RESUME,
  /** Hands over its work and sends its clients away, as before a stop. */
  DRAIN,
  /** Drains and stops. */
  STOP,
  /** Ends its process at once, as a crash would; refused outside the console's tour. */
  KILL;

  public String wireName() {
    return name().toLowerCase(Locale.ROOT);
  }
}
