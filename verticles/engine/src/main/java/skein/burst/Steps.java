package skein.burst;

import org.jspecify.annotations.Nullable;
import skein.expressions.BurstTime;
import skein.expressions.EvaluationStarvedException;
import skein.expressions.ExpressionException;
import skein.expressions.Expressions;
import skein.model.ErrorCode;
import skein.model.SkeinException;
import skein.pacing.Pace;

/** The steps of one burst, and the time that all of them take. Begins when it is made. */
final class Steps {
  private final QuickBound quick;
  private final int max;
  private final BurstTime time;
  private final @Nullable BurstTime quickTime;
  private int taken;
  private int replayed;

  Steps(QuickBound quick, int max, Expressions expressions) {
    this.quick = quick;
    this.max = max;
    this.time = expressions.wholeBurstTime();
    var quickMax = quick.time();
    this.quickTime = quickMax == null ? null : expressions.burstTime(quickMax);
  }

  /**
   * Before a step.
   *
   * @return why the burst must be stopped; null where it continues
   * @throws LongBurstException it does not belong on this thread
   * @throws SkeinException {@code OVERLOADED}
   */
  @Nullable Failure next() {
    if (++taken > quick.steps()) {
      throw new LongBurstException(quick);
    }
    if (taken > max) {
      return new Failure(
          "StepLimit",
          null,
          "The burst was stopped after "
              + max
              + " steps without waiting for anything: is there an endless loop?");
    }
    try {
      look();
      return null;
    } catch (ExpressionException e) {
      return new Failure("TimeLimit", null, "The burst was stopped: " + e.getMessage());
    } catch (EvaluationStarvedException e) {
      throw SkeinException.starved("The burst: " + e.getMessage(), e);
    }
  }

  /**
   * Before an entry of another instance's journal is replayed. It is no step, since nothing is
   * executed, but takes time as one does.
   *
   * @throws LongBurstException it does not belong on this thread
   * @throws SkeinException {@code PAST_STATE_UNKNOWN} when the time of the burst is used up, {@code
   *     OVERLOADED}
   */
  void replay() {
    if (++replayed > quick.steps()) {
      throw new LongBurstException(quick);
    }
    try {
      look();
    } catch (ExpressionException e) {
      throw new SkeinException(
          ErrorCode.PAST_STATE_UNKNOWN, "Replaying the journal takes too long: " + e.getMessage());
    } catch (EvaluationStarvedException e) {
      throw SkeinException.starved("The burst: " + e.getMessage(), e);
    }
  }

  /**
   * Within a step that may take long.
   *
   * @throws LongBurstException it does not belong on this thread
   * @throws ExpressionException its time is used up
   * @throws EvaluationStarvedException when much time has passed and little was used
   */
  void look() {
    if (quickTime != null && quickTime.isUsedUp()) {
      throw new LongBurstException(quick);
    }
    time.check();
    Pace.pause();
  }
}
