package skein.identity;

import java.util.ArrayList;
import java.util.List;

/** The permission that a route or request needs. */
public sealed interface Requirement {
  /** Nothing: what is asked for is open, or demands a secret of its own. */
  record Nothing() implements Requirement {}

  /** That it is known who they are. */
  record SignedIn() implements Requirement {}

  /**
   * Of each list one permission; the first of a list is the one that is named when it is missing.
   */
  record Permitted(List<List<String>> permissions) implements Requirement {
    public Permitted {
      permissions = permissions.stream().map(List::copyOf).toList();
    }

    /** And one of these, too. */
    public Permitted and(String... alternatives) {
      var all = new ArrayList<>(permissions);
      all.add(List.of(alternatives));
      return new Permitted(all);
    }
  }

  Requirement NOTHING = new Nothing();
  Requirement SIGNED_IN = new SignedIn();

  /** One of them. */
  static Permitted oneOf(String... alternatives) {
    return new Permitted(List.of(List.of(alternatives)));
  }
}
