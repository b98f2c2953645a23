package skein.identity;

import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * What a caller may do, in Elsa's names: {@code read:workflow-definitions}. {@code *} is
 * everything, {@code read:*} all that begins with {@code read:}.
 */
public record Permissions(Set<String> names) {
  public static final String EVERYTHING = "*";
  public static final Permissions NONE = new Permissions(Set.of());
  public static final Permissions ALL = new Permissions(Set.of(EVERYTHING));

  private static final Pattern NAME =
      Pattern.compile("\\*|[A-Za-z][A-Za-z0-9-]{0,99}(:[A-Za-z0-9-]{1,100}){0,3}(:\\*)?");

  public Permissions {
    names = Set.copyOf(names);
  }

  public static Permissions of(Collection<String> names) {
    return new Permissions(Set.copyOf(names));
  }

  /** Whether it can be the name of a permission, or of several. */
  public static boolean isName(String text) {
    return NAME.matcher(text).matches();
  }

  public boolean allows(String permission) {
    if (names.contains(permission) || names.contains(EVERYTHING)) {
      return true;
    }
    for (int colon = permission.indexOf(':');
        colon > 0;
        colon = permission.indexOf(':', colon + 1)) {
      if (names.contains(permission.substring(0, colon) + ":*")) {
        return true;
      }
    }
    return false;
  }

  /** Whether nothing of the other is missing here. */
  public boolean covers(Permissions other) {
    return other.names.stream().allMatch(this::allows);
  }

  public Permissions plus(Permissions other) {
    if (other.names.isEmpty()) {
      return this;
    }
    var all = new HashSet<>(names);
    all.addAll(other.names);
    return new Permissions(all);
  }
}
