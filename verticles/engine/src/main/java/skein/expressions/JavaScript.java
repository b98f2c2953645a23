package skein.expressions;

import static skein.expressions.ExpressionException.BUDGET_EXCEEDED;
import static skein.expressions.ExpressionException.RUNTIME_ERROR;
import static skein.expressions.ExpressionException.SYNTAX_ERROR;

import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import skein.expressions.PlainValues.NotPlainException;
import skein.scripts.ScriptEngine;
import skein.scripts.ScriptException;
import skein.scripts.Watchdog;

/** Runs scripts. The value of a script is that of its last statement, or what it returns. */
final class JavaScript {
  private static final int MESSAGE_CHARS_MAX = 1_000;
  private static final String SYNTAX_PREFIX = "SyntaxError: ";

  private final ExpressionLimits limits;
  private final EvaluationClocks clocks;
  private final Map<String, String> configuration;
  private final Engines engines;
  private final PlainScripts plainScripts = new PlainScripts();

  JavaScript(ExpressionLimits limits, EvaluationClocks clocks, Map<String, String> configuration) {
    this.limits = limits;
    this.clocks = clocks;
    this.configuration = configuration;
    this.engines = Engines.of(limits);
  }

  @Nullable Object evaluate(String source, Scope scope) {
    if (source.isBlank()) {
      return null;
    }
    refuseLong(source);
    var plain = plainScripts.of(source);
    if (plain != null) {
      try {
        return plainValue(plain, scope);
      } catch (NotPlainException _) {
        // so the engine is asked
      }
    }
    return engineValue(source, scope);
  }

  /** Whether the script is plain, and so sets nothing, whichever of the two evaluates it. */
  boolean onlyReads(String source) {
    return source.isBlank() || plainScripts.of(source) != null;
  }

  private @Nullable Object plainValue(PlainScript plain, Scope scope) {
    var time = new EvaluationTime(limits.times(), clocks);
    try {
      var value = plain.value(scope, limits);
      time.check();
      return value;
    } catch (NotPlainException e) {
      throw e;
    } catch (BudgetExceededError | EvaluationStarvedError e) {
      throw ended(e);
    } catch (RuntimeException e) {
      throw failed(e);
    }
  }

  /** The errors that the engine reports, also for a plain script. */
  @Nullable Object engineValue(String source, Scope scope) {
    var evaluation = new Evaluation(scope, limits, clocks, configuration);
    return watched(source, (engine, script) -> evaluation.end(engine.run(script, evaluation)));
  }

  /** Throws where the source does not parse; runs nothing. */
  void check(String source) {
    watched(source, (_, _) -> null);
  }

  private interface Work {
    @Nullable Object with(ScriptEngine engine, int script) throws ScriptException;
  }

  private @Nullable Object watched(String source, Work work) {
    refuseLong(source);
    var engine = engines.take();
    try (var watch = Watchdog.watch(overdue())) {
      try {
        var value = work.with(engine, compiled(engine, source));
        engines.giveBack(engine);
        return value;
      } catch (ScriptEngine.ScriptInterruptedException _) {
        engines.giveBack(engine);
        throw ended(watch.verdict());
      } catch (BudgetExceededError | EvaluationStarvedError e) {
        engines.giveBack(engine);
        throw ended(e);
      } catch (ScriptException e) {
        engines.giveBack(engine);
        throw failure(e);
      } catch (ScriptEngine.OutOfScriptMemoryException _) {
        engines.giveBack(engine);
        throw new ExpressionException(BUDGET_EXCEEDED, outOfMemory());
      } catch (ScriptEngine.OutOfScriptStackException | StackOverflowError _) {
        engines.giveBack(engine);
        throw new ExpressionException(BUDGET_EXCEEDED, tooDeep());
      } catch (ExpressionException e) {
        throw e;
      } catch (RuntimeException e) {
        throw failed(e);
      }
    }
  }

  private static ExpressionException failed(RuntimeException e) {
    return new ExpressionException(RUNTIME_ERROR, "the evaluation failed: " + e, 0, 0, e);
  }

  /** For the watchdog; where only this thread can ask for its time, it is never over. */
  private Supplier<@Nullable Error> overdue() {
    var watched = clocks.of(Thread.currentThread());
    if (watched.isEmpty()) {
      return () -> null;
    }
    var time = new EvaluationTime(limits.times(), watched.get());
    return () -> {
      try {
        time.check();
        return null;
      } catch (BudgetExceededError | EvaluationStarvedError e) {
        return e;
      }
    };
  }

  private static int compiled(ScriptEngine engine, String source) throws ScriptException {
    try {
      return engine.compile(source);
    } catch (ScriptException e) {
      var message = String.valueOf(e.getMessage());
      if (!message.startsWith(SYNTAX_PREFIX) || message.contains("stack overflow")) {
        throw e;
      }
      throw syntaxError(SyntaxHints.explained(message, source, e.line()), e);
    }
  }

  private static ExpressionException syntaxError(String message, ScriptException e) {
    return new ExpressionException(
        SYNTAX_ERROR,
        shortened(message.substring(SYNTAX_PREFIX.length())),
        e.line(),
        e.column(),
        null);
  }

  private static RuntimeException ended(@Nullable Error verdict) {
    return switch (verdict) {
      case BudgetExceededError e ->
          new ExpressionException(BUDGET_EXCEEDED, String.valueOf(e.getMessage()));
      case null -> new EvaluationStarvedException("its thread was interrupted");
      default -> new EvaluationStarvedException(String.valueOf(verdict.getMessage()));
    };
  }

  private void refuseLong(String source) {
    if (source.length() > limits.sourceCharsMax()) {
      throw new ExpressionException(BUDGET_EXCEEDED, longSource());
    }
  }

  private String longSource() {
    return "a script of more than "
        + limits.sourceCharsMax()
        + " characters (expressions.source-chars-max)";
  }

  private String outOfMemory() {
    return "more than "
        + limits.allocationMax()
        + " bytes allocated (expressions.allocation-bytes-max)";
  }

  private static String tooDeep() {
    return "calls or values beyond the stack depth (expressions.stack-depth-max)";
  }

  private ExpressionException failure(ScriptException e) {
    var message = String.valueOf(e.getMessage());
    if (message.startsWith("SyntaxError: BigInt")) { // of a text that the script made a script of
      return syntaxError(message, e);
    }
    var exceeded = exceeded(message);
    return new ExpressionException(
        exceeded == null ? RUNTIME_ERROR : BUDGET_EXCEEDED,
        exceeded == null ? shortened(message) : exceeded,
        e.line(),
        e.column(),
        null);
  }

  /** The limit that QuickJS speaks of; null where it speaks of something else. */
  private @Nullable String exceeded(String message) {
    return switch (message) {
      case "InternalError: out of memory", "InternalError: out of memory in regexp execution" ->
          outOfMemory();
      case "RangeError: invalid string length", "InternalError: string too long" ->
          Evaluation.longString(limits);
      case "InternalError: source too long" -> longSource();
      case "RangeError: Maximum call stack size exceeded",
          "InternalError: stack overflow",
          "SyntaxError: stack overflow" ->
          tooDeep();
      default -> null;
    };
  }

  private static String shortened(String message) {
    return message.length() > MESSAGE_CHARS_MAX
        ? message.substring(0, MESSAGE_CHARS_MAX) + "…"
        : message;
  }
}
