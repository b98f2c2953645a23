package skein.expressions;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.mozilla.javascript.CompilerEnvirons;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.ErrorReporter;
import org.mozilla.javascript.EvaluatorException;
import org.mozilla.javascript.Node;
import org.mozilla.javascript.Parser;
import org.mozilla.javascript.Script;
import org.mozilla.javascript.ast.AstNode;
import org.mozilla.javascript.ast.AstRoot;
import org.mozilla.javascript.ast.BigIntLiteral;
import org.mozilla.javascript.ast.ExpressionStatement;
import org.mozilla.javascript.ast.FunctionCall;
import org.mozilla.javascript.ast.FunctionNode;
import org.mozilla.javascript.ast.ParenthesizedExpression;
import org.mozilla.javascript.ast.VariableDeclaration;

/**
 * A script from its text. The value of a script is that of its last expression, or what {@code
 * return} says: workflows use both.
 */
final class Source {
  private static final String NAME = "expression";
  private static final String CONST = "const";
  private static final String LET = "let  ";
  private static final Pattern LOOP_CONST = Pattern.compile("\\bfor\\s*\\(\\s*const(?=\\s)");
  private static final int LOOPS_MAX = 100;
  private static final String OPEN = "(function () {\n";
  private static final String CLOSE = "\n})()";

  private Source() {}

  /** Throws {@link ExpressionException} where the text does not parse. */
  static Script compile(Context context, String given) {
    var source = withoutLoopConst(given);
    try {
      return context.compileString(withoutConst(source), NAME, 1, null);
    } catch (EvaluatorException plain) {
      if (!source.contains("return")) {
        throw failure(plain, source);
      }
      return compileFunction(context, source, plain);
    }
  }

  /**
   * Rhino takes no constant in the head of a loop, and says where it met one; as a variable it is
   * the same to every script that did not assign to it.
   */
  private static String withoutLoopConst(String source) {
    if (!LOOP_CONST.matcher(source).find()) {
      return source;
    }
    var changed = new StringBuilder(OPEN + source + CLOSE);
    for (var i = 0; i < LOOPS_MAX; i++) {
      var error = error(changed.toString());
      var at = error == null ? -1 : SyntaxHints.offset(changed, error);
      var head = LOOP_CONST.matcher(changed);
      if (at < 0
          || !head.find(Math.max(0, changed.lastIndexOf("for", at)))
          || head.end() > at + 1) {
        break;
      }
      changed.replace(head.end() - CONST.length(), head.end(), LET);
    }
    return changed.substring(OPEN.length(), changed.length() - CLOSE.length());
  }

  /**
   * A constant of the script may have the name of one of our globals, which Rhino takes for the
   * same constant declared twice; as a variable it only hides the other one.
   */
  private static String withoutConst(String source) {
    var root = source.contains(CONST) ? parse(source) : null;
    if (root == null) {
      return source;
    }
    var changed = new StringBuilder(source);
    for (var node : root) {
      if (node instanceof VariableDeclaration declaration && declaration.isConst()) {
        var at = declaration.getAbsolutePosition();
        changed.replace(at, at + CONST.length(), LET);
      }
    }
    return changed.toString();
  }

  private static Script compileFunction(Context context, String source, EvaluatorException plain) {
    try {
      return context.compileString(returningLast(OPEN + source + CLOSE), NAME, 0, null);
    } catch (EvaluatorException wrapped) {
      var misplacedReturn = String.valueOf(plain.details()).contains("return");
      throw failure(misplacedReturn ? wrapped : plain, source);
    }
  }

  /** Puts a {@code return} before the last statement of the function if it is an expression. */
  private static String returningLast(String source) {
    var root = parse(source);
    var body = root == null ? null : functionBody(root);
    if (body instanceof ExpressionStatement last) {
      var at = last.getAbsolutePosition();
      return source.substring(0, at) + "return " + source.substring(at);
    }
    return source;
  }

  private static @Nullable Node functionBody(AstRoot root) {
    return root.getLastChild() instanceof ExpressionStatement statement
            && statement.getExpression() instanceof FunctionCall call
            && call.getTarget() instanceof ParenthesizedExpression target
            && target.getExpression() instanceof FunctionNode function
        ? function.getBody().getLastChild()
        : null;
  }

  /** Null where it does not parse: the compiler then says why. */
  static @Nullable AstRoot parse(String source) {
    try {
      return parser().parse(source, NAME, 1);
    } catch (EvaluatorException _) {
      return null;
    }
  }

  /** Why it does not parse; null where it does. */
  private static @Nullable EvaluatorException error(String source) {
    try {
      parser().parse(source, NAME, 1);
      return null;
    } catch (EvaluatorException e) {
      return e;
    }
  }

  private static Parser parser() {
    var environs = new CompilerEnvirons();
    environs.setLanguageVersion(Context.VERSION_ES6);
    environs.setXmlAvailable(false);
    environs.setErrorReporter(Silent.INSTANCE);
    return new Parser(environs, Silent.INSTANCE);
  }

  /** Their arithmetic is not interrupted: one product of large ones takes minutes. */
  static void refuseBigInts(String source) {
    var tree = parse(source);
    if (tree != null) {
      tree.visit(Source::refuseBigInt);
    }
  }

  private static boolean refuseBigInt(AstNode node) {
    if (node instanceof BigIntLiteral) {
      throw new ExpressionException(
          ExpressionException.SYNTAX_ERROR,
          "BigInt is not supported: write a number",
          node.getLineno(),
          Math.max(node.getColumn(), 0),
          null);
    }
    return true;
  }

  private static ExpressionException failure(EvaluatorException e, String source) {
    return new ExpressionException(
        ExpressionException.SYNTAX_ERROR,
        SyntaxHints.explained(e, source),
        Math.max(e.lineNumber(), 0),
        Math.max(e.columnNumber(), 0),
        null);
  }

  private enum Silent implements ErrorReporter {
    INSTANCE;

    @Override
    public void warning(String message, String name, int line, String text, int column) {}

    @Override
    public void error(String message, String name, int line, String text, int column) {
      throw new EvaluatorException(message, name, line, text, column);
    }

    @Override
    public EvaluatorException runtimeError(
        String message, String name, int line, String text, int column) {
      return new EvaluatorException(message, name, line, text, column);
    }
  }
}
