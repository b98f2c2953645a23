package skein.graph;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import skein.activities.Json;
import skein.codecs.EditDistance;
import skein.codecs.ShownText;
import skein.model.Finding;
import skein.model.Finding.Severity;
import skein.model.FindingCode;

/** Collects what is wrong with a definition. Used once. */
final class Findings {
  /** So that a definition full of unknown names costs no time that others need. */
  private static final int COMPARISONS_MAX = 20_000;

  /** The limit of errors, and of warnings; more would not be read. */
  static final int EACH_MAX = 1_000;

  private final List<Finding> all = new ArrayList<>();
  private int errors;
  private int warnings;
  private int comparisons;

  /**
   * An activity that findings are about.
   *
   * @param pointer to its JSON, or that of the innermost activity around it that is in the document
   */
  record About(String type, String nodeId, String pointer) {
    /** A sentence begins with it. */
    String subject() {
      return (type.isEmpty() ? "An activity without a type" : ShownText.of(type))
          + " ("
          + nodeId
          + ")";
    }
  }

  List<Finding> all() {
    return all;
  }

  /** About the definition; {@code path} is a JSON Pointer. */
  void error(FindingCode code, String path, String message) {
    if (isTaken(Severity.ERROR)) {
      all.add(new Finding(Severity.ERROR, code, null, path, message, null));
    }
  }

  /** {@code member}: a JSON Pointer within the activity, empty for all of it. */
  void error(FindingCode code, About about, String member, String finding) {
    add(Severity.ERROR, code, about, member, finding, null);
  }

  void add(
      Severity severity,
      FindingCode code,
      About about,
      String member,
      String finding,
      @Nullable String suggestion) {
    if (!isTaken(severity)) {
      return;
    }
    all.add(
        new Finding(
            severity,
            code,
            about.nodeId(),
            about.pointer() + member,
            about.subject()
                + ": "
                + finding
                + (suggestion == null ? "" : "; did you mean \"" + suggestion + "\"?"),
            suggestion));
  }

  /** An error is never kept out by warnings: it forbids publishing. */
  private boolean isTaken(Severity severity) {
    if (severity != Severity.ERROR) {
      return warnings++ < EACH_MAX;
    }
    if (errors++ == EACH_MAX) {
      all.add(
          new Finding(
              Severity.ERROR,
              FindingCode.LIMIT_EXCEEDED,
              null,
              "",
              "There are more than " + EACH_MAX + " errors: correct these first",
              null));
    }
    return errors <= EACH_MAX;
  }

  /** The candidate that was probably meant; null where none is near, or so many were compared. */
  @Nullable String nearest(String word, Collection<String> candidates) {
    if (comparisons + candidates.size() > COMPARISONS_MAX) {
      return null;
    }
    comparisons += candidates.size();
    return EditDistance.nearest(word, candidates);
  }

  /** A member of an object as a JSON Pointer; it may be written with a capital first letter. */
  static String member(Map<String, @Nullable Object> json, String name) {
    boolean capital = !name.isEmpty() && json.get(name) == null && !json.containsKey(name);
    var other = capital ? Character.toUpperCase(name.charAt(0)) + name.substring(1) : name;
    return step(capital && json.containsKey(other) ? other : name);
  }

  /** One step of a JSON Pointer. */
  static String step(String name) {
    return "/" + name.replace("~", "~0").replace("/", "~1");
  }

  /** The step to an item of {@link Json#list} of a member. */
  static String item(Map<String, @Nullable Object> json, String name, int index) {
    var member = member(json, name);
    return switch (Json.member(json, name)) {
      case List<?> _ -> member + "/" + index;
      case Map<?, ?> map when map.get("$values") instanceof List<?> -> member + "/$values/" + index;
      case null, default -> member;
    };
  }

  /** Names that are only near when their last part is compared, as {@code WriteLine}. */
  @Nullable String nearestType(String type, Set<String> types) {
    var whole = nearest(type, types);
    if (whole != null) {
      return whole;
    }
    var simple = nearest(simple(type), types.stream().map(Findings::simple).toList());
    return types.stream().filter(known -> simple(known).equals(simple)).findFirst().orElse(null);
  }

  private static String simple(String type) {
    return type.substring(type.lastIndexOf('.') + 1);
  }
}
