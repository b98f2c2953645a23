package skein.expressions;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.mozilla.javascript.CompilerEnvirons;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.Evaluator;
import org.mozilla.javascript.Function;
import org.mozilla.javascript.Interpreter;
import org.mozilla.javascript.Node;
import org.mozilla.javascript.RhinoException;
import org.mozilla.javascript.Script;
import org.mozilla.javascript.ScriptRuntime;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.Token;
import org.mozilla.javascript.Undefined;
import org.mozilla.javascript.ast.ScriptNode;

/**
 * Compiles scripts such that each addition counts what it appends. Rhino joins strings without
 * copying them: a loop that doubles one makes gigabytes in a few instructions, and only finds out
 * when something reads the string. So the shorter part, as far as the text of the script tells,
 * goes through a function of ours, and no string is longer than the sum of what was counted.
 */
final class CountedCompiler implements Evaluator {
  /** No script can spell it. */
  private static final String COUNTED = " +";

  /** What the interpreter counts for a call; an addition should not cost that much. */
  private static final int CALL_INSTRUCTIONS = 100;

  /** A shorter number appends less than the instruction that appends it counts for. */
  private static final double SHORT_NUMBER_MAX = 1000;

  private final Interpreter interpreter = new Interpreter();

  static void install(Realm realm) {
    realm.define(realm.scope(), COUNTED, 1, CountedCompiler::counted);
  }

  private static @Nullable Object counted(
      Evaluation evaluation, @Nullable Scriptable self, Object[] arguments) {
    evaluation.budget().giveBack(CALL_INSTRUCTIONS);
    var given = Native.argument(arguments, 0);
    var value =
        given instanceof Scriptable object && !Undefined.isUndefined(object)
            ? ScriptRuntime.toPrimitive(object)
            : given;
    if (value instanceof CharSequence text) {
      evaluation.budget().appended(text.length());
    }
    return value;
  }

  @Override
  public Object compile(
      CompilerEnvirons environs, ScriptNode tree, String source, boolean returnFunction) {
    count(tree);
    return interpreter.compile(environs, tree, source, returnFunction);
  }

  private static void count(ScriptNode tree) {
    countIn(tree);
    for (var i = 0; i < tree.getFunctionCount(); i++) {
      count(tree.getFunctionNode(i));
    }
  }

  private static void countIn(Node parent) {
    for (var child = parent.getFirstChild(); child != null; child = child.getNext()) {
      countIn(child);
      switch (child.getType()) {
        case Token.ADD -> countAddition(parent, child);
        case Token.STRING_CONCAT -> countParts(child);
        default -> {}
      }
    }
  }

  private static void countAddition(Node parent, Node addition) {
    var left = addition.getFirstChild();
    var right = addition.getLastChild();
    if (isShortNumber(right) || isShortNumber(left)) {
      return;
    }
    count(
        addition,
        left.getType() == Token.STRING || isPrepended(parent, left, right) ? left : right);
  }

  private static boolean isShortNumber(Node node) {
    return node.getType() == Token.NUMBER
        && node.getDouble() == Math.rint(node.getDouble())
        && Math.abs(node.getDouble()) < SHORT_NUMBER_MAX;
  }

  /** {@code text = line + text} */
  private static boolean isPrepended(Node parent, Node left, Node right) {
    return parent.getType() == Token.SETNAME
        && right.getType() == Token.NAME
        && right.getString().equals(parent.getFirstChild().getString())
        && left.getType() != Token.USE_STACK;
  }

  private static void countParts(Node template) {
    for (var part = template.getFirstChild(); part != null; ) {
      var next = part.getNext();
      if (part.getType() != Token.STRING) {
        count(template, part);
      }
      part = next;
    }
  }

  private static void count(Node parent, Node part) {
    var call = new Node(Token.CALL);
    parent.replaceChild(part, call);
    call.addChildToBack(Node.newString(Token.NAME, COUNTED));
    call.addChildToBack(part);
  }

  @Override
  public Function createFunctionObject(
      Context context, Scriptable scope, Object bytecode, Object securityDomain) {
    return interpreter.createFunctionObject(context, scope, bytecode, securityDomain);
  }

  @Override
  public Script createScriptObject(Object bytecode, Object securityDomain) {
    return interpreter.createScriptObject(bytecode, securityDomain);
  }

  @Override
  public void captureStackInfo(RhinoException e) {
    interpreter.captureStackInfo(e);
  }

  @Override
  public String getSourcePositionFromStack(Context context, int[] line) {
    return interpreter.getSourcePositionFromStack(context, line);
  }

  @Override
  public String getPatchedStack(RhinoException e, String stack) {
    return interpreter.getPatchedStack(e, stack);
  }

  @Override
  public List<String> getScriptStack(RhinoException e) {
    return interpreter.getScriptStack(e);
  }

  @Override
  public void setEvalScriptFlag(Script script) {
    interpreter.setEvalScriptFlag(script);
  }
}
