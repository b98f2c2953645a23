package skein.execution;

import java.util.Map;

/**
 * How much of something each name may have.
 *
 * @param usual for every name that has no part of its own
 * @param others by name
 */
public record Quota(int usual, Map<String, Integer> others) {
  /** Any number. */
  public static final int NONE = 0;

  /** No name is limited. */
  public static final Quota UNLIMITED = new Quota(NONE, Map.of());

  /** Throws {@link IllegalArgumentException} for a negative number. */
  public Quota {
    if (usual < 0 || others.values().stream().anyMatch(number -> number < 0)) {
      throw new IllegalArgumentException("A limit begins at 0: " + usual + ", " + others);
    }
    others = Map.copyOf(others);
  }

  /** The same for all names; {@link #NONE}: any number. */
  public static Quota of(int usual) {
    return new Quota(usual, Map.of());
  }

  /** Whether no name is limited. */
  boolean isUnlimited() {
    return usual == NONE && others.values().stream().allMatch(number -> number == NONE);
  }

  /** {@link #NONE}: any number. */
  int of(String name) {
    return others.getOrDefault(name, usual);
  }
}
