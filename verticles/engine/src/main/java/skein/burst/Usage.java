package skein.burst;

import java.util.List;
import org.jspecify.annotations.Nullable;
import skein.model.Effect;

/**
 * What one burst uses up. Once it has passed a limit it keeps nothing more and ends as soon as the
 * activity at work returns, whatever that one makes of it; the instance faults.
 *
 * <p>What a burst holds is the values of the next state and what is done after the commit. What
 * activities set is added up; only when that has become much is it measured how much of it is still
 * there, so that a variable which is set a thousand times counts once. What is sent to other
 * instances has a limit of its own, see {@link Children}.
 */
final class Usage {
  private final BurstLimits limits;
  private final RunState state;
  private final Executions executions;
  private final Bookmarks bookmarks;
  private final List<Effect> effects;

  /** Characters set since the burst was measured last. */
  private long set;

  private @Nullable Failure passed;

  /** {@code effects}: those of the burst, which become more. */
  Usage(
      BurstLimits limits,
      RunState state,
      Executions executions,
      Bookmarks bookmarks,
      List<Effect> effects) {
    this.limits = limits;
    this.state = state;
    this.executions = executions;
    this.bookmarks = bookmarks;
    this.effects = effects;
  }

  boolean limitPassed() {
    return passed != null;
  }

  /** Whether the step may be taken; {@code overrun}: why it may not, null where it may. */
  boolean mayStep(@Nullable Failure overrun) {
    if (overrun != null && passed == null) {
      passed = overrun;
    }
    return !limitPassed();
  }

  /** Whether another step may be queued behind so many others; each will be one. */
  boolean mayQueue(int queued) {
    if (queued >= limits.stepsMax()) {
      pass(
          "StepLimit",
          "The burst was stopped with "
              + limits.stepsMax()
              + " activities queued, more than one burst takes steps: are there too many items?");
    }
    return !limitPassed();
  }

  /** Whether the burst may hold the value, beside what it holds already. */
  boolean mayHold(@Nullable Object value) {
    long max = limits.heldCharsMax();
    if (!limitPassed()) {
      long size = JsonSize.held(value, max);
      set += size;
      if (set > max / 4) {
        if (size + measured(max) > max) {
          pass(
              "BurstLimit",
              "One burst holds at most "
                  + max
                  + " characters of variables, outputs, lines and the like, four times"
                  + " execution.state-bytes-max: do it in several steps with a wait between them");
        }
        set = 0;
      }
    }
    return !limitPassed();
  }

  private long measured(long max) {
    var size = JsonSize.holding(max);
    for (var execution : executions.all()) {
      size.add(execution.variables);
      size.add(execution.memory);
    }
    size.add(state.output);
    size.add(state.results());
    bookmarks.open().forEach(bookmark -> size.add(bookmark.payload()));
    effects.forEach(effect -> size.add(valueOf(effect)));
    return size.chars();
  }

  /** What an effect keeps in memory; null where it is counted elsewhere. */
  static @Nullable Object valueOf(Effect effect) {
    return switch (effect) {
      case Effect.Line line -> line.text();
      case Effect.HttpAnswer answer -> answer.content();
      case Effect.Work work -> work.request();
      case Effect.TaskRequested task -> task.payload();
      case Effect.JobWaiting _, Effect.EventPublished _ -> null;
    };
  }

  private void pass(String type, String message) {
    if (passed == null) {
      passed = new Failure(type, null, message);
    }
  }

  /** What the instance faults with; null while no limit was passed. */
  @Nullable Failure passed() {
    return passed;
  }
}
