package skein.graph;

import skein.model.FindingCode;

/** How much of a definition, with all that it uses, there is in its graph so far. Used once. */
final class Extent {
  /** Paths repeat the ids of all that is around, so that few bytes of a document make many. */
  private static final int PATH_CHARS_MAX = 1 << 24;

  private final int activitiesMax;
  private final Findings findings;
  private int activities;
  private long pathChars;
  private boolean told;

  Extent(int activitiesMax, Findings findings) {
    this.activitiesMax = activitiesMax;
    this.findings = findings;
  }

  /** Another activity; {@code pointer}: to its JSON. */
  void add(String path, String pointer) {
    activities++;
    pathChars += path.length() + pointer.length();
  }

  /** Whether nothing more may be added, which is said once, about an activity with more in it. */
  boolean isFull(Findings.About about) {
    boolean many = activities >= activitiesMax;
    if (!many && pathChars <= PATH_CHARS_MAX) {
      return false;
    }
    if (!told) {
      told = true;
      findings.error(
          FindingCode.LIMIT_EXCEEDED,
          about,
          "",
          many
              ? "the workflow has more than "
                  + activitiesMax
                  + " activities with those that it uses (definitions.activities-max): start some"
                  + " with Elsa.ExecuteWorkflow or Elsa.DispatchWorkflow instead"
              : "the ids of activities, each with those of all that is around it, have more than "
                  + PATH_CHARS_MAX
                  + " characters together: give shorter ids to what holds others");
    }
    return true;
  }
}
