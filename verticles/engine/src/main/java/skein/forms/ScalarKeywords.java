package skein.forms;

import java.math.BigDecimal;
import java.util.HashSet;
import java.util.List;
import java.util.TreeSet;
import java.util.function.IntPredicate;
import java.util.function.Predicate;

/** Keywords that look at types, numbers and strings, and at values as a whole. */
final class ScalarKeywords {
  private static final int CHARS_PER_STEP = 8;
  private static final int DIGITS_PER_STEP = 20;

  private final KeywordReader json;
  private final Schema schema;

  ScalarKeywords(KeywordReader json) {
    this.json = json;
    this.schema = json.schema();
  }

  @FunctionalInterface
  private interface NumberTest {
    boolean fits(BigDecimal value, BigDecimal bound);
  }

  void read() {
    readType();
    readEnum();
    readBounds();
    readMultiple();
    length("maxLength", "at most", length -> length <= 0);
    length("minLength", "at least", length -> length >= 0);
    readPattern();
    readFormat();
  }

  private void readType() {
    if (!json.has("type")) {
      return;
    }
    var types =
        json.get("type") instanceof String one ? List.of(one) : List.copyOf(json.texts("type"));
    if (types.isEmpty() || !Schema.TYPES.containsAll(types)) {
      json.problem("type", "must be of " + new TreeSet<>(Schema.TYPES));
      return;
    }
    var wanted = String.join(" or ", types);
    schema.add((check, value, at, _) ->
        types.stream().anyMatch(type -> Values.is(type, value))
            || check.wrong(at, "must be of type " + wanted));
  }

  private void readEnum() {
    if (json.has("const")) {
      var wanted = Values.canonical(json.get("const"));
      schema.add((check, value, at, _) ->
          Values.canonical(check, value).equals(wanted)
              || check.wrong(at, "must be " + cut(wanted)));
    }
    if (json.get("enum") instanceof List<?> list) {
      var wanted = new HashSet<String>();
      list.forEach(item -> wanted.add(Values.canonical(item)));
      var words = cut(Values.canonical(list));
      schema.add((check, value, at, _) ->
          wanted.contains(Values.canonical(check, value))
              || check.wrong(at, "must be one of " + words));
    } else if (json.has("enum")) {
      json.problem("enum", "must be a list");
    }
  }

  private static String cut(String text) {
    return text.length() > 200 ? text.substring(0, 200) + "…" : text;
  }

  /** In draft 4 {@code exclusiveMaximum} says that {@code maximum} is exclusive. */
  private void readBounds() {
    if (json.get("exclusiveMaximum") instanceof Boolean exclusive) {
      bound("maximum", exclusive ? "less than" : "at most", exclusive ? -1 : 0);
    } else {
      bound("maximum", "at most", 0);
      bound("exclusiveMaximum", "less than", -1);
    }
    if (json.get("exclusiveMinimum") instanceof Boolean exclusive) {
      bound("minimum", exclusive ? "greater than" : "at least", exclusive ? 1 : 0);
    } else {
      bound("minimum", "at least", 0);
      bound("exclusiveMinimum", "greater than", 1);
    }
  }

  /** {@code sign}: 0 where the bound itself fits, else that of what is beyond it and fits. */
  private void bound(String keyword, String words, int sign) {
    var upper = keyword.endsWith("aximum");
    number(
        keyword,
        words,
        (value, bound) -> {
          var compared = value.compareTo(bound);
          return compared == 0 ? sign == 0 : upper == (compared < 0);
        });
  }

  private void readMultiple() {
    if (json.get("multipleOf") instanceof Number number && Values.decimal(number).signum() <= 0) {
      json.problem("multipleOf", "must be greater than 0");
      return;
    }
    number(
        "multipleOf", "a multiple of", (value, divisor) -> value.remainder(divisor).signum() == 0);
  }

  private void number(String keyword, String words, NumberTest test) {
    var bound = json.number(keyword);
    if (bound != null) {
      schema.add((check, value, at, _) -> {
        if (!(value instanceof Number number)) {
          return true;
        }
        var decimal = Values.decimal(number);
        check.spend(cost(decimal, bound));
        return test.fits(decimal, bound) || check.wrong(at, "must be " + words + " " + bound);
      });
    }
  }

  /** Division takes the square of the digits that both have when brought to one scale. */
  private static long cost(BigDecimal a, BigDecimal b) {
    long digits = a.precision() + b.precision() + Math.abs((long) a.scale() - b.scale());
    return 1 + digits * digits / (DIGITS_PER_STEP * DIGITS_PER_STEP);
  }

  private void length(String keyword, String words, IntPredicate fits) {
    var bound = json.count(keyword);
    if (bound != null) {
      schema.add((check, value, at, _) ->
          !(value instanceof String text)
              || fits.test(Integer.compare(Values.length(check, text), bound))
              || check.wrong(at, "must have " + words + " " + bound + " characters"));
    }
  }

  private void readPattern() {
    var text = json.text("pattern");
    var pattern = text == null ? null : json.subschemas().pattern(text, json.place("pattern"));
    if (pattern != null) {
      var words = cut(pattern.written());
      schema.add((check, value, at, _) ->
          !(value instanceof String given)
              || pattern.matches(check, given)
              || check.wrong(at, "must match the pattern " + words));
    }
  }

  private void readFormat() {
    var format = json.text("format");
    if (format != null && Formats.isKnown(format)) {
      onText(text -> Formats.fits(format, text), "must be of the format " + format);
    }
    var encoding = json.text("contentEncoding");
    if (encoding != null) {
      onText(text -> Formats.isEncoded(text, encoding), "must be in " + encoding);
    }
  }

  private void onText(Predicate<String> test, String words) {
    schema.add((check, value, at, _) -> {
      if (!(value instanceof String text)) {
        return true;
      }
      check.spend(1 + text.length() / CHARS_PER_STEP);
      return test.test(text) || check.wrong(at, words);
    });
  }
}
