package skein.identity;

import java.util.List;

/** The one place that decides whether a caller may do something. */
public final class Authoriser {
  private Authoriser() {}

  /** The decision. */
  public sealed interface Verdict {
    record Allowed() implements Verdict {}

    /** The caller is not authenticated, and has to be. */
    record Unauthenticated() implements Verdict {}

    /** {@code missing}: the permission that would do. */
    record Forbidden(String missing) implements Verdict {}
  }

  private static final Verdict ALLOWED = new Verdict.Allowed();
  private static final Verdict UNAUTHENTICATED = new Verdict.Unauthenticated();

  public static Verdict decide(Caller caller, Requirement requirement) {
    return switch (requirement) {
      case Requirement.Nothing _ -> ALLOWED;
      case Requirement.SignedIn _ -> caller instanceof Caller.Anonymous ? UNAUTHENTICATED : ALLOWED;
      case Requirement.Permitted(var permissions) ->
          caller instanceof Caller.Anonymous
              ? UNAUTHENTICATED
              : permitted(caller.permissions(), permissions);
    };
  }

  private static Verdict permitted(Permissions granted, List<List<String>> permissions) {
    return permissions.stream()
        .filter(alternatives -> alternatives.stream().noneMatch(granted::allows))
        .<Verdict>map(alternatives -> new Verdict.Forbidden(alternatives.getFirst()))
        .findFirst()
        .orElse(ALLOWED);
  }
}
