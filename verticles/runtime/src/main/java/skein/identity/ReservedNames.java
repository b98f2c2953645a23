package skein.identity;

import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Names that no user with a password has, since in user tasks they are those of applications, of
 * certificates, or of people of OpenID providers.
 */
public final class ReservedNames {
  private final Set<String> prefixes;

  /** {@code namePrefixes}: of the providers; an empty one reserves nothing. */
  public ReservedNames(Collection<String> namePrefixes) {
    this.prefixes = new TreeSet<>(namePrefixes);
    prefixes.remove("");
    prefixes.addAll(programs());
  }

  private static Set<String> programs() {
    return Set.of(Caller.Application.PREFIX, Caller.Certificate.PREFIX);
  }

  /** Whether the name is one of an application or a certificate for user tasks. */
  static boolean isOfProgram(String name) {
    return programs().stream().anyMatch(name::startsWith);
  }

  /** The prefix that reserves the name, in any letter case; null: it is not reserved. */
  public @Nullable String prefixOf(String name) {
    for (var prefix : prefixes) {
      if (name.regionMatches(true, 0, prefix, 0, prefix.length())) {
        return prefix;
      }
    }
    return null;
  }
}
