package skein.expressions;

/**
 * An evaluation that was ended by {@link ExpressionLimits.Times#wallMax} before it had used its
 * processor time: the thread or the whole node was frozen. It says nothing about the expression,
 * which may be evaluated again later. The scope is as it was before the evaluation.
 */
public final class EvaluationStarvedException extends RuntimeException {
  EvaluationStarvedException(String message) {
    super(message);
  }

  /** The same with the language in the message. */
  EvaluationStarvedException in(String language) {
    return new EvaluationStarvedException(language + ": " + getMessage());
  }
}
