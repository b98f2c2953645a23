package skein.activities;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A path with parameters: {@code orders/{id}}, {@code orders/{id:int}}, {@code files/{*rest}},
 * {@code page/{number?}}, {@code page/{number:min(1)=1}}. Literal parts match in any case;
 * parameter names are lower case.
 *
 * <p>Templates order by how exactly they match: the first that matches a path is the one meant.
 */
public final class PathTemplate implements Comparable<PathTemplate> {
  private final String text;
  private final List<Part> parts;
  private final String rank;

  private sealed interface Part {
    record Literal(String text) implements Part {}

    /**
     * A whole segment.
     *
     * @param otherwise what it is where the path ends before it; null: see {@code optional}
     */
    record Parameter(
        String name, boolean optional, @Nullable String otherwise, List<Constraint> constraints)
        implements Part {
      boolean takes(String value) {
        return constraints.stream().allMatch(constraint -> constraint.takes(value));
      }
    }

    /** All segments that are left. */
    record Rest(Parameter parameter) implements Part {}
  }

  /** {@code test}: null where this server has no such constraint. */
  private record Constraint(String text, @Nullable Predicate<String> test) {
    boolean takes(String value) {
      return test == null || test.test(value);
    }
  }

  private PathTemplate(String text, List<Part> parts) {
    this.text = text;
    this.parts = parts;
    var ranks = new StringBuilder();
    for (var part : parts) {
      ranks.append(
          switch (part) {
            case Part.Literal _ -> 'a';
            case Part.Parameter p when p.optional() || p.otherwise() != null -> 'd';
            case Part.Parameter p -> p.constraints().isEmpty() ? 'c' : 'b';
            case Part.Rest _ -> 'e';
          });
    }
    this.rank = ranks.toString();
  }

  /**
   * Throws {@link IllegalArgumentException} when braces do not pair or a name is missing. A
   * constraint that is not known takes everything; {@link #check} refuses it.
   */
  public static PathTemplate parse(String template) {
    var text = normal(template);
    var parts = new ArrayList<Part>();
    for (var segment : segments(text)) {
      parts.add(part(segment, template));
    }
    return new PathTemplate(text, List.copyOf(parts));
  }

  /**
   * The allowed text between two slashes: nothing that servers and proxies read in several ways.
   */
  private static final Pattern REACHABLE = Pattern.compile("(?!\\.{1,2}$)[^\\\\%?#\\p{Cntrl}]+");

  private static final String RESUME = "resume";

  /** Throws {@link IllegalArgumentException} for what cannot be served as it is written. */
  static void check(String template) {
    var parts = parse(template).parts;
    for (var part : parts) {
      if (part instanceof Part.Literal(var text) && !REACHABLE.matcher(text).matches()) {
        throw new IllegalArgumentException(
            "The path \"%s\" has \"%s\" between slashes, which no request can ask for"
                .formatted(template, text));
      }
    }
    if (parts.size() == 2
        && parts.getFirst() instanceof Part.Literal(var first)
        && first.equals(RESUME)) {
      throw new IllegalArgumentException(
          "The path \"%s\" is where resume links lead: choose another first part"
              .formatted(template));
    }
    for (var part : parts) {
      var constraints =
          switch (part) {
            case Part.Literal _ -> List.<Constraint>of();
            case Part.Parameter parameter -> parameter.constraints();
            case Part.Rest(var parameter) -> parameter.constraints();
          };
      for (var constraint : constraints) {
        if (constraint.test() == null) {
          throw new IllegalArgumentException(
              "The path \"%s\" has the constraint \"%s\", which this server does not know: leave it out and check the value in the workflow"
                  .formatted(template, constraint.text()));
        }
      }
    }
  }

  /**
   * Lower case but for constraints and defaults, without slashes at the ends: the form in which
   * templates are compared.
   */
  public static String normal(String path) {
    var start = 0;
    var end = path.length();
    while (start < end && path.charAt(start) == '/') {
      start++;
    }
    while (end > start && path.charAt(end - 1) == '/') {
      end--;
    }
    var text = path.substring(start, end).toLowerCase(Locale.ROOT);
    return text.indexOf('{') < 0 ? text : withParameters(path.substring(start, end));
  }

  private static String withParameters(String path) {
    var normal = new StringBuilder(path.length());
    var inName = true;
    var inBraces = false;
    for (var i = 0; i < path.length(); i++) {
      var c = path.charAt(i);
      if (c == '{' || c == '}') {
        inBraces = c == '{';
        inName = true;
      } else if (inBraces && (c == ':' || c == '=')) {
        inName = false;
      }
      normal.append(inName ? Character.toLowerCase(c) : c);
    }
    return normal.toString();
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
    var stars = inner.startsWith("**") ? 2 : inner.startsWith("*") ? 1 : 0;
    var parameter = parameter(inner.substring(stars), template);
    return stars == 0 ? parameter : new Part.Rest(parameter);
  }

  /** {@code name:constraint:constraint=otherwise} or {@code name:constraint?}. */
  private static Part.Parameter parameter(String text, String template) {
    var equals = outside(text, '=', 0);
    var optional = equals < 0 && text.endsWith("?");
    var declared =
        equals >= 0
            ? text.substring(0, equals)
            : optional ? text.substring(0, text.length() - 1) : text;
    var constraints = new ArrayList<Constraint>();
    var colon = outside(declared, ':', 0);
    var name = named(colon < 0 ? declared : declared.substring(0, colon), template);
    while (colon >= 0) {
      var next = outside(declared, ':', colon + 1);
      var constraint = declared.substring(colon + 1, next < 0 ? declared.length() : next);
      constraints.add(new Constraint(constraint, RouteConstraint.of(constraint)));
      colon = next;
    }
    return new Part.Parameter(
        name, optional, equals < 0 ? null : text.substring(equals + 1), List.copyOf(constraints));
  }

  /** Where the character is first, not counting what is in brackets; -1 where it is not. */
  private static int outside(String text, char wanted, int from) {
    var depth = 0;
    for (var i = from; i < text.length(); i++) {
      var c = text.charAt(i);
      if (c == wanted && depth == 0) {
        return i;
      }
      depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    }
    return -1;
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
        case Part.Parameter parameter -> {
          var value = at < segments.size() ? segments.get(at++) : null;
          if (!put(values, parameter, value)) {
            return Optional.empty();
          }
        }
        case Part.Rest(var parameter) -> {
          var left = String.join("/", segments.subList(at, segments.size()));
          var value = left.isEmpty() && parameter.otherwise() != null ? null : left;
          if (!put(values, parameter, value)) {
            return Optional.empty();
          }
          at = segments.size();
        }
      }
    }
    return at == segments.size() ? Optional.of(values) : Optional.empty();
  }

  /** {@code value}: null where the path has ended. False where it is not one for the parameter. */
  private static boolean put(
      Map<String, String> values, Part.Parameter parameter, @Nullable String value) {
    if (value != null) {
      values.put(parameter.name(), value);
      return parameter.takes(value);
    }
    if (parameter.otherwise() != null) {
      values.put(parameter.name(), parameter.otherwise());
      return true;
    }
    return parameter.optional();
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
