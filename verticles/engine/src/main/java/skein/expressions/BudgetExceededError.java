package skein.expressions;

/**
 * A limit of {@link Budget} is exceeded. Thrown through whatever runs; the boundary makes an {@link
 * ExpressionException} of it. An error, because a script can catch every exception but no error.
 */
final class BudgetExceededError extends Error {
  private static final long serialVersionUID = 1;

  BudgetExceededError(String limit) {
    super(limit, null, false, false);
  }
}
