package skein.activities;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import skein.expressions.Expression;
import skein.expressions.Scope;
import skein.model.BookmarkId;
import skein.model.Effect;
import skein.model.InstanceId;

/**
 * The view and the operations of one execution of an activity. Valid during the call it is passed
 * to.
 *
 * <p>Nothing asked for here happens outside: it becomes part of the transition that the burst
 * decides, and is committed with it or not at all.
 */
public interface ActivityContext extends Inputs {
  ActivityNode node();

  InstanceId instanceId();

  /** The number of this execution; unique in the instance. */
  int execution();

  /** The activity whose trigger started the instance, until it has run; else null. */
  @Nullable String startActivityId();

  /** The value that the parent gave when it scheduled this execution. */
  @Nullable String tag();

  /** Variables, results and labels as they are visible here. */
  Scope scope();

  /** The memory of the activity between bursts: JSON values; lists and maps may be changed. */
  Map<String, @Nullable Object> memory();

  /** Sets an output: remembered as the activity's result, and bound as the definition says. */
  void output(Output output, @Nullable Object value);

  /** Sets an output of the workflow. */
  void workflowOutput(String name, @Nullable Object value);

  /**
   * Ends this execution. Children that still run are cancelled, bookmarks burnt.
   *
   * @param outcomes none means Done
   */
  void complete(String... outcomes);

  /** Makes a bookmark; the same hash twice in one execution is one. */
  BookmarkId await(Wait wait);

  /**
   * Makes a link by which an external caller resumes an open bookmark of this execution, once; the
   * one that it had before is void. It works when what the burst decides is committed.
   *
   * @param lifetime null leaves that to the server
   */
  ResumeLink resumeLink(BookmarkId bookmark, @Nullable Duration lifetime);

  /** {@code expiresAt}: the link does not work from then on. */
  record ResumeLink(String url, Instant expiresAt) {
    /** Without the URL, which has the token. */
    @Override
    public String toString() {
      return "ResumeLink[expiresAt=" + expiresAt + "]";
    }
  }

  /**
   * Changes the payloads of those open bookmarks of this execution that have the name. Their ids,
   * tokens and timers stay.
   */
  void rewrite(String name, UnaryOperator<Map<String, @Nullable Object>> change);

  /**
   * Asks for work outside the engine. The execution is resumed with a {@link WorkResult}; if the
   * node that performs it dies, another one performs it again with the same idempotency key.
   */
  void perform(WorkOrder order);

  /** Starts another instance, by a row of the same commit; returns the id that it will have. */
  default InstanceId startChild(ChildOrder order) {
    return startChildren(1, _ -> order).getFirst();
  }

  /**
   * Starts so many, or none: throws when they are too many, or are sent too much, for one burst.
   *
   * @param orderOf from 0, asked for one after another, each when there is room for it
   */
  List<InstanceId> startChildren(int number, IntFunction<ChildOrder> orderOf);

  /** The id that the next new bookmark of the instance will have. */
  BookmarkId nextBookmarkId();

  /** Queues a child behind all that is queued already. */
  void schedule(ActivityNode child, @Nullable String tag, Map<String, @Nullable Object> variables);

  default void schedule(ActivityNode child) {
    schedule(child, null, Map.of());
  }

  /** Whether the child waits in the queue, scheduled by this execution. */
  boolean isScheduled(ActivityNode child);

  /** The child executions that run, wait or are faulted, oldest first. */
  List<Child> children();

  /** Whether a child is queued, runs, waits or is faulted. */
  boolean hasPendingChildren();

  /** Cancels a child execution and all below it; its completion is then never reported. */
  void cancel(Child child);

  /** Evaluates an input of a child that has not begun, as this execution sees it. */
  @Nullable Object evaluate(ActivityNode child, Input input);

  /**
   * Evaluates an input of this execution once more, with variables that nothing else sees.
   *
   * @param variables by name
   */
  @Nullable Object getWith(Input input, Map<String, @Nullable Object> variables);

  /** Evaluates an expression other than an input of its own, such as the condition of a case. */
  @Nullable Object evaluate(Expression expression, String typeName);

  /**
   * Whether the condition of a branch holds.
   *
   * @param branch what runs if it does; null: nothing does
   */
  default boolean holds(Expression condition, @Nullable ActivityNode branch) {
    return Boolean.TRUE.equals(evaluate(condition, "Boolean"));
  }

  /** The outcomes that a script has set; empty when none has. */
  List<String> chosenOutcomes();

  /** Tells the nearest ancestor that understands it; false when none does. */
  boolean signal(String signal, @Nullable Object value);

  /**
   * Ends the whole instance as completed: nothing queued runs, every bookmark is burnt.
   *
   * @param outcomes of the root; none means Done
   */
  void finish(String... outcomes);

  void effect(Effect effect);

  /** Whether this burst was caused by an HTTP request that can be answered. */
  boolean hasHttpRequest();

  /**
   * Resumes those in this instance who wait for the stimulus, now or within ten minutes.
   *
   * @param hash as of a {@link Wait}
   * @param input what they are resumed with
   */
  void publishLocally(String hash, Map<String, @Nullable Object> input);
}
