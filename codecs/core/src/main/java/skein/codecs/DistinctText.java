package skein.codecs;

import java.lang.Character.UnicodeScript;
import java.text.Normalizer;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Text that people can distinguish from any other by sight: for ids and names of new things. It is
 * not the whole of Unicode's UTS 39, whose tables the JDK does not have.
 */
public final class DistinctText {
  /** Letters of Cyrillic and Greek that look like Latin ones. */
  private static final String LIKE_LATIN =
      "аеорсухіјѕһԁԛԝӏАВЕЗКМНОРСТУХІЈЅҺԌԚԜӀүҮ" + "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹϳικνορυχϲ";

  /** Scripts that are written together, and so are one here. */
  private static final Set<UnicodeScript> EAST_ASIAN =
      Set.of(
          UnicodeScript.HAN,
          UnicodeScript.HIRAGANA,
          UnicodeScript.KATAKANA,
          UnicodeScript.BOPOMOFO,
          UnicodeScript.HANGUL);

  /** Characters that show nothing although they count as letters or marks. */
  private static final List<int[]> INVISIBLE =
      List.of(
          range(0x034f, 0x034f),
          range(0x115f, 0x1160),
          range(0x17b4, 0x17b5),
          range(0x180b, 0x180f),
          range(0x2800, 0x2800),
          range(0x3164, 0x3164),
          range(0xfe00, 0xfe0f),
          range(0xffa0, 0xffa0),
          range(0xfff0, 0xfffc),
          range(0x1d159, 0x1d159),
          range(0xe0000, 0xe0fff));

  private DistinctText() {}

  private static int[] range(int first, int last) {
    return new int[] {first, last};
  }

  /** Why a reader could mistake the text for another; null when they cannot. */
  public static @Nullable String doubt(String text) {
    for (var i = 0; i < text.length(); ) {
      int c = text.codePointAt(i);
      if (isInvisible(c)) {
        return "has the character %s at %d, which cannot be seen, or hides what is around it"
            .formatted(name(c), i);
      }
      i += Character.charCount(c);
    }
    if (!Normalizer.isNormalized(text, Normalizer.Form.NFC)) {
      return "is not in Unicode's normal form C: the same letters can be written in two ways";
    }
    if (!Normalizer.isNormalized(text, Normalizer.Form.NFKC)) {
      return "has characters that are variants of others, such as full-width letters or ligatures";
    }
    return mixed(text);
  }

  /** Whether it has control characters, or some that change the order in which others are shown. */
  public static boolean reorders(String text) {
    return text.codePoints()
        .anyMatch(c ->
            Character.isISOControl(c)
                || c == 0x061c
                || (c >= 0x200e && c <= 0x200f)
                || (c >= 0x2028 && c <= 0x202e)
                || (c >= 0x2066 && c <= 0x206f));
  }

  private static boolean isInvisible(int c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.PRIVATE_USE,
          Character.UNASSIGNED,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          true;
      case Character.SPACE_SEPARATOR -> c != ' ';
      default -> INVISIBLE.stream().anyMatch(range -> c >= range[0] && c <= range[1]);
    };
  }

  /** Letters of two scripts in one word, or of another script that all look Latin. */
  private static @Nullable String mixed(String text) {
    var word = new HashSet<UnicodeScript>();
    var foreign = false;
    var distinct = false;
    for (var i = 0; i < text.length(); ) {
      int c = text.codePointAt(i);
      i += Character.charCount(c);
      var script = script(c);
      if (script == null) {
        if (!isMark(c)) {
          word.clear();
        }
        continue;
      }
      word.add(script);
      if (word.size() > 1) {
        return "has letters of different scripts in one word, at "
            + (i - Character.charCount(c))
            + ": some of them look alike";
      }
      if (script == UnicodeScript.CYRILLIC || script == UnicodeScript.GREEK) {
        foreign = true;
        distinct |= LIKE_LATIN.indexOf(c) < 0;
      }
    }
    return foreign && !distinct
        ? "has letters of another script that all look like Latin ones"
        : null;
  }

  private static boolean isMark(int c) {
    return Character.getType(c) == Character.NON_SPACING_MARK;
  }

  private static @Nullable UnicodeScript script(int c) {
    if (!Character.isLetter(c)) {
      return null;
    }
    var script = UnicodeScript.of(c);
    if (script == UnicodeScript.COMMON || script == UnicodeScript.INHERITED) {
      return null;
    }
    return EAST_ASIAN.contains(script) ? UnicodeScript.HAN : script;
  }

  private static String name(int c) {
    return "U+%04X".formatted(c).toUpperCase(Locale.ROOT);
  }
}
