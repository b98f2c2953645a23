package skein.activities;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import skein.expressions.Expression;

/** The cases of a switch. Immutable. */
final class Cases {
  static final String PROPERTY = "cases";
  static final Input MODE =
      Input.of("Mode", "String", "MatchFirst")
          .oneOf("MatchFirst", "MatchAny")
          .described("MatchFirst takes the first case that holds, MatchAny all that do.");

  private final List<Case> all;

  /**
   * @param index its place in the file
   * @param condition null never holds
   */
  record Case(int index, String label, @Nullable Expression condition) {}

  private Cases(List<Case> all) {
    this.all = List.copyOf(all);
  }

  static Cases read(Map<String, @Nullable Object> json) {
    var all = new ArrayList<Case>();
    var items = Json.list(Json.member(json, PROPERTY));
    for (var i = 0; i < items.size(); i++) {
      var item = Json.object(items.get(i));
      if (item != null) {
        var label = Json.member(item, "label");
        all.add(new Case(i, label == null ? "" : label.toString(), condition(item)));
      }
    }
    return new Cases(all);
  }

  private static @Nullable Expression condition(Map<String, @Nullable Object> item) {
    var condition = Json.object(Json.member(item, "condition"));
    var type = condition == null ? null : Json.member(condition, "type");
    return condition == null || type == null
        ? null
        : new Expression(type.toString(), Json.member(condition, "value"));
  }

  List<String> labels() {
    return all.stream().map(Case::label).toList();
  }

  List<Expression> conditions() {
    var conditions = new ArrayList<Expression>();
    for (var each : all) {
      if (each.condition != null) {
        conditions.add(each.condition);
      }
    }
    return conditions;
  }

  /**
   * Those that hold, in order; with {@code MatchFirst} the first alone. All are evaluated.
   *
   * @param branch what runs for a case, by its index; null where nothing does
   */
  List<Case> matching(ActivityContext context, IntFunction<@Nullable ActivityNode> branch) {
    var matching = new ArrayList<Case>();
    for (var each : all) {
      if (each.condition != null && context.holds(each.condition, branch.apply(each.index))) {
        matching.add(each);
      }
    }
    return matching.size() > 1 && firstOnly(context) ? List.of(matching.getFirst()) : matching;
  }

  private static boolean firstOnly(ActivityContext context) {
    var mode = context.text(MODE);
    return switch (mode == null ? "" : mode.toLowerCase(Locale.ROOT)) {
      case "matchfirst", "0", "" -> true;
      case "matchany", "1" -> false;
      default -> throw new FaultException("UnknownMode", "There is no switch mode " + mode);
    };
  }

  static Cases of(ActivityContext context) {
    if (context.node().plan() instanceof Cases cases) {
      return cases;
    }
    throw new IllegalStateException("A switch without its cases: " + context.node());
  }
}
