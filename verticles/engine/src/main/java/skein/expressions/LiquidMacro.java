package skein.expressions;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import liqp.LValue;
import liqp.TemplateContext;
import liqp.nodes.LNode;
import org.jspecify.annotations.Nullable;

/** Text with parameters. It is known to a rendering from where its definition was rendered. */
final class LiquidMacro {
  private static final String REGISTRY = "skein.macros";
  private static final int CALL_INSTRUCTIONS = 20;

  private final Map<String, @Nullable Object> defaults;
  private final LNode body;

  private LiquidMacro(Map<String, @Nullable Object> defaults, LNode body) {
    this.defaults = defaults;
    this.body = body;
  }

  /** Defaults are computed when it is defined; null where a parameter has none. */
  static LNode definition(String name, Map<String, @Nullable LNode> parameters, LNode body) {
    return context -> {
      var defaults = new LinkedHashMap<String, @Nullable Object>();
      parameters.forEach((parameter, value) ->
          defaults.put(parameter, value == null ? null : value.render(context)));
      defined(context).put(name, new LiquidMacro(defaults, body));
      return null;
    };
  }

  /** One of what is handed over to a call; without a name it goes by its place. */
  record Argument(@Nullable String name, LNode value) {}

  static LNode call(String name, List<Argument> arguments) {
    return context -> {
      var macro = defined(context).get(name);
      if (macro == null) {
        throw new IllegalArgumentException(
            "the macro " + name + " is not defined yet: define it before its calls");
      }
      var budget = LiquidRun.of(context).budget();
      budget.spend(CALL_INSTRUCTIONS + (long) macro.defaults.size());
      var values = macro.values(name, arguments, context);
      budget.enter();
      var text = macro.text(new Local(context, values));
      budget.leave();
      return text;
    };
  }

  /** Those of one rendering, by name; Liqp keeps them beside its {@link LiquidRun}. */
  private static Map<String, LiquidMacro> defined(TemplateContext context) {
    return context.getRegistry(REGISTRY);
  }

  private Map<String, @Nullable Object> values(
      String name, List<Argument> arguments, TemplateContext context) {
    var values = new LinkedHashMap<String, @Nullable Object>(defaults);
    var places = defaults.keySet().iterator();
    for (var argument : arguments) {
      values.put(parameter(name, argument, places), argument.value.render(context));
    }
    return values;
  }

  private String parameter(String macro, Argument argument, Iterator<String> places) {
    var name = argument.name;
    if (name == null) {
      if (places.hasNext()) {
        return places.next();
      }
      throw new IllegalArgumentException(
          "the macro " + macro + " has " + defaults.size() + " parameters, and more were given");
    }
    if (!defaults.containsKey(name)) {
      throw new IllegalArgumentException("the macro " + macro + " has no parameter " + name);
    }
    return name;
  }

  /** A break ends the macro and no loop around its call. */
  private String text(TemplateContext context) {
    var run = LiquidRun.of(context);
    var rendered = body.render(context);
    return LValue.BREAK.equals(rendered) || LValue.CONTINUE.equals(rendered)
        ? run.finish(null)
        : run.finish(rendered);
  }

  /** Sees what is around it; assignments in it are dropped when it ends. */
  private static final class Local extends TemplateContext {
    private final TemplateContext outer;

    Local(TemplateContext outer, Map<String, @Nullable Object> values) {
      super(outer.getParser(), values);
      this.outer = outer;
    }

    @Override
    public boolean containsKey(String key) {
      return super.containsKey(key) || outer.containsKey(key);
    }

    @Override
    public @Nullable Object get(String key) {
      return super.containsKey(key) ? super.get(key) : outer.get(key);
    }

    @Override
    public Map<String, Object> getEnvironmentMap() {
      return outer.getEnvironmentMap();
    }

    @Override
    @SuppressWarnings("TypeParameterUnusedInFormals") // Liqp's signature.
    public <T extends Map<String, ?>> T getRegistry(String name) {
      return outer.getRegistry(name);
    }
  }
}
