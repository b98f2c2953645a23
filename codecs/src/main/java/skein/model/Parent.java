package skein.model;

/**
 * The instance that started another one.
 *
 * @param execution the number of the activity execution in the parent that started it; 0 when it is
 *     not known
 */
public record Parent(InstanceId id, int execution, Notice notice) {

  /** When the parent is told about its child. The names are stored: add, never rename. */
  public enum Notice {
    Never,
    /** When the child's first burst is over, whether it waits or has ended. */
    AtRest,
    /** When the child has ended. */
    AtEnd
  }
}
