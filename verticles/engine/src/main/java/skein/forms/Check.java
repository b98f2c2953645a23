package skein.forms;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
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

  /** {@code into}: takes what was evaluated of the value, if the value fits. */
  boolean check(Schema schema, @Nullable Object value, FormLocation at, @Nullable Evaluated into) {
    spend(1);
    if (++depth > DEPTH_MAX) {
      throw new ExceededException(
          "form and value are nested more than " + DEPTH_MAX + " schemas deep");
    }
    var enters = resources.peekLast() != schema.resource();
    if (enters) {
      resources.addLast(schema.resource());
    }
    var seen = into != null || schema.asksWhatIsEvaluated() ? new Evaluated() : null;
    var fits = true;
    for (var keyword : schema.keywords()) {
      spend(1);
      if (!keyword.check(this, value, at, seen)) {
        fits = false;
        if (isQuiet()) {
          break;
        }
      }
    }
    if (enters) {
      resources.removeLast();
    }
    depth--;
    if (fits && into != null && seen != null) {
      spend(seen.size());
      into.addAll(seen);
    }
    return fits;
  }

  /** The same, without a word about what is wrong. */
  boolean fits(Schema schema, @Nullable Object value, FormLocation at, @Nullable Evaluated into) {
    quiet++;
    try {
      return check(schema, value, at, into);
    } finally {
      quiet--;
    }
  }

  /** Nobody wants to know more than that something is wrong. */
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
  @Nullable Schema outermost(Map<Resource, Schema> candidates) {
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
