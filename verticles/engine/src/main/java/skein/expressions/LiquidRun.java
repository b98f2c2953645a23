package skein.expressions;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import liqp.RenderTransformer;
import liqp.TemplateContext;
import org.jspecify.annotations.Nullable;

/** One rendering: its budget and what it sees. Liqp hands it from node to node in its context. */
final class LiquidRun {
  /** Joins what the nodes of a block make. */
  static final RenderTransformer OUTPUT =
      new RenderTransformer() {
        @Override
        public ObjectAppender.Controller newObjectAppender(TemplateContext context, int estimate) {
          return new Output(of(context));
        }

        @Override
        public Object transformObject(TemplateContext context, Object rendered) {
          return rendered;
        }
      };

  /** The cost of a node, or of looking up a name. */
  static final int STEP_INSTRUCTIONS = 5;

  private static final String REGISTRY = "skein";

  private final Budget budget;
  private final LiquidScope scope;
  private final List<Scope.Link> links = new ArrayList<>();
  private String interrupted = "";

  private LiquidRun(Budget budget, LiquidScope scope) {
    this.budget = budget;
    this.scope = scope;
  }

  static LiquidRun begin(TemplateContext context, Budget budget, LiquidScope scope) {
    var run = new LiquidRun(budget, scope);
    Map<String, Object> registry = context.getRegistry(REGISTRY);
    registry.put(REGISTRY, run);
    return run;
  }

  static LiquidRun of(TemplateContext context) {
    Map<String, Object> registry = context.getRegistry(REGISTRY);
    if (registry.get(REGISTRY) instanceof LiquidRun run) {
      return run;
    }
    throw new IllegalStateException("a template is rendered outside an evaluation");
  }

  Budget budget() {
    return budget;
  }

  LiquidScope scope() {
    return scope;
  }

  /** Returns where it leads. */
  String add(Scope.Link link) {
    links.add(link);
    return link.url();
  }

  /** Once the template has been rendered. */
  void keepLinks() {
    links.forEach(link -> link.keep().run());
  }

  /**
   * Keeps what a block has written until a break or a continue ended it; the loop's own output, the
   * next that is asked for anything, takes it. Outer blocks are interrupted after inner ones.
   */
  void interrupt(String written) {
    interrupted = written + interrupted;
  }

  private String interrupted() {
    var written = interrupted;
    interrupted = "";
    return written;
  }

  /** The text of all, with what a break outside any loop has left. */
  String finish(@Nullable Object rendered) {
    return text(rendered) + interrupted();
  }

  /** The text that a value has in the output. */
  String text(@Nullable Object value) {
    return LiquidValues.text(budget, value);
  }

  private static final class Output implements RenderTransformer.ObjectAppender.Controller {
    private final LiquidRun run;
    private final StringBuilder out = new StringBuilder();

    Output(LiquidRun run) {
      this.run = run;
    }

    @Override
    public void append(@Nullable Object value) {
      write(run.interrupted());
      write(run.text(value));
    }

    private void write(String text) {
      run.budget.string((long) out.length() + text.length());
      out.append(text);
    }

    @Override
    public Object getResult() {
      write(run.interrupted());
      return out.toString();
    }
  }
}
