package skein.expressions;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Map;

/** Arithmetic with as many digits as .NET's decimal has. */
final class LiquidNumberFilters {
  private static final MathContext DIGITS = new MathContext(28, RoundingMode.HALF_EVEN);

  private LiquidNumberFilters() {}

  static void addTo(Map<String, LiquidFilter> filters) {
    filters.put("abs", call -> call.number().abs(DIGITS));
    filters.put("at_least", call -> call.number().max(call.number(0)));
    filters.put("at_most", call -> call.number().min(call.number(0)));
    filters.put("ceil", call -> call.number().setScale(0, RoundingMode.CEILING));
    filters.put("floor", call -> call.number().setScale(0, RoundingMode.FLOOR));
    filters.put("round", LiquidNumberFilters::round);
    filters.put("plus", call -> call.number().add(call.number(0), DIGITS));
    filters.put("minus", call -> call.number().subtract(call.number(0), DIGITS));
    filters.put("times", call -> call.number().multiply(call.number(0), DIGITS));
    filters.put("divided_by", LiquidNumberFilters::divide);
    filters.put("modulo", call -> call.number().remainder(divisor(call)));
  }

  private static BigDecimal round(LiquidCall call) {
    var digits = Math.clamp(call.integer(0, 0), 0, DIGITS.getPrecision());
    return call.number().setScale(digits, RoundingMode.HALF_UP);
  }

  /** Two whole numbers have a whole quotient. */
  private static BigDecimal divide(LiquidCall call) {
    var dividend = call.number();
    var divisor = divisor(call);
    return dividend.scale() <= 0 && divisor.scale() <= 0
        ? dividend.divide(divisor, 0, RoundingMode.FLOOR)
        : dividend.divide(divisor, DIGITS);
  }

  private static BigDecimal divisor(LiquidCall call) {
    var divisor = call.number(0);
    if (divisor.signum() == 0) {
      throw new ArithmeticException("a number cannot be divided by 0");
    }
    return divisor;
  }
}
