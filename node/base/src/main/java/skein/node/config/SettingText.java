package skein.node.config;

import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Converts what is written for a setting. What cannot be converted is an {@link
 * IllegalArgumentException} whose message continues after the text: "must be …".
 */
final class SettingText {
  private SettingText() {}

  static boolean flag(String text) {
    return switch (text) {
      case "true" -> true;
      case "false" -> false;
      default -> throw new IllegalArgumentException("must be true or false");
    };
  }

  static long whole(String text, long min, long max) {
    try {
      return within(Long.parseLong(text.replace("_", "")), min, max);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("must be a whole number", e);
    }
  }

  static long bytes(String text, long min, long max) {
    return within(Quantity.bytes(text), min, max);
  }

  private static long within(long value, long min, long max) {
    if (value < min || value > max) {
      throw new IllegalArgumentException("must be " + min + " to " + max);
    }
    return value;
  }

  static Duration duration(String text, Duration min) {
    var duration = Quantity.duration(text);
    if (duration.compareTo(min) < 0) {
      throw new IllegalArgumentException("must be " + min.toMillis() + "ms or longer");
    }
    return duration;
  }

  /** {@code never} is empty. */
  static Optional<Duration> period(String text, Duration min) {
    return text.equals("never") ? Optional.empty() : Optional.of(duration(text, min));
  }

  /** Empty, or a URI of one of these schemes. */
  static URI uri(String text, String... schemes) {
    if (text.isEmpty()) {
      return URI.create("");
    }
    var problem = "must be a URI like " + schemes[0] + "://host/…";
    URI uri;
    try {
      uri = URI.create(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(problem, e);
    }
    if (uri.getHost() == null || !Arrays.asList(schemes).contains(uri.getScheme())) {
      throw new IllegalArgumentException(problem);
    }
    return uri;
  }

  /** An identifier that is safe unquoted in SQL. */
  static String sqlName(String text) {
    if (!text.matches("[a-z_][a-z0-9_]{0,62}")) {
      throw new IllegalArgumentException("must be lower-case letters, digits and _");
    }
    return text;
  }

  /** The constant of that name, in any case; {@code example}: any constant of the enum. */
  static <E extends Enum<E>> E choice(String text, E example) {
    var all = example.getDeclaringClass().getEnumConstants();
    for (var value : all) {
      if (of(value).equalsIgnoreCase(text)) {
        return value;
      }
    }
    var names = String.join(", ", Arrays.stream(all).map(SettingText::of).toList());
    throw new IllegalArgumentException("must be one of " + names);
  }

  /** A constant as it is written. */
  static String of(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  /** The items of a comma-separated list. */
  static Stream<String> items(String text) {
    return Arrays.stream(text.split(",")).map(String::strip).filter(item -> !item.isEmpty());
  }

  /** Puts an item {@code name=value} of such a list into a map. */
  static <T> void putPair(Map<String, T> into, String item, Function<String, T> parser) {
    int equals = item.indexOf('=');
    if (equals < 1) {
      throw new IllegalArgumentException("must be a list of name=value");
    }
    into.put(item.substring(0, equals).strip(), parser.apply(item.substring(equals + 1).strip()));
  }
}
