package skein.activities;

import java.util.Locale;
import java.util.function.LongPredicate;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Constraints of a path's parameter: ASP.NET's route constraints without {@code regex}. */
final class RouteConstraint {
  private static final Pattern ALPHA = Pattern.compile("[A-Za-z]*");
  private static final Pattern GUID =
      Pattern.compile("[0-9a-fA-F]{8}(-?[0-9a-fA-F]{4}){3}-?[0-9a-fA-F]{12}");
  private static final Pattern NUMBER =
      Pattern.compile("[+-]?(\\d{1,400}(\\.\\d{0,400})?|\\.\\d{1,400})([eE][+-]?\\d{1,3})?");
  private static final Pattern DATE_TIME =
      Pattern.compile(
          "\\d{4}-\\d{2}-\\d{2}([T ]\\d{2}:\\d{2}(:\\d{2}(\\.\\d{1,9})?)?(Z|[+-]\\d{2}:?\\d{2})?)?");

  private RouteConstraint() {}

  /**
   * Null where there is no such constraint. A regular expression is none: it would be matched with
   * untrusted input, on an event loop.
   */
  static @Nullable Predicate<String> of(String text) {
    var open = text.indexOf('(');
    var name = (open < 0 ? text : text.substring(0, open)).toLowerCase(Locale.ROOT);
    if (open < 0) {
      return plain(name);
    }
    if (!text.endsWith(")")) {
      return null;
    }
    var arguments = text.substring(open + 1, text.length() - 1).split(",", -1);
    var first = number(arguments[0].strip());
    var second = arguments.length == 2 ? number(arguments[1].strip()) : first;
    return first == null || second == null || arguments.length > 2
        ? null
        : bounded(name, first, second, arguments.length);
  }

  private static @Nullable Predicate<String> plain(String name) {
    return switch (name) {
      case "int" -> value -> isNumber(value, n -> n == (int) n);
      case "long" -> value -> isNumber(value, _ -> true);
      case "bool" -> value -> value.equalsIgnoreCase("true") || value.equalsIgnoreCase("false");
      case "alpha" -> value -> ALPHA.matcher(value).matches();
      case "guid" -> value -> GUID.matcher(value).matches();
      case "decimal", "double", "float" -> value -> NUMBER.matcher(value).matches();
      case "datetime" -> value -> DATE_TIME.matcher(value).matches();
      case "required" -> value -> !value.isBlank();
      case "file" -> RouteConstraint::isFile;
      case "nonfile" -> value -> !isFile(value);
      default -> null;
    };
  }

  private static @Nullable Predicate<String> bounded(
      String name, long first, long second, int arguments) {
    return switch (name + "/" + arguments) {
      case "min/1" -> value -> isNumber(value, n -> n >= first);
      case "max/1" -> value -> isNumber(value, n -> n <= first);
      case "range/2" -> value -> isNumber(value, n -> n >= first && n <= second);
      case "minlength/1" -> value -> value.length() >= first;
      case "maxlength/1" -> value -> value.length() <= first;
      case "length/1", "length/2" -> value -> value.length() >= first && value.length() <= second;
      default -> null;
    };
  }

  private static boolean isNumber(String value, LongPredicate bounds) {
    var number = number(value);
    return number != null && bounds.test(number);
  }

  private static @Nullable Long number(String text) {
    try {
      return Long.valueOf(text);
    } catch (NumberFormatException _) {
      return null;
    }
  }

  /** The last segment has a dot, and something behind it. */
  private static boolean isFile(String value) {
    var name = value.substring(value.lastIndexOf('/') + 1);
    var dot = name.lastIndexOf('.');
    return dot >= 0 && dot < name.length() - 1;
  }
}
