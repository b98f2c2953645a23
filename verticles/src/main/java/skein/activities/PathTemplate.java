package skein.activities;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A path with parameters: {@code orders/{id}}, {@code orders/{id:int}}, {@code files/{*rest}},
 * {@code page/{number?}}. Literal parts match in any case; parameter names are lower case.
 *
 * <p>Templates order by how exactly they match: the first that matches a path is the one meant.
 */
public final class PathTemplate implements Comparable<PathTemplate> {
  private static final Map<String, Pattern> CONSTRAINTS =
      Map.of(
          "int", Pattern.compile("[+-]?\\d{1,10}"),
          "long", Pattern.compile("[+-]?\\d{1,19}"),
          "bool", Pattern.compile("(?i)true|false"),
          "alpha", Pattern.compile("[A-Za-z]*"),
          "guid", Pattern.compile("[0-9a-fA-F]{8}(-?[0-9a-fA-F]{4}){3}-?[0-9a-fA-F]{12}"));

  private final String text;
  private final List<Part> parts;
  private final String rank;

  private sealed interface Part {
    record Literal(String text) implements Part {}

    /** {@code constraint}: null takes any text. */
    record Parameter(
        String name, boolean optional, @org.jspecify.annotations.Nullable Pattern constraint)
        implements Part {}

    record Rest(String name) implements Part {}
  }

  private PathTemplate(String text, List<Part> parts) {
    this.text = text;
    this.parts = parts;
    var ranks = new StringBuilder();
    for (var part : parts) {
      ranks.append(
          switch (part) {
            case Part.Literal _ -> 'a';
            case Part.Parameter(_, var optional, var constraint) ->
                optional ? 'd' : constraint == null ? 'c' : 'b';
            case Part.Rest _ -> 'e';
          });
    }
    this.rank = ranks.toString();
  }

  /** Throws {@link IllegalArgumentException} when braces do not pair or a name is missing. */
  public static PathTemplate parse(String template) {
    var text = normal(template);
    var parts = new ArrayList<Part>();
    for (var segment : segments(text)) {
      parts.add(part(segment, template));
    }
    return new PathTemplate(text, List.copyOf(parts));
  }

  /** Lower case, without slashes at the ends: the form in which templates are compared. */
  public static String normal(String path) {
    var start = 0;
    var end = path.length();
    while (start < end && path.charAt(start) == '/') {
      start++;
    }
    while (end > start && path.charAt(end - 1) == '/') {
      end--;
    }
    return path.substring(start, end).toLowerCase(Locale.ROOT);
  }

  private static Part part(String segment, String template) {
    var opens = segment.startsWith("{");
    if (!opens || !segment.endsWith("}")) {
      if (segment.indexOf('{') >= 0 || segment.indexOf('}') >= 0) {
        throw new IllegalArgumentException(
            "The path \"" + template + "\" has a parameter that is not a whole segment");
      }
      return new Part.Literal(segment);
    }
    var inner = segment.substring(1, segment.length() - 1);
    if (inner.startsWith("*")) {
      return new Part.Rest(named(inner.replaceFirst("^\\*{1,2}", ""), template));
    }
    var optional = inner.endsWith("?");
    if (optional) {
      inner = inner.substring(0, inner.length() - 1);
    }
    var colon = inner.indexOf(':');
    var name = named(colon < 0 ? inner : inner.substring(0, colon), template);
    return new Part.Parameter(
        name, optional, colon < 0 ? null : CONSTRAINTS.get(inner.substring(colon + 1)));
  }

  private static String named(String name, String template) {
    if (name.isBlank() || name.indexOf('{') >= 0 || name.indexOf('}') >= 0) {
      throw new IllegalArgumentException(
          "The path \"" + template + "\" has a parameter without a proper name");
    }
    return name;
  }

  /**
   * The values of the parameters, or nothing when the path is another one.
   *
   * @param path decoded, without the query; values keep their case
   */
  public Optional<Map<String, String>> match(String path) {
    var segments = segments(trimmed(path));
    var values = new LinkedHashMap<String, String>();
    var at = 0;
    for (var part : parts) {
      switch (part) {
        case Part.Literal(var literal) -> {
          if (at >= segments.size() || !literal.equalsIgnoreCase(segments.get(at))) {
            return Optional.empty();
          }
          at++;
        }
        case Part.Parameter(var name, var optional, var constraint) -> {
          if (at < segments.size()) {
            var value = segments.get(at++);
            if (constraint != null && !constraint.matcher(value).matches()) {
              return Optional.empty();
            }
            values.put(name, value);
          } else if (!optional) {
            return Optional.empty();
          }
        }
        case Part.Rest(var name) -> {
          values.put(name, String.join("/", segments.subList(at, segments.size())));
          at = segments.size();
        }
      }
    }
    return at == segments.size() ? Optional.of(values) : Optional.empty();
  }

  private static String trimmed(String path) {
    var start = path.startsWith("/") ? 1 : 0;
    var end = path.length() > start && path.endsWith("/") ? path.length() - 1 : path.length();
    return path.substring(start, end);
  }

  private static List<String> segments(String path) {
    return path.isEmpty() ? List.of() : List.of(path.split("/", -1));
  }

  public boolean hasParameters() {
    return !rank.isEmpty() && rank.chars().anyMatch(c -> c != 'a');
  }

  @Override
  public int compareTo(PathTemplate other) {
    var byRank = rank.compareTo(other.rank);
    return byRank != 0 ? byRank : text.compareTo(other.text);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof PathTemplate that && text.equals(that.text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  /** The normal form. */
  @Override
  public String toString() {
    return text;
  }
}
