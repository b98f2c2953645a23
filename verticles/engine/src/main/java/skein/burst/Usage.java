package skein.burst;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import skein.model.Effect;

/**
 * The resources that one burst has used. Once it has exceeded a limit it keeps nothing more and
 * ends as soon as the running activity returns, whatever its result; the instance faults.
 *
 * <p>What a burst holds is the values of the next state and what is done after the commit. What
 * activities set is added up; only when that has become much is it measured how much of it is still
 * there, so that a variable which is set a thousand times counts once. What is sent to other
 * instances has a limit of its own, see {@link Children}.
 */
final class Usage {
  private final BurstLimits limits;
  private final InstanceState state;
  private final Executions executions;
  private final Bookmarks bookmarks;
  private final LocalStimuli local;
  private final List<Effect> effects;

  /** Characters set since the burst was measured last. */
  private long set;

  private @Nullable Failure passed;

  /** {@code effects}: those of the burst, which become more. */
  Usage(
      BurstLimits limits,
      InstanceState state,
      Executions executions,
      Bookmarks bookmarks,
      LocalStimuli local,
      List<Effect> effects) {
    this.limits = limits;
    this.state = state;
    this.executions = executions;
    this.bookmarks = bookmarks;
    this.local = local;
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
        if (measured(value, max) > max) {
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

  /**
   * Whether the state with the value is surely stored: the burst then holds as many characters as
   * the state may have bytes. Takes note of nothing.
   */
  boolean hasRoomFor(@Nullable Object value) {
    long max = limits.heldCharsMax() / 4;
    return measured(value, max) <= max;
  }

  /** An object that is in several places, as an output that is bound to a variable, counts once. */
  private long measured(@Nullable Object added, long max) {
    var size = JsonSize.holding(max);
    var seen = Collections.<Object>newSetFromMap(new IdentityHashMap<>());
    addOnce(size, seen, added);
    for (var execution : executions.all()) {
      execution.variables.values().forEach(value -> addOnce(size, seen, value));
      size.add(execution.memory);
    }
    state.output.values().forEach(value -> addOnce(size, seen, value));
    for (var outputs : state.results().values()) {
      if (outputs instanceof Map<?, ?> ofActivity) {
        ofActivity.values().forEach(value -> addOnce(size, seen, value));
      } else {
        addOnce(size, seen, outputs);
      }
    }
    size.add(local.inputs());
    bookmarks.open().forEach(bookmark -> size.add(bookmark.payload()));
    effects.forEach(effect -> size.add(valueOf(effect)));
    return size.chars();
  }

  private static void addOnce(JsonSize size, Set<Object> seen, @Nullable Object value) {
    if (!(value instanceof Map || value instanceof List) || seen.add(value)) {
      size.add(value);
    }
  }

  /** The memory that an effect keeps; null where it is counted elsewhere. */
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

  /** The fault of the instance; null while no limit was exceeded. */
  @Nullable Failure passed() {
    return passed;
  }
}
