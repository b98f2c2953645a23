package skein.http;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which definitions a document uses as activities: by {@code workflowDefinitionId}, else by the
 * type name that a definition's name makes.
 */
final class References {
  private References() {}

  /** What an activity that is a definition may be known by. */
  record Used(String definitionId, @Nullable String typeName) {
    static Used of(String definitionId, @Nullable String name) {
      return new Used(
          definitionId, name == null || name.isBlank() ? null : References.typeName(name));
    }

    List<String> words() {
      return typeName == null ? List.of(definitionId) : List.of(definitionId, typeName);
    }
  }

  /** Whether the document has an activity that is this definition. */
  static boolean uses(Map<?, ?> document, Used used) {
    return usesWithin(document.get("root"), used);
  }

  private static boolean usesWithin(@Nullable Object value, Used used) {
    return switch (value) {
      case Map<?, ?> map ->
          is(map, used) || map.values().stream().anyMatch(v -> usesWithin(v, used));
      case List<?> list -> list.stream().anyMatch(v -> usesWithin(v, used));
      case null, default -> false;
    };
  }

  private static boolean is(Map<?, ?> activity, Used used) {
    if (!(activity.get("type") instanceof String type) || !activity.containsKey("id")) {
      return false;
    }
    var id = activity.get("workflowDefinitionId");
    boolean says = id instanceof String said && !said.isBlank();
    return says ? used.definitionId().equals(id) : type.equals(used.typeName());
  }

  /**
   * {@code Order line} is {@code OrderLine}: each word begins with a capital, blanks and
   * underscores go.
   */
  static String typeName(String name) {
    var type = new StringBuilder();
    for (var word : name.split("_| +", -1)) {
      if (!word.isEmpty()) {
        type.append(word.substring(0, 1).toUpperCase(Locale.ROOT)).append(word.substring(1));
      }
    }
    return type.toString();
  }

  /** Collects consumers, consumers of those, and so on, each once. */
  static final class Closure {
    private final Set<String> seen = new HashSet<>();
    private final List<String> found = new ArrayList<>();

    Closure(String definitionId) {
      seen.add(definitionId);
    }

    /** Whether it is new; a definition that uses itself in the end is not its own consumer. */
    boolean add(String definitionId) {
      boolean added = seen.add(definitionId);
      if (added) {
        found.add(definitionId);
      }
      return added;
    }

    List<String> found() {
      return List.copyOf(found);
    }
  }
}
