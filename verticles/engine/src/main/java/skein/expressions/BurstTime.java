package skein.expressions;

/**
 * The processor time that one burst, or its expressions together, use from when this is made. For
 * the thread that decides it.
 */
public final class BurstTime {
  private final EvaluationTime time;
  private final String what;

  /** {@code what} takes the time, as a message begins. */
  BurstTime(EvaluationTime time, String what) {
    this.time = time;
    this.what = what;
  }

  /**
   * After each expression or step.
   *
   * @throws ExpressionException of kind {@link ExpressionException#BUDGET_EXCEEDED}
   * @throws EvaluationStarvedException when much time has passed and little was used
   */
  public void check() {
    try {
      time.check();
    } catch (BudgetExceededError e) {
      throw new ExpressionException(
          ExpressionException.BUDGET_EXCEEDED, what + " took together " + e.getMessage());
    } catch (EvaluationStarvedError e) {
      throw new EvaluationStarvedException(String.valueOf(e.getMessage()));
    }
  }

  /** Whether {@link #check} throws. */
  public boolean isUsedUp() {
    try {
      time.check();
      return false;
    } catch (BudgetExceededError | EvaluationStarvedError _) {
      return true;
    }
  }
}
