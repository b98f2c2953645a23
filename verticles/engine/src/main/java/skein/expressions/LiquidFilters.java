package skein.expressions;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The filters of templates by name: Liquid's own, and those that Elsa adds. */
final class LiquidFilters {
  static final Map<String, LiquidFilter> ALL = all();

  private LiquidFilters() {}

  private static Map<String, LiquidFilter> all() {
    var all = new LinkedHashMap<String, LiquidFilter>();
    LiquidTextFilters.addTo(all);
    LiquidListFilters.addTo(all);
    LiquidNumberFilters.addTo(all);
    LiquidFormatFilters.addTo(all);
    all.put("date", LiquidDates::date);
    all.put("default", LiquidFilters::orElse);
    all.put("json", LiquidFilters::json);
    all.put(
        "create_event_trigger_url",
        call -> call.run().add(call.scope().eventLink(call.text(), call.argument(0))));
    all.put(
        "generate_bookmark_trigger_url",
        call -> call.run().add(call.scope().bookmarkLink(call.text(), call.argument(0))));
    return Map.copyOf(all);
  }

  private static @Nullable Object orElse(LiquidCall call) {
    var given = call.input();
    return LiquidValues.isTruthy(given) && !LiquidValues.isEmpty(given) ? given : call.argument(0);
  }

  /** Blank text stays as it is, as in Elsa. */
  private static @Nullable Object json(LiquidCall call) {
    return switch (call.input()) {
      case LiquidScope.Outputs outputs -> JsonText.print(outputs.result());
      case String text when text.isBlank() -> text;
      case Object[] list -> JsonText.print(Arrays.asList(list));
      case null, default -> JsonText.print(call.input());
    };
  }
}
