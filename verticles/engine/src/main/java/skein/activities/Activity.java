package skein.activities;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import skein.expressions.Expression;
import skein.model.FindingCode;

/**
 * A kind of step. One object serves every definition and every thread.
 *
 * <p>Each method may throw: the execution is then faulted and an incident recorded. {@link
 * FaultException} gives the incident its code and type.
 */
public interface Activity {
  ActivityDescriptor descriptor();

  /** Begins. Ends by completing, by waiting for something, or by scheduling children. */
  void execute(ActivityContext context);

  /** A bookmark of this execution was burnt, or the activity is the trigger that started it all. */
  default void resume(ActivityContext context, Resumption resumption) {
    context.complete();
  }

  /** A child that this execution scheduled has completed with these outcomes. */
  default void childCompleted(ActivityContext context, Child child, List<String> outcomes) {
    context.complete();
  }

  /**
   * A descendant has called {@link ActivityContext#signal}; nearest ancestor first.
   *
   * @return true when it was meant for this activity and goes no further
   */
  default boolean signalled(ActivityContext context, String signal, @Nullable Object value) {
    return false;
  }

  /**
   * Whether a child that has failed continues with the outcome {@link ActivityDescriptor#FAULTED}
   * instead of staying faulted.
   */
  default boolean continuesAfterFault(ActivityContext context, Child child) {
    return false;
  }

  /**
   * The outcomes of an activity that it holds which another activity follows, possibly none; null
   * where it continues in the same way whatever the outcome is.
   */
  default @Nullable Collection<String> followed(ActivityNode node, ActivityNode child) {
    return null;
  }

  /**
   * The instance continues with another version of the definition; {@code memory} may refer to
   * places in the old one.
   *
   * @param activities old to new activity ids, for those whose id has changed
   */
  default void migrate(
      ActivityNode from,
      ActivityNode to,
      Map<String, String> activities,
      Map<String, @Nullable Object> memory) {}

  /**
   * The names that connections may follow where it is used; null where any name may come, as from a
   * script. {@link ActivityDescriptor#FAULTED} may come from all and is not among them.
   */
  default @Nullable Collection<String> outcomes(ActivityNode node) {
    return descriptor().outcomes();
  }

  /** Takes what can hardly be meant. */
  interface Warnings {
    /**
     * @param at the activity itself or one in it
     * @param member a JSON Pointer within that activity, empty for all of it
     * @param finding a sentence that begins in lower case
     * @param suggestion the name that was probably meant; null: none
     */
    void add(
        ActivityNode at,
        FindingCode code,
        String member,
        String finding,
        @Nullable String suggestion);
  }

  /** Looks at its place in a definition before that is published. */
  default void review(ActivityNode node, Warnings warnings) {}

  /**
   * The outcomes, among {@link #outcomes}, by which it continues after a failure at this place:
   * where no connection leaves by them, the failure goes unnoticed.
   */
  default Collection<String> failures(ActivityNode node) {
    return List.of();
  }

  /** Names of variables that its children see besides the declared ones. */
  default Collection<String> givenVariables() {
    return List.of();
  }

  /** The expressions that it evaluates besides its inputs; asked once, when it is compiled. */
  default List<Expression> expressions(Map<String, @Nullable Object> json) {
    return List.of();
  }

  /** The input that holds the JSON Schema which people's answers must fit; null: there is none. */
  default @Nullable Input form() {
    return null;
  }

  /**
   * What the activity makes of its JSON once, when the definition is compiled; found again as
   * {@link ActivityNode#plan()}. Must be safe for use by many threads.
   *
   * @param json the activity's own object
   * @param problem takes one sentence for each thing that is wrong
   */
  default @Nullable Object plan(
      Map<String, @Nullable Object> json,
      Map<String, List<ActivityNode>> children,
      Consumer<String> problem) {
    return null;
  }
}
