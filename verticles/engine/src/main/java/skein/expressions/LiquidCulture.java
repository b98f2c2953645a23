package skein.expressions;

import java.text.DateFormatSymbols;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.text.NumberFormat;
import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.Month;
import java.time.chrono.IsoChronology;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.FormatStyle;
import java.time.format.TextStyle;
import java.util.Arrays;
import java.util.IllformedLocaleException;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * How numbers and dates are written in a language and region. The names, signs and orders are those
 * that the JVM brings along, never those of the machine's own locale.
 */
final class LiquidCulture {
  /** The invariant culture: English names, decimal points, 24 hours. The default of filters. */
  static final LiquidCulture INVARIANT = new LiquidCulture(Locale.ROOT, invariant());

  private static final Set<String> LANGUAGES =
      Arrays.stream(Locale.getAvailableLocales())
          .map(Locale::getLanguage)
          .filter(language -> !language.isEmpty())
          .collect(Collectors.toUnmodifiableSet());

  /** Regions of languages that are named without one and differ from the language's own name. */
  private static final Map<String, String> REGIONS =
      Map.ofEntries(
          Map.entry("ar", "SA"),
          Map.entry("cs", "CZ"),
          Map.entry("da", "DK"),
          Map.entry("el", "GR"),
          Map.entry("en", "US"),
          Map.entry("et", "EE"),
          Map.entry("fa", "IR"),
          Map.entry("he", "IL"),
          Map.entry("hi", "IN"),
          Map.entry("ja", "JP"),
          Map.entry("ko", "KR"),
          Map.entry("nb", "NO"),
          Map.entry("nn", "NO"),
          Map.entry("pt", "BR"),
          Map.entry("sl", "SI"),
          Map.entry("sv", "SE"),
          Map.entry("uk", "UA"),
          Map.entry("vi", "VN"),
          Map.entry("zh", "CN"));

  private static final int NAME_CHARS_MAX = 40;

  private final Locale locale;
  private final Numbers numbers;

  private LiquidCulture(Locale locale, Numbers numbers) {
    this.locale = locale;
    this.numbers = numbers;
  }

  /**
   * @param name such as {@code de-DE}; none is {@link #INVARIANT}
   * @throws IllegalArgumentException where there is no such language
   */
  static LiquidCulture of(String name) {
    if (name.isBlank()) {
      return INVARIANT;
    }
    var locale = locale(name.strip());
    return new LiquidCulture(locale, localized(locale));
  }

  private static Locale locale(String name) {
    Locale given;
    try {
      given = new Locale.Builder().setLanguageTag(name.replace('_', '-')).build();
    } catch (IllformedLocaleException _) {
      throw unknown(name);
    }
    if (name.length() > NAME_CHARS_MAX || !LANGUAGES.contains(given.getLanguage())) {
      throw unknown(name);
    }
    var plain = new Locale.Builder().setLocale(given).clearExtensions();
    if (given.getCountry().isEmpty()) {
      var language = given.getLanguage();
      var region = REGIONS.getOrDefault(language, language.toUpperCase(Locale.ROOT));
      plain.setRegion(region.length() == 2 ? region : "");
    }
    return plain.build();
  }

  private static IllegalArgumentException unknown(String name) {
    var shown = name.length() > NAME_CHARS_MAX ? name.substring(0, NAME_CHARS_MAX) + "…" : name;
    return new IllegalArgumentException(
        "there is no culture " + shown + ": write a language and a region, such as de-DE");
  }

  Numbers numbers() {
    return numbers;
  }

  /** Signs and forms of numbers. */
  record Numbers(String minus, String percent, Form number, Form percents, Form currency) {}

  /**
   * One kind of number.
   *
   * @param digits after the point, where the format does not say
   */
  record Form(String point, String group, int digits, Affixes positive, Affixes negative) {}

  record Affixes(String before, String after) {}

  private static Numbers invariant() {
    var plain = new Affixes("", "");
    return new Numbers(
        "-",
        "%",
        new Form(".", ",", 2, plain, new Affixes("-", "")),
        new Form(".", ",", 2, new Affixes("", " %"), new Affixes("-", " %")),
        new Form(".", ",", 2, new Affixes("¤", ""), new Affixes("(¤", ")")));
  }

  /** Percents have as many digits as other numbers, as in .NET. */
  private static Numbers localized(Locale locale) {
    var symbols = DecimalFormatSymbols.getInstance(locale);
    var point = String.valueOf(symbols.getDecimalSeparator());
    var group = String.valueOf(symbols.getGroupingSeparator());
    var number = form(NumberFormat.getNumberInstance(locale), point, group);
    var percents = form(NumberFormat.getPercentInstance(locale), point, group);
    return new Numbers(
        String.valueOf(symbols.getMinusSign()),
        String.valueOf(symbols.getPercent()),
        number,
        new Form(point, group, number.digits(), percents.positive(), percents.negative()),
        form(
            NumberFormat.getCurrencyInstance(locale),
            String.valueOf(symbols.getMonetaryDecimalSeparator()),
            String.valueOf(symbols.getMonetaryGroupingSeparator())));
  }

  private static Form form(NumberFormat format, String point, String group) {
    if (!(format instanceof DecimalFormat decimal)) {
      throw new IllegalStateException("no decimal format: " + format.getClass());
    }
    return new Form(
        point,
        group,
        decimal.getMaximumFractionDigits(),
        new Affixes(spaced(decimal.getPositivePrefix()), spaced(decimal.getPositiveSuffix())),
        new Affixes(spaced(decimal.getNegativePrefix()), spaced(decimal.getNegativeSuffix())));
  }

  /** With plain spaces, as .NET has them beside signs. */
  private static String spaced(String text) {
    return text.replace('\u00a0', ' ').replace('\u202f', ' ');
  }

  private boolean isInvariant() {
    return locale.equals(Locale.ROOT);
  }

  private Locale names() {
    return isInvariant() ? Locale.ENGLISH : locale;
  }

  String day(DayOfWeek day, boolean full) {
    return day.getDisplayName(
        full ? TextStyle.FULL_STANDALONE : TextStyle.SHORT_STANDALONE, names());
  }

  /** {@code besideDay}: in a date that also says the day of the month. */
  String month(Month month, boolean full, boolean besideDay) {
    var style = full ? TextStyle.FULL : TextStyle.SHORT;
    return month.getDisplayName(besideDay ? style : style.asStandalone(), names());
  }

  String halfDay(boolean afternoon) {
    return DateFormatSymbols.getInstance(names()).getAmPmStrings()[afternoon ? 1 : 0];
  }

  String era() {
    return isInvariant() ? "A.D." : DateFormatSymbols.getInstance(locale).getEras()[1];
  }

  String dateSeparator() {
    return isInvariant() ? "/" : separator(shortDate());
  }

  String timeSeparator() {
    return isInvariant() ? ":" : separator(shortTime());
  }

  /** The text between the first two parts of a pattern. */
  private static String separator(String pattern) {
    var from = 0;
    while (from < pattern.length() && Character.isLetter(pattern.charAt(from))) {
      from++;
    }
    var to = from;
    while (to < pattern.length() && !Character.isLetter(pattern.charAt(to))) {
      to++;
    }
    return pattern.substring(from, to);
  }

  String shortDate() {
    return isInvariant() ? "MM/dd/yyyy" : pattern(FormatStyle.SHORT, null);
  }

  String longDate() {
    return isInvariant() ? "dddd, dd MMMM yyyy" : pattern(FormatStyle.FULL, null);
  }

  String shortTime() {
    return isInvariant() ? "HH:mm" : pattern(null, FormatStyle.SHORT);
  }

  String longTime() {
    return isInvariant() ? "HH:mm:ss" : pattern(null, FormatStyle.MEDIUM);
  }

  String monthDay() {
    return isInvariant() ? "MMMM dd" : pattern("MMMMd", "MMMM dd");
  }

  String yearMonth() {
    return isInvariant() ? "yyyy MMMM" : pattern("yMMMM", "yyyy MMMM");
  }

  private String pattern(@Nullable FormatStyle date, @Nullable FormatStyle time) {
    return translated(
        DateTimeFormatterBuilder.getLocalizedDateTimePattern(
            date, time, IsoChronology.INSTANCE, locale));
  }

  private String pattern(String parts, String otherwise) {
    try {
      return translated(
          DateTimeFormatterBuilder.getLocalizedDateTimePattern(
              parts, IsoChronology.INSTANCE, locale));
    } catch (DateTimeException _) {
      return otherwise;
    }
  }

  /**
   * A pattern of Java as one of .NET: years with four digits, days and halves by .NET's letters.
   */
  private static String translated(String pattern) {
    var out = new StringBuilder();
    var quoted = false;
    for (var i = 0; i < pattern.length(); i++) {
      var c = pattern.charAt(i);
      if (c == '\'') {
        quoted = !quoted;
        out.append(c);
        continue;
      }
      if (quoted || !Character.isLetter(c)) {
        out.append(c == '\u202f' ? ' ' : c);
        continue;
      }
      var end = i;
      while (end < pattern.length() && pattern.charAt(end) == c) {
        end++;
      }
      out.append(letters(c, end - i));
      i = end - 1;
    }
    return out.toString();
  }

  private static String letters(char letter, int count) {
    return switch (letter) {
      case 'y', 'u' -> "yyyy";
      case 'E', 'c', 'e' -> count > 3 ? "dddd" : "ddd";
      case 'L', 'M' -> "M".repeat(count);
      case 'a', 'B', 'b' -> "tt";
      case 'G' -> "gg";
      case 'k', 'K' -> (letter == 'k' ? "H" : "h").repeat(count);
      case 'd', 'h', 'H', 'm', 's' -> String.valueOf(letter).repeat(count);
      default -> "'" + String.valueOf(letter).repeat(count) + "'";
    };
  }
}
