package skein.forms;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import skein.pacing.Pace;

/** One check of one value. Used once, by one thread. */
final class Check {
  private static final int ERRORS_MAX = 50;

  /** Schemas within one another while they are applied: some ten for each level of the data. */
  static final int DEPTH_MAX = 400;

  /** Steps between two looks at the clock: well below a millisecond. */
  private static final int STEPS_PER_LOOK = 4_096;

  private final FormLimits limits;
  private final LongSupplier nanoTime;
  private final long startedAt;
  private final Set<String> errors = new LinkedHashSet<>();
  private final Deque<Resource> resources = new ArrayDeque<>();
  private long steps;
  private long nextLook = STEPS_PER_LOOK;
  private int depth;
  private int quiet;

  /** The check takes more than it may, and would each time. */
  static final class ExceededException extends RuntimeException {
    private ExceededException(String message) {
      super(message, null, false, false);
    }
  }

  Check(FormLimits limits, LongSupplier nanoTime) {
    this.limits = limits;
    this.nanoTime = nanoTime;
    this.startedAt = nanoTime.getAsLong();
  }

  /**
   * @throws ExceededException when too many have been spent
   * @throws StarvedCheckException when too much time has passed for so few
   */
  void spend(long more) {
    steps += more;
    if (steps > limits.stepsMax()) {
      throw new ExceededException(
          "it takes more than "
              + limits.stepsMax()
              + " steps to check (forms.steps-max): send less, or have the form simplified");
    }
    if (steps >= nextLook) {
      nextLook = steps + STEPS_PER_LOOK;
      if (nanoTime.getAsLong() - startedAt > limits.timeMax().toNanos()) {
        throw new StarvedCheckException(
            "The check of the form was ended after "
                + limits.timeMax()
                + " (forms.time-max), at step "
                + steps);
      }
      Pace.pause();
    }
  }

  /**
   * One schema more is applied to what is in the value, within those that are.
   *
   * @return whether its resource is another one than that of the schema around it
   */
  boolean begin(Resource resource) {
    spend(1);
    if (++depth > DEPTH_MAX) {
      throw new ExceededException(
          "form and value are nested more than " + DEPTH_MAX + " schemas deep");
    }
    var enters = resources.peekLast() != resource;
    if (enters) {
      resources.addLast(resource);
    }
    return enters;
  }

  /** {@code entered}: what {@link #begin} has said of it. */
  void end(boolean entered) {
    if (entered) {
      resources.removeLast();
    }
    depth--;
  }

  /** Without a word about what is wrong. */
  boolean quietly(BooleanSupplier checking) {
    quiet++;
    try {
      return checking.getAsBoolean();
    } finally {
      quiet--;
    }
  }

  /** Only the result is needed, not the errors. */
  boolean isQuiet() {
    return quiet > 0 || errors.size() >= ERRORS_MAX;
  }

  /** False, for the caller to give back. */
  boolean wrong(FormLocation at, String what) {
    if (!isQuiet()) {
      errors.add(at.words() + ": " + what);
    }
    return false;
  }

  List<String> errors() {
    return new ArrayList<>(errors);
  }

  /** The candidate of the outermost resource being applied that has one. */
  <T> @Nullable T outermost(Map<Resource, T> candidates) {
    for (var resource : resources) {
      spend(1);
      var found = candidates.get(resource);
      if (found != null) {
        return found;
      }
    }
    return null;
  }
}
