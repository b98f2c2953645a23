package skein.expressions;

/**
 * The processor time that the expressions of one burst use together, from when this is made. For
 * the thread that evaluates them.
 */
public final class BurstTime {
  private final EvaluationTime time;

  BurstTime(EvaluationTime time) {
    this.time = time;
  }

  /**
   * After each expression.
   *
   * @throws ExpressionException of kind {@link ExpressionException#BUDGET_EXCEEDED}
   * @throws EvaluationStarvedException when much time has passed and little was used
   */
  public void check() {
    try {
      time.check();
    } catch (BudgetExceededError e) {
      throw new ExpressionException(
          ExpressionException.BUDGET_EXCEEDED,
          "the expressions of this burst took together " + e.getMessage());
    } catch (EvaluationStarvedError e) {
      throw new EvaluationStarvedException(String.valueOf(e.getMessage()));
    }
  }
}
