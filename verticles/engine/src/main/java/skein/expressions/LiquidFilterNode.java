package skein.expressions;

import java.time.DateTimeException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import liqp.TemplateContext;
import liqp.filters.Filter;
import liqp.nodes.FilterNode;
import liqp.nodes.KeyValueNode;
import liqp.nodes.LNode;
import liqp.org.antlr.v4.runtime.Token;
import liquid.parser.v4.LiquidParser.FilterContext;
import org.jspecify.annotations.Nullable;

/** Applies one of our filters to a value, in place of a filter of Liqp's. */
final class LiquidFilterNode extends FilterNode {
  private static final Filter NONE = new Filter("none") {};

  private final LiquidFilter body;
  private final Token start;
  private final List<LNode> arguments = new ArrayList<>();

  LiquidFilterNode(FilterContext filter, LiquidFilter body) {
    super(filter, NONE);
    this.body = body;
    this.start = filter.Id().getSymbol();
  }

  @Override
  public void add(LNode argument) {
    arguments.add(argument);
  }

  @Override
  public @Nullable Object apply(@Nullable Object value, TemplateContext context) {
    var given = new ArrayList<@Nullable Object>(arguments.size());
    var named = new LinkedHashMap<String, @Nullable Object>();
    for (var argument : arguments) {
      if (argument instanceof KeyValueNode pair) {
        named.put(pair.key, pair.value.render(context));
        given.add(named.get(pair.key));
      } else {
        given.add(argument.render(context));
      }
    }
    var run = LiquidRun.of(context);
    run.budget().spend(LiquidRun.STEP_INSTRUCTIONS);
    try {
      return body.apply(new LiquidCall(run, value, given, named));
    } catch (IllegalArgumentException | ArithmeticException | DateTimeException e) {
      throw LiquidProblem.failed(start, e);
    }
  }
}
