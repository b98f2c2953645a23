package skein.expressions;

import static skein.expressions.ExpressionException.BUDGET_EXCEEDED;
import static skein.expressions.ExpressionException.RUNTIME_ERROR;

import java.util.LinkedHashMap;
import java.util.Map;
import liqp.TemplateContext;
import liqp.TemplateParser;
import liqp.exceptions.ExceededMaxIterationsException;
import liqp.nodes.LNode;
import liqp.parser.Flavor;
import org.jspecify.annotations.Nullable;

/**
 * Renders Liquid templates. Parsing, tags and control flow are Liqp's; what a template may name,
 * its filters and comparisons are ours, because each of them is counted. Any thread may use it.
 */
final class Liquid {
  private static final int TEMPLATES_MAX = 500;

  /** Longer templates are parsed each time. */
  private static final int KEPT_CHARS_MAX = 16 << 10;

  private static final int INSTRUCTIONS_PER_ITERATION = 20;

  private final ExpressionLimits limits;
  private final EvaluationClocks clocks;
  private final Map<String, String> configuration;
  private final TemplateParser settings;

  private final Map<String, LNode> templates =
      new LinkedHashMap<>(64, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, LNode> eldest) {
          return size() > TEMPLATES_MAX;
        }
      };

  Liquid(ExpressionLimits limits, EvaluationClocks clocks, Map<String, String> configuration) {
    this.limits = limits;
    this.clocks = clocks;
    this.configuration = configuration;
    this.settings =
        new TemplateParser.Builder()
            .withFlavor(Flavor.LIQUID)
            .withRenderTransformer(LiquidRun.OUTPUT)
            .withMaxIterations(
                Math.clamp(
                    limits.instructionsMax() / INSTRUCTIONS_PER_ITERATION, 1, Integer.MAX_VALUE))
            .build();
  }

  String evaluate(String source, Scope scope) {
    var budget = new Budget(limits, clocks);
    return run(() -> {
      var context = new TemplateContext(settings, Map.of());
      var run = LiquidRun.begin(context, budget, new LiquidScope(scope, configuration));
      var text = run.finish(template(source, budget).render(context));
      if (text.length() > limits.resultCharsMax()) {
        throw new BudgetExceededError(
            "a value of more than "
                + limits.resultCharsMax()
                + " characters (expressions.result-chars-max)");
      }
      budget.check();
      run.keepLinks();
      return text;
    });
  }

  /** Throws where the template does not parse; renders nothing. */
  void check(String source) {
    run(() -> template(source, new Budget(limits, clocks)));
  }

  private LNode template(String source, Budget budget) {
    synchronized (templates) {
      var known = templates.get(source);
      if (known != null) {
        return known;
      }
    }
    if (source.length() > limits.sourceCharsMax()) {
      throw new BudgetExceededError(
          "a template of more than "
              + limits.sourceCharsMax()
              + " characters (expressions.source-chars-max)");
    }
    var parsed = LiquidSource.parse(source, budget);
    if (source.length() <= KEPT_CHARS_MAX) {
      synchronized (templates) {
        templates.put(source, parsed);
      }
    }
    return parsed;
  }

  private interface Work<T> {
    T done();
  }

  private static <T> T run(Work<T> work) {
    try {
      return work.done();
    } catch (ExpressionException e) {
      throw e;
    } catch (ExceededMaxIterationsException | BudgetExceededError e) {
      throw new ExpressionException(BUDGET_EXCEEDED, message(e));
    } catch (EvaluationStarvedError e) {
      throw new EvaluationStarvedException(message(e));
    } catch (StackOverflowError _) {
      throw new ExpressionException(BUDGET_EXCEEDED, "blocks or values nested too deep");
    } catch (OutOfMemoryError _) {
      throw new ExpressionException(BUDGET_EXCEEDED, "more memory than there is");
    } catch (RuntimeException e) {
      throw new ExpressionException(RUNTIME_ERROR, "the template failed: " + message(e), 0, 0, e);
    }
  }

  private static String message(@Nullable Throwable e) {
    return e == null ? "" : String.valueOf(e.getMessage());
  }
}
