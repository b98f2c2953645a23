package skein.definitions;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import skein.codecs.DistinctText;
import skein.codecs.ShownText;
import skein.graph.References;
import skein.model.ErrorCode;
import skein.model.SkeinException;
import skein.model.WorkflowDefinition;

/**
 * The conditions for saving a definition, beyond being readable. Existing definitions keep their
 * ids and names.
 */
final class Admission {
  /** Members whose values are data of workflows, in which any names may stand. */
  private static final Set<String> DATA =
      Set.of("customproperties", "default", "defaultvalue", "metadata", "value");

  private static final Set<String> EVENTS = Set.of("Elsa.Event", "Elsa.PublishEvent");

  /** More would not be read. */
  private static final int MEMBER_ERRORS_MAX = 100;

  private Admission() {}

  /**
   * Throws {@code DEFINITION_INVALID} for members that differ only in case: of two readers one
   * would take the one, one the other.
   */
  static void checkMembers(Map<String, @Nullable Object> json) {
    var check = new MemberCheck();
    check.visit(json);
    if (!check.errors.isEmpty()) {
      throw SkeinException.definitionInvalid(check.errors);
    }
  }

  /** Keeps where it is, and says it only of what is wrong. */
  private static final class MemberCheck {
    /** Names of members, and places in lists. */
    private final List<Object> path = new ArrayList<>();

    private final List<String> errors = new ArrayList<>();

    private void visit(@Nullable Object value) {
      switch (value) {
        case Map<?, ?> map -> members(map);
        case List<?> list -> {
          for (var i = 0; i < list.size() && errors.size() < MEMBER_ERRORS_MAX; i++) {
            visit(list.get(i), i);
          }
        }
        case null, default -> {
          // It has no members.
        }
      }
    }

    private void members(Map<?, ?> map) {
      var seen = new HashMap<String, String>();
      for (var member : map.entrySet()) {
        if (errors.size() >= MEMBER_ERRORS_MAX) {
          return;
        }
        var name = String.valueOf(member.getKey());
        var folded = name.toLowerCase(Locale.ROOT);
        var other = seen.put(folded, name);
        if (other != null) {
          errors.add("%s and %s differ only in case".formatted(at(other), at(name)));
        }
        if (!DATA.contains(folded)) {
          visit(member.getValue(), name);
        }
      }
    }

    private void visit(@Nullable Object value, Object step) {
      path.add(step);
      visit(value);
      path.removeLast();
    }

    private String at(String name) {
      return Stream.concat(path.stream().map(String::valueOf), Stream.of(name))
          .map(ShownText::of)
          .collect(Collectors.joining("."));
    }
  }

  /**
   * Throws {@code DEFINITION_CONFLICT} for an id that another tenant's definition has: ids are
   * those of all tenants, since instances and links name a definition without saying whose it is.
   *
   * @param latest the stored one with the id; null: it is new
   */
  static void checkTenant(WorkflowDefinition given, @Nullable WorkflowDefinition latest) {
    if (latest != null && !latest.ref().tenant().equals(given.ref().tenant())) {
      throw new SkeinException(
          ErrorCode.DEFINITION_CONFLICT,
          "The id " + given.ref().definitionId() + " is in use: choose another one");
    }
  }

  /**
   * Throws {@code INVALID_ID} for a new id that looks like another one, and for a new name, of the
   * definition or of an event, that does.
   *
   * @param latest the stored one with the id; null: it is new
   */
  static void checkNames(WorkflowDefinition given, @Nullable WorkflowDefinition latest) {
    if (latest == null) {
      check("definitionId", given.ref().definitionId());
      check("id", given.ref().versionId());
    }
    checkEvents(given, latest);
    var name = given.name();
    if (name != null && (latest == null || !name.equals(latest.name()))) {
      if (References.typeName(given) != null) {
        check("name", name); // It is the type of an activity.
      } else if (DistinctText.reorders(name)) {
        throw refused("name", "has control characters, or some that change the order of others");
      }
    }
  }

  private static void checkEvents(WorkflowDefinition given, @Nullable WorkflowDefinition latest) {
    var known = latest == null ? Set.<String>of() : eventNames(latest);
    for (var name : eventNames(given)) {
      if (!known.contains(name)) {
        check("eventName", name);
      }
    }
  }

  /** Names of events that activities spell out. */
  private static Set<String> eventNames(WorkflowDefinition definition) {
    var names = new LinkedHashSet<String>();
    addEventNames(definition.json().get("root"), names);
    return names;
  }

  private static void addEventNames(@Nullable Object value, Set<String> names) {
    switch (value) {
      case Map<?, ?> map -> {
        if (map.get("type") instanceof String type && EVENTS.contains(type)) {
          var name = literal(map.get("eventName"));
          if (name != null) {
            names.add(name);
          }
        }
        map.values().forEach(member -> addEventNames(member, names));
      }
      case List<?> list -> list.forEach(item -> addEventNames(item, names));
      case null, default -> {
        // It has no activities.
      }
    }
  }

  private static @Nullable String literal(@Nullable Object input) {
    if (input instanceof Map<?, ?> wrapped
        && wrapped.get("expression") instanceof Map<?, ?> given) {
      return "Literal".equalsIgnoreCase(String.valueOf(given.get("type")))
              && given.get("value") instanceof String text
          ? text
          : null;
    }
    return input instanceof String text ? text : null;
  }

  private static void check(String member, String text) {
    var doubt = DistinctText.doubt(text);
    if (doubt != null) {
      throw refused(member, doubt);
    }
  }

  private static SkeinException refused(String member, String doubt) {
    return new SkeinException(
        ErrorCode.INVALID_ID,
        "%s %s; choose one that cannot be taken for another".formatted(member, doubt),
        List.of(),
        null);
  }
}
