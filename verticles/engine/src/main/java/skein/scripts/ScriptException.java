package skein.scripts;

import java.util.regex.Pattern;

/**
 * A script that did not parse or threw.
 *
 * <p>Line and column are counted from 1; 0 where unknown.
 */
public final class ScriptException extends Exception {
  private static final Pattern PLACE = Pattern.compile("\\bexpression:(\\d{1,9})(?::(\\d{1,9}))?");

  private final int line;
  private final int column;

  private ScriptException(String message, int line, int column) {
    super(message);
    this.line = line;
    this.column = column;
  }

  /**
   * Of the text that the module gives: the error, a line feed, and the calls it was thrown in; or
   * whatever else was thrown.
   */
  static ScriptException of(String text) {
    var end = text.indexOf('\n');
    var place = PLACE.matcher(end < 0 ? "" : text.substring(end));
    var found = place.find();
    return new ScriptException(
        end < 0 ? "the script threw " + text : text.substring(0, end),
        found ? Integer.parseInt(place.group(1)) : 0,
        found && place.group(2) != null ? Integer.parseInt(place.group(2)) : 0);
  }

  public int line() {
    return line;
  }

  public int column() {
    return column;
  }
}
