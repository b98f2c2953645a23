package skein.expressions;

import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

final class JavaScript {
  JavaScript(ExpressionLimits limits, LongSupplier nanoTime) {}

  @SuppressWarnings("DoNotCallSuggester")
  @Nullable Object evaluate(String source, Scope scope) {
    throw new ExpressionException(
        ExpressionException.UNSUPPORTED_LANGUAGE, "the language JavaScript is not supported");
  }

  void check(String source) {}
}
