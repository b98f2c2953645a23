package skein.expressions;

/**
 * As {@link BudgetExceededError}, where it was not the script that took too long; the boundary
 * makes an {@link EvaluationStarvedException} of it.
 */
final class EvaluationStarvedError extends Error {
  private static final long serialVersionUID = 1;

  EvaluationStarvedError(String message) {
    super(message, null, false, false);
  }
}
