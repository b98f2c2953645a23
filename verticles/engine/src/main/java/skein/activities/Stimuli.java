package skein.activities;

import java.util.Locale;
import java.util.Map;
import skein.codecs.JsonText;
import skein.model.StimulusHash;

/** The hashes by which stimuli from outside find bookmarks and triggers. */
public final class Stimuli {
  public static final String EVENT = "Elsa.Event";
  public static final String HTTP_ENDPOINT = "Elsa.HttpEndpoint";
  public static final String RUN_TASK = "Elsa.RunTask";

  /** The end of a link; resumes by the clock alone. */
  public static final String LINK_EXPIRY = "Skein.LinkExpiry";

  public static final String USER_TASK = "Skein.UserTask";

  private Stimuli() {}

  /** Event names are case-sensitive. */
  public static String event(String name) {
    return StimulusHash.of(EVENT, JsonText.canonical(Map.of("eventName", name)), null);
  }

  /**
   * Neither path nor method is case-sensitive.
   *
   * @param path a path template such as {@code orders/{id}}; a slash in front does not count
   */
  public static String httpEndpoint(String path, String method) {
    var payload =
        Map.of("path", PathTemplate.normal(path), "method", method.toLowerCase(Locale.ROOT));
    return StimulusHash.of(HTTP_ENDPOINT, JsonText.canonical(payload), null);
  }

  /** For an endpoint that authenticates callers: unauthenticated callers do not find it. */
  public static String guardedHttpEndpoint(String path, String method) {
    var payload =
        Map.of(
            "path",
            PathTemplate.normal(path),
            "method",
            method.toLowerCase(Locale.ROOT),
            "authorize",
            true);
    return StimulusHash.of(HTTP_ENDPOINT, JsonText.canonical(payload), null);
  }

  /** {@code taskId}: the text of the bookmark's id. */
  public static String userTask(String taskId) {
    return StimulusHash.of(USER_TASK, JsonText.canonical(Map.of("taskId", taskId)), null);
  }

  /** {@code taskId}: of a task that another engine has asked for. */
  public static String foreignTask(String taskId) {
    return StimulusHash.of(RUN_TASK, JsonText.canonical(Map.of("taskId", taskId)), null);
  }

  /** {@code taskId}: the text of the bookmark's id. */
  public static String task(String taskId, String taskName) {
    var payload = Map.of("taskId", taskId, "taskName", taskName);
    return StimulusHash.of(RUN_TASK, JsonText.canonical(payload), null);
  }
}
