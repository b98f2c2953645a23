package skein.expressions;

import org.jspecify.annotations.Nullable;

/** A filter of templates. */
interface LiquidFilter {
  /** Throws {@link IllegalArgumentException} or {@link ArithmeticException} with what is wrong. */
  @Nullable Object apply(LiquidCall call);
}
