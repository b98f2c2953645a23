package skein.expressions;

import static skein.expressions.ExpressionException.BUDGET_EXCEEDED;
import static skein.expressions.ExpressionException.RUNTIME_ERROR;

import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.EcmaError;
import org.mozilla.javascript.JavaScriptException;
import org.mozilla.javascript.RhinoException;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;
import org.mozilla.javascript.Undefined;

/**
 * Runs scripts. No two threads ever share anything of Rhino: an evaluation takes an idle realm or
 * makes one, and puts it back unless it broke it.
 */
final class JavaScript {
  private static final int IDLE_REALMS_MAX = 2 * Runtime.getRuntime().availableProcessors();
  private static final String STACK_MESSAGE = "Exceeded maximum stack depth";
  private static final Pattern IN_MEMORY =
      Pattern.compile("org\\.mozilla\\.javascript\\.[\\w$.]{1,100}@[0-9a-f]{1,16}");
  private static final int MESSAGE_CHARS_MAX = 1_000;

  private final ExpressionLimits limits;
  private final EvaluationClocks clocks;
  private final Map<String, String> configuration;
  private final Sandbox sandbox;
  private final ArrayBlockingQueue<Realm> idle = new ArrayBlockingQueue<>(IDLE_REALMS_MAX);

  JavaScript(ExpressionLimits limits, EvaluationClocks clocks, Map<String, String> configuration) {
    this.limits = limits;
    this.clocks = clocks;
    this.configuration = configuration;
    this.sandbox = new Sandbox(limits);
    idle.offer(Realm.create(sandbox)); // so that the first script does not pay for loading Rhino
  }

  @Nullable Object evaluate(String source, Scope scope) {
    if (source.isBlank()) {
      return null;
    }
    refuseLong(source);
    var realm = realm();
    var evaluation = new Evaluation(realm, scope, new Budget(limits, clocks), configuration);
    return run(realm, evaluation, context -> evaluate(context, evaluation, source));
  }

  /** Throws where the source does not parse; runs nothing. */
  void check(String source) {
    refuseLong(source);
    var realm = realm();
    run(realm, null, context -> realm.script(context, source));
  }

  private static @Nullable Object evaluate(Context context, Evaluation evaluation, String source) {
    var globals = evaluation.globals();
    var result = evaluation.realm().script(context, source).exec(context, globals, globals);
    var value = evaluation.out(context, result);
    evaluation.budget().check();
    evaluation.commit(context);
    return value;
  }

  private Realm realm() {
    var realm = idle.poll();
    return realm == null ? Realm.create(sandbox) : realm;
  }

  private interface Work {
    @Nullable Object in(Context context);
  }

  /**
   * A realm in which an error was thrown is not used again: its own code may have been cut short.
   */
  private @Nullable Object run(Realm realm, @Nullable Evaluation evaluation, Work work) {
    var context = sandbox.enter(evaluation);
    try {
      return work.in(context);
    } catch (ExpressionException e) {
      throw e;
    } catch (RhinoException e) {
      throw failure(e);
    } catch (RuntimeException e) {
      realm.spoil();
      throw new ExpressionException(RUNTIME_ERROR, "the evaluation failed: " + e, 0, 0, e);
    } catch (Budget.Exceeded e) {
      throw new ExpressionException(BUDGET_EXCEEDED, String.valueOf(e.getMessage()));
    } catch (Budget.Starved e) {
      throw new EvaluationStarvedException(String.valueOf(e.getMessage()));
    } catch (StackOverflowError _) {
      realm.spoil();
      throw new ExpressionException(BUDGET_EXCEEDED, "calls or values nested too deep");
    } catch (OutOfMemoryError _) {
      realm.spoil();
      throw new ExpressionException(BUDGET_EXCEEDED, "more memory than there is");
    } finally {
      Context.exit();
      if (!realm.isSpoilt()) {
        idle.offer(realm);
      }
    }
  }

  private void refuseLong(String source) {
    if (source.length() > limits.sourceCharsMax()) {
      throw new ExpressionException(
          BUDGET_EXCEEDED,
          "a script of more than "
              + limits.sourceCharsMax()
              + " characters (expressions.source-chars-max)");
    }
  }

  /** The exception of Rhino is not kept as the cause: its message would run script code. */
  private static ExpressionException failure(RhinoException e) {
    var message =
        switch (e) {
          case EcmaError error -> error.getName() + ": " + error.getErrorMessage();
          case JavaScriptException thrown -> "the script threw " + described(thrown.getValue());
          default -> String.valueOf(e.details());
        };
    boolean tooDeep = message.contains(STACK_MESSAGE);
    return new ExpressionException(
        tooDeep ? BUDGET_EXCEEDED : RUNTIME_ERROR,
        shortened(message) + (tooDeep ? " (expressions.stack-depth-max)" : ""),
        Math.max(e.lineNumber(), 0),
        Math.max(e.columnNumber(), 0),
        null);
  }

  /** Looks only at data: no getter and no toString of the script's runs any more. */
  private static String described(@Nullable Object thrown) {
    return switch (thrown) {
      case null -> "null";
      case CharSequence text ->
          text.length() > MESSAGE_CHARS_MAX ? "a long text" : "'" + text + "'";
      case Number number -> number.toString();
      case Boolean bool -> bool.toString();
      case ScriptableObject object -> {
        var message = data(object, "message");
        var name = data(object, "name");
        yield (name == null ? "an object" : name) + (message == null ? "" : ": " + message);
      }
      default -> Undefined.isUndefined(thrown) ? "undefined" : "a value";
    };
  }

  private static @Nullable String data(ScriptableObject object, String name) {
    for (Scriptable holder = object; holder != null; holder = holder.getPrototype()) {
      if (!(holder instanceof ScriptableObject plain)) {
        return null;
      }
      if (plain.has(name, plain)) {
        return Native.data(plain, name) instanceof CharSequence text
                && text.length() <= MESSAGE_CHARS_MAX
            ? text.toString()
            : null;
      }
    }
    return null;
  }

  /** Rhino names some objects by their class and where they are in memory. */
  private static String shortened(String given) {
    var message = IN_MEMORY.matcher(given).replaceAll("an object");
    return message.length() > MESSAGE_CHARS_MAX
        ? message.substring(0, MESSAGE_CHARS_MAX) + "…"
        : message;
  }
}
