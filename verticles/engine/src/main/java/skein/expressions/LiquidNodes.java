package skein.expressions;

import static skein.expressions.ExpressionException.UNSUPPORTED_TAG;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;
import liqp.LValue;
import liqp.TemplateContext;
import liqp.exceptions.ExceededMaxIterationsException;
import liqp.filters.Filters;
import liqp.nodes.AtomNode;
import liqp.nodes.BlockNode;
import liqp.nodes.FilterNode;
import liqp.nodes.InsertionNode;
import liqp.nodes.LNode;
import liqp.nodes.LookupNode;
import liqp.org.antlr.v4.runtime.Token;
import liqp.parser.v4.NodeVisitor;
import liquid.parser.v4.LiquidParser.AtomContext;
import liquid.parser.v4.LiquidParser.BlockContext;
import liquid.parser.v4.LiquidParser.Expr_containsContext;
import liquid.parser.v4.LiquidParser.Expr_eqContext;
import liquid.parser.v4.LiquidParser.Expr_relContext;
import liquid.parser.v4.LiquidParser.Expr_termContext;
import liquid.parser.v4.LiquidParser.FilterContext;
import liquid.parser.v4.LiquidParser.For_rangeContext;
import liquid.parser.v4.LiquidParser.If_tagContext;
import liquid.parser.v4.LiquidParser.Include_tagContext;
import liquid.parser.v4.LiquidParser.IndexContext;
import liquid.parser.v4.LiquidParser.Lookup_id_indexesContext;
import liquid.parser.v4.LiquidParser.Simple_tagContext;
import liquid.parser.v4.LiquidParser.Term_lookupContext;
import org.jspecify.annotations.Nullable;
import skein.expressions.LiquidTokens.Role;

/**
 * Makes nodes that render from what the parser found: Liqp's where they do bounded work, and ours,
 * which count, for blocks, names, comparisons and filters. Nodes have no state: threads share them.
 */
final class LiquidNodes extends NodeVisitor {
  /** Macros that the template defines, and for each that it calls a place where it does. */
  private final Set<String> macros = new HashSet<>();

  private final Map<String, Token> calls = new LinkedHashMap<>();

  LiquidNodes() {
    super(LiquidTags.INSERTIONS, Filters.EMPTY, true);
  }

  @Override
  public BlockNode visitBlock(BlockContext block) {
    var node = new Part();
    for (var atom : block.atom()) {
      var child = visit(atom);
      if (child != null) {
        node.add(placed(atom, child));
      }
    }
    return node;
  }

  /** A break in it keeps what was written before, which a block of Liqp's forgets. */
  private static final class Part extends BlockNode {
    private final List<LNode> children = new ArrayList<>();

    @Override
    public void add(LNode child) {
      super.add(child);
      children.add(child);
    }

    @Override
    public Object render(TemplateContext context) {
      var run = LiquidRun.of(context);
      var out = context.newObjectAppender(children.size());
      for (var child : children) {
        var value = child.render(context);
        if (LValue.BREAK.equals(value) || LValue.CONTINUE.equals(value)) {
          run.interrupt(out.getResult().toString());
          return value;
        }
        if (value != null) {
          out.append(value);
        }
      }
      return out.getResult();
    }
  }

  /** Counts, and says where it was when something goes wrong. */
  private static LNode placed(AtomContext atom, LNode child) {
    var start = atom.getStart();
    return context -> {
      LiquidRun.of(context).budget().spend(LiquidRun.STEP_INSTRUCTIONS);
      try {
        return child.render(context);
      } catch (ExpressionException | ExceededMaxIterationsException e) {
        throw e;
      } catch (RuntimeException e) {
        throw LiquidProblem.failed(start, e);
      }
    };
  }

  @Override
  public LNode visitInclude_tag(Include_tagContext include) {
    throw refused("include", include.start);
  }

  @Override
  public LNode visitSimple_tag(Simple_tagContext tag) {
    var name = tag.SimpleTagId().getText();
    if (LiquidTags.isRefused(name)) {
      throw refused(name, tag.start);
    }
    return super.visitSimple_tag(tag);
  }

  private static ExpressionException refused(String tag, Token at) {
    return LiquidProblem.at(
        UNSUPPORTED_TAG,
        "the tag "
            + tag
            + " is not supported, because templates read no other templates: write the text here,"
            + " as a macro where it is used more than once, or hand it over in a variable",
        at);
  }

  /** A macro comes as a condition, see {@link LiquidTokens}. */
  @Override
  public LNode visitIf_tag(If_tagContext tag) {
    var macro = LiquidTokens.is(tag.IfStart().getSymbol(), Role.MACRO);
    if (macro != LiquidTokens.is(tag.IfEnd().getSymbol(), Role.MACRO)) {
      throw LiquidProblem.at(
          "the tag is closed by the end of another one", tag.IfEnd().getSymbol());
    }
    if (!macro) {
      return super.visitIf_tag(tag);
    }
    if (tag.else_tag() != null || !tag.elsif_tag().isEmpty()) {
      throw LiquidProblem.at("a macro has no else", tag.start);
    }
    return definition(tag);
  }

  private LNode definition(If_tagContext tag) {
    var written =
        tag.expr() instanceof Expr_termContext expression
                && expression.term() instanceof Term_lookupContext term
                && term.lookup() instanceof Lookup_id_indexesContext lookup
            ? lookup
            : null;
    var count = written == null ? 0 : argumentsOf(written);
    if (written == null || count == 0 || count < written.index().size()) {
      throw LiquidProblem.at(
          "a macro has a name and parameters: {% macro greet(name, title='Dr') %}", tag.start);
    }
    var parameters = new LinkedHashMap<String, @Nullable LNode>();
    for (var argument : arguments(written, count)) {
      var name = argument.name() == null ? parameter(argument.value(), tag) : argument.name();
      parameters.put(name, argument.name() == null ? null : argument.value());
    }
    var name = written.id().getText();
    macros.add(name);
    return LiquidMacro.definition(name, parameters, visitBlock(tag.block()));
  }

  private static String parameter(LNode written, If_tagContext tag) {
    if (written instanceof LiquidLookup lookup && lookup.isPlain()) {
      return lookup.name();
    }
    throw LiquidProblem.at("a parameter of a macro is a name", tag.start);
  }

  /** How many of the indexes are arguments of a call. */
  private static int argumentsOf(Lookup_id_indexesContext lookup) {
    var count = 0;
    for (var index : lookup.index()) {
      var bracket = index.OBr() == null ? null : index.OBr().getSymbol();
      if (!LiquidTokens.is(bracket, count == 0 ? Role.CALL : Role.ARGUMENT)) {
        return count;
      }
      count++;
    }
    return count;
  }

  private List<LiquidMacro.Argument> arguments(Lookup_id_indexesContext lookup, int count) {
    var arguments = new ArrayList<LiquidMacro.Argument>();
    for (var index : lookup.index().subList(0, count)) {
      var expression = index.expr();
      if (LiquidTokens.is(expression.start, Role.NO_ARGUMENT)) {
        continue;
      }
      if (expression instanceof Expr_eqContext pair && LiquidTokens.is(pair.op, Role.NAME)) {
        if (!(visit(pair.lhs) instanceof LiquidLookup name && name.isPlain())) {
          throw LiquidProblem.at("the name of an argument is a name", expression.start);
        }
        arguments.add(new LiquidMacro.Argument(name.name(), visit(pair.rhs)));
      } else {
        arguments.add(new LiquidMacro.Argument(null, visit(expression)));
      }
    }
    return arguments;
  }

  /** Throws where a macro is called that the template does not define. */
  void refuseUnknownMacros() {
    calls.forEach((name, at) -> {
      if (!macros.contains(name)) {
        throw LiquidProblem.at(
            "there is no macro " + name + ": define it with {% macro " + name + "() %}", at);
      }
    });
  }

  /** A loop over a list of the numbers, because Liqp's own miscounts where a range is cut. */
  @Override
  public LNode visitFor_range(For_rangeContext loop) {
    var nodes = new ArrayList<@Nullable LNode>();
    nodes.add(new AtomNode(true));
    nodes.add(new AtomNode(loop.id().getText()));
    nodes.add(range(visit(loop.from), visit(loop.to)));
    nodes.add(visitBlock(loop.block()));
    nodes.add(null);
    nodes.add(new AtomNode("(" + loop.from.getText() + ".." + loop.to.getText() + ")"));
    nodes.add(new AtomNode(loop.Reversed() != null));
    for (var attribute : loop.for_attribute()) {
      nodes.add(visit(attribute));
    }
    return new InsertionNode(LiquidTags.INSERTIONS.get("for"), nodes.toArray(new LNode[0]));
  }

  private static LNode range(LNode from, LNode to) {
    return context -> {
      var first = LiquidValues.number(from.render(context));
      var last = LiquidValues.number(to.render(context));
      if (first == null || last == null) {
        throw new IllegalArgumentException("a range needs two numbers");
      }
      var start = first.longValue();
      var count = Math.max(0, last.longValue() - start + 1);
      LiquidRun.of(context).budget().elements(count);
      return LongStream.range(start, start + count).boxed().toList();
    };
  }

  @Override
  public LNode visitExpr_eq(Expr_eqContext comparison) {
    var left = visit(comparison.lhs);
    var right = visit(comparison.rhs);
    var same = comparison.op.getText().equals("==");
    return context ->
        same
            == LiquidValues.equal(
                LiquidRun.of(context).budget(), left.render(context), right.render(context));
  }

  @Override
  public LNode visitExpr_rel(Expr_relContext comparison) {
    var left = visit(comparison.lhs);
    var right = visit(comparison.rhs);
    var operator = comparison.op.getText();
    return context -> {
      var order =
          LiquidValues.order(
              LiquidRun.of(context).budget(), left.render(context), right.render(context));
      return order != null
          && switch (operator) {
            case "<" -> order < 0;
            case "<=" -> order <= 0;
            case ">" -> order > 0;
            default -> order >= 0;
          };
    };
  }

  @Override
  public LNode visitExpr_contains(Expr_containsContext comparison) {
    var left = visit(comparison.lhs);
    var right = visit(comparison.rhs);
    return context ->
        LiquidValues.contains(
            LiquidRun.of(context).budget(), left.render(context), right.render(context));
  }

  @Override
  public LookupNode visitLookup_id_indexes(Lookup_id_indexesContext lookup) {
    var indexes = new ArrayList<LNode>();
    var name = lookup.id().getText();
    var count = argumentsOf(lookup);
    for (IndexContext index : lookup.index().subList(count, lookup.index().size())) {
      if (index.OBr() != null && index.OBr().getSymbol() instanceof LiquidTokens.Made) {
        throw LiquidProblem.at("only macros can be called, by their name", index.start);
      }
      if (index.Dot() == null) {
        indexes.add(visit(index.expr()));
      } else {
        var member = index.id2().getText();
        indexes.add(_ -> member);
      }
    }
    if (count == 0) {
      return new LiquidLookup(name, null, List.copyOf(indexes));
    }
    calls.putIfAbsent(name, lookup.start);
    return new LiquidLookup(
        name, LiquidMacro.call(name, arguments(lookup, count)), List.copyOf(indexes));
  }

  @Override
  public FilterNode visitFilter(FilterContext filter) {
    var name = filter.Id().getText();
    var body = LiquidFilters.ALL.get(name);
    if (body == null) {
      throw LiquidProblem.at("there is no filter " + name, filter.Id().getSymbol());
    }
    var node = new LiquidFilterNode(filter, body);
    if (filter.params() != null) {
      filter.params().param_expr().forEach(argument -> node.add(visit(argument)));
    }
    return node;
  }
}
