package skein.graph;

import skein.forms.FormLimits;

/**
 * How far definitions are followed into one another, and how unknown types are treated.
 *
 * @param usesDepthMax workflows that use one another, one within the other
 * @param activitiesMax activities of a definition with all that it uses
 * @param referencesMax different references to other workflows that are followed from a definition
 * @param unknownRefused an activity of a type that no node knows is a problem, not a warning; a
 *     workflow that is not published yet is a warning all the same
 * @param forms bounds of the forms of user tasks
 */
public record CompilerOptions(
    int usesDepthMax,
    int activitiesMax,
    int referencesMax,
    boolean unknownRefused,
    FormLimits forms) {
  public static final CompilerOptions DEFAULT =
      new CompilerOptions(32, 20_000, 1_000, false, FormLimits.DEFAULT);

  public CompilerOptions {
    if (usesDepthMax < 1 || activitiesMax < 1 || referencesMax < 1) {
      throw new IllegalArgumentException(
          "Limits of the compiler start at 1: %d, %d, %d"
              .formatted(usesDepthMax, activitiesMax, referencesMax));
    }
  }
}
