package skein.expressions;

import static skein.expressions.ExpressionException.RUNTIME_ERROR;
import static skein.expressions.ExpressionException.SYNTAX_ERROR;

import liqp.org.antlr.v4.runtime.Token;
import org.jspecify.annotations.Nullable;

/** Makes the exceptions for what is wrong with a template. */
final class LiquidProblem {
  private LiquidProblem() {}

  /** The place of what was written there, and what is wrong with it. */
  static ExpressionException at(String message, @Nullable Token at) {
    return at(SYNTAX_ERROR, message, at);
  }

  static ExpressionException at(String kind, String message, @Nullable Token at) {
    return at == null
        ? new ExpressionException(kind, message)
        : new ExpressionException(
            kind, message, at.getLine(), at.getCharPositionInLine() + 1, null);
  }

  /** A failure of rendering. */
  static ExpressionException failed(Token at, RuntimeException e) {
    return new ExpressionException(
        RUNTIME_ERROR,
        String.valueOf(e.getMessage()),
        at.getLine(),
        at.getCharPositionInLine() + 1,
        e);
  }
}
