package skein.expressions;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The values that an expression may read and change.
 *
 * <p>All values are JSON values and are copied on their way in and out: a script never holds what
 * the implementer holds. An evaluation that throws has called no setter. No method may evaluate
 * another expression.
 */
public interface Scope {

  /** The visible variables, nearest scope first; of two with one name the first is meant. */
  List<VariableInfo> variables();

  record VariableInfo(String id, String name, String typeName) {}

  /** The value of the nearest variable with that id or name; null too where there is none. */
  @Nullable Object variable(String idOrName);

  /** Returns false, and changes nothing, where there is no such variable. */
  boolean setVariable(String idOrName, @Nullable Object value);

  /**
   * The inputs, by name, of the innermost workflow (or workflow used as an activity) that the
   * expression stands in; a declared input that was not given is there with its default or null.
   */
  Map<String, @Nullable Object> inputs();

  /**
   * The latest output of an activity.
   *
   * @param activityIdOrName id, name, or the name in Pascal case ({@link ScriptName#of}), as it
   *     appears in {@code getResultFromMyActivity()}
   * @param output its name; null means {@code Result}
   * @return null too where there is no such activity or output
   */
  @Nullable Object outputFrom(String activityIdOrName, @Nullable String output);

  @Nullable Object lastResult();

  WorkflowInfo workflow();

  record WorkflowInfo(
      String instanceId,
      String definitionId,
      String versionId,
      int version,
      @Nullable String correlationId,
      @Nullable String name) {}

  void setCorrelationId(@Nullable String correlationId);

  void setName(@Nullable String name);

  void setOutcomes(List<String> outcomes);

  /**
   * Makes a link that publishes an event to this instance, once.
   *
   * @param until how long it works, as {@code 01:00:00} or {@code PT1H}, or an instant after which
   *     it does not; null leaves that to the server
   * @throws IllegalArgumentException with what is wrong
   */
  Link eventLink(String eventName, @Nullable Object until);

  /**
   * Makes a link that resumes an open bookmark of this instance; the one it had before is void.
   *
   * @param bookmarkIdOrActivity the bookmark's id, or the id or name of the one activity that waits
   * @param until as of {@link #eventLink}
   * @throws IllegalArgumentException with what is wrong
   */
  Link bookmarkLink(String bookmarkIdOrActivity, @Nullable Object until);

  /**
   * A link that works when it was kept and what the burst decides is committed.
   *
   * @param keep may be called again
   */
  record Link(String url, Instant expiresAt, Runnable keep) {
    /** Without the URL, which has the token. */
    @Override
    public String toString() {
      return "Link[expiresAt=" + expiresAt + "]";
    }
  }

  /** The burst's instant, which is constant for scripts. */
  Instant now();

  /** The next value of the burst's own seeded source. */
  long random();
}
