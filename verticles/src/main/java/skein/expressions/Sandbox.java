package skein.expressions;

import java.util.Locale;
import java.util.TimeZone;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.mozilla.javascript.CompilerEnvirons;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.ContextFactory;
import org.mozilla.javascript.ErrorReporter;
import org.mozilla.javascript.Evaluator;
import org.mozilla.javascript.Scriptable;

/** Contexts that see no Java class, are counted, and know which evaluation they serve. */
final class Sandbox extends ContextFactory {
  private final ExpressionLimits limits;

  Sandbox(ExpressionLimits limits) {
    this.limits = limits;
  }

  /** The evaluation that the current thread is in; null while a realm is being built. */
  static @Nullable Evaluation evaluation(Context context) {
    return ((Counted) context).evaluation;
  }

  /** Enters a context; {@link Context#exit} leaves it. */
  Context enter(@Nullable Evaluation evaluation) {
    if (Context.getCurrentContext() != null) {
      throw new IllegalStateException("an evaluation inside an evaluation");
    }
    var context = (Counted) enterContext();
    context.evaluation = evaluation;
    return context;
  }

  @Override
  protected Context makeContext() {
    var context = new Counted(this);
    context.setLanguageVersion(Context.VERSION_ES6);
    context.setInterpretedMode(true);
    context.setInstructionObserverThreshold(Budget.CHECK_EVERY);
    context.setMaximumInterpreterStackDepth(limits.stackDepthMax());
    context.setClassShutter(_ -> false);
    context.setLocale(Locale.ROOT);
    context.setTimeZone(TimeZone.getTimeZone("UTC"));
    return context;
  }

  @Override
  protected boolean hasFeature(Context context, int feature) {
    return switch (feature) {
      case Context.FEATURE_E4X,
          Context.FEATURE_ENHANCED_JAVA_ACCESS,
          Context.FEATURE_PARENT_PROTO_PROPERTIES ->
          false;
      default -> super.hasFeature(context, feature);
    };
  }

  @Override
  protected void observeInstructionCount(Context context, int instructions) {
    var evaluation = evaluation(context);
    if (evaluation != null) {
      evaluation.budget().interpreted(instructions);
    }
  }

  private static final class Counted extends Context {
    private @Nullable Evaluation evaluation;

    Counted(ContextFactory factory) {
      super(factory);
    }

    /** Every source goes through here: scripts, {@code eval} and {@code new Function}. */
    @Override
    protected Object compileImpl(
        Scriptable scope,
        String source,
        String sourceName,
        int line,
        Object securityDomain,
        boolean returnFunction,
        Evaluator compiler,
        ErrorReporter reporter,
        Consumer<CompilerEnvirons> environs) {
      var running = evaluation;
      if (running != null) {
        if (source.length() > running.budget().limits().sourceCharsMax()) {
          throw new Budget.Exceeded(
              "a script of more than "
                  + running.budget().limits().sourceCharsMax()
                  + " characters (expressions.source-chars-max)");
        }
        running.budget().spend(source.length());
      }
      Source.refuseBigInts(source);
      return super.compileImpl(
          scope,
          source,
          sourceName,
          line,
          securityDomain,
          returnFunction,
          new CountedCompiler(),
          reporter,
          environs);
    }
  }
}
