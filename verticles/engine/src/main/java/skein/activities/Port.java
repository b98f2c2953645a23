package skein.activities;

import org.jspecify.annotations.Nullable;

/**
 * A member of an activity's JSON that holds other activities.
 *
 * @param property the member: an activity, or a list of them
 * @param member set when the list is of objects that hold the activity as this member, such as the
 *     cases of a switch
 * @param many whether it is a list
 */
public record Port(String property, @Nullable String member, boolean many) {
  /** One activity. */
  public static Port of(String property) {
    return new Port(property, null, false);
  }

  /** A list of activities. */
  public static Port list(String property) {
    return new Port(property, null, true);
  }

  /** A list of objects that each hold an activity. */
  public static Port cases(String property, String member) {
    return new Port(property, member, true);
  }

  /** Where the child of one of the cases stands among a node's children. */
  public String key(int index) {
    return property + "[" + index + "]." + member;
  }
}
