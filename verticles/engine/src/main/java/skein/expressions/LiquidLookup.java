package skein.expressions;

import java.util.List;
import liqp.TemplateContext;
import liqp.nodes.LNode;
import liqp.nodes.LookupNode;
import org.jspecify.annotations.Nullable;

/**
 * A name, or the call of a macro of that name, and what is looked up in its value, which is never a
 * Java object's member.
 */
final class LiquidLookup extends LookupNode {
  private final String name;
  private final @Nullable LNode call;
  private final List<LNode> indexes;

  LiquidLookup(String name, @Nullable LNode call, List<LNode> indexes) {
    super(name);
    this.name = name;
    this.call = call;
    this.indexes = indexes;
  }

  @Override
  public @Nullable Object render(TemplateContext context) {
    var run = LiquidRun.of(context);
    var value = call == null ? root(run, context) : call.render(context);
    for (var index : indexes) {
      run.budget().spend(LiquidRun.STEP_INSTRUCTIONS);
      value = LiquidValues.member(value, index.render(context));
    }
    run.budget().spend(LiquidRun.STEP_INSTRUCTIONS + LiquidValues.size(value) / 16);
    return value;
  }

  String name() {
    return name;
  }

  /** Whether it is a name alone. */
  boolean isPlain() {
    return call == null && indexes.isEmpty();
  }

  private @Nullable Object root(LiquidRun run, TemplateContext context) {
    if (context.containsKey(name)) {
      return context.get(name);
    }
    var counted = context.getEnvironmentMap().get(name);
    return counted == null ? run.scope().root(name) : counted;
  }
}
