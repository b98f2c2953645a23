package skein.node.elsa;

import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Finds the activities of a document that start instances. */
final class Triggers {
  /** They need nothing from outside. */
  private static final Set<String> OF_TIME = Set.of("Elsa.Timer", "Elsa.Cron", "Elsa.StartAt");

  private static final String STARTS = "canStartWorkflow";

  private Triggers() {}

  /** Whether something may start it while it is published. */
  static boolean isStartable(Map<?, ?> document) {
    return any(document.get("root"), _ -> true);
  }

  /** Whether it starts by itself at some time while it is published. */
  static boolean isTimed(Map<?, ?> document) {
    return any(document.get("root"), OF_TIME::contains);
  }

  private static boolean any(@Nullable Object value, Predicate<String> type) {
    return switch (value) {
      case Map<?, ?> map ->
          (map.get("type") instanceof String name && starts(map) && type.test(name))
              || map.values().stream().anyMatch(member -> any(member, type));
      case Iterable<?> list -> {
        for (var item : list) {
          if (any(item, type)) {
            yield true;
          }
        }
        yield false;
      }
      case null, default -> false;
    };
  }

  private static boolean starts(Map<?, ?> activity) {
    return Json.flag(activity, STARTS)
        || Json.flag(Json.object(activity, "customProperties"), STARTS);
  }
}
