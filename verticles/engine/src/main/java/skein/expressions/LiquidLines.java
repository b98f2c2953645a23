package skein.expressions;

import java.util.HashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A template with each tag of a {@code liquid} tag, which has one on a line, as a tag of its own. A
 * line that begins with no tag continues the one before it. Lines stay lines.
 */
final class LiquidLines {
  private static final Pattern OPENING =
      Pattern.compile("\\{\\{|\\{%-?\\s*+(?:(liquid|raw|comment)\\b|(#))?");

  private static final Pattern WORD = Pattern.compile("[ \\t\\r]*+(#|[A-Za-z_]++)");
  private static final String TAG_END = "%}";
  private static final String PREFIX = "{%-";

  private final String source;
  private final StringBuilder out;
  private final Set<Integer> moved = new HashSet<>();
  private int line = 1;

  /** Whether the current tag has text, and where in the output that ends. */
  private boolean begun;

  private int endOfTag;
  private boolean inComment;

  private LiquidLines(String source) {
    this.source = source;
    this.out = new StringBuilder(source.length());
  }

  /**
   * The new text.
   *
   * @param moved lines, counted from 1, whose text stands further to the right than in the source
   */
  record Expanded(String text, Set<Integer> moved) {
    /** Where it stands in the source, counted from 0. */
    int column(int line, int column) {
      return moved.contains(line) ? Math.max(0, column - PREFIX.length()) : column;
    }
  }

  static Expanded expand(String source) {
    var lines = new LiquidLines(source);
    lines.expand();
    return new Expanded(lines.out.toString(), Set.copyOf(lines.moved));
  }

  private void expand() {
    var matcher = OPENING.matcher(source);
    var at = 0;
    while (at < source.length() && matcher.find(at)) {
      write(at, matcher.start());
      if ("liquid".equals(matcher.group(1))) {
        at = statements(matcher);
      } else {
        at = end(matcher);
        write(matcher.start(), at);
      }
    }
    write(at, source.length());
  }

  private void write(int from, int to) {
    for (var i = from; i < to; i++) {
      write(source.charAt(i));
    }
  }

  private void write(char c) {
    out.append(c);
    if (c == '\n') {
      line++;
    }
  }

  /** The end of another tag or of an output. */
  private int end(Matcher opening) {
    var block = opening.group(1);
    if (block != null) {
      var ending = Pattern.compile("\\{%-?\\s*+end" + block + "\\b").matcher(source);
      return ending.find(opening.end()) ? ending.end() : source.length();
    }
    var sign = opening.group().equals("{{") ? "}}" : TAG_END;
    return stop(opening.end(), opening.group(2) == null, sign, sign);
  }

  /** Where one of both signs stands next, outside quotes if it has such, or the end. */
  private int stop(int from, boolean quotes, String one, String other) {
    for (var i = from; i < source.length(); i++) {
      var c = source.charAt(i);
      if (quotes && (c == '\'' || c == '"')) {
        var close = source.indexOf(c, i + 1);
        i = close < 0 ? i : close;
      } else if (source.startsWith(one, i) || source.startsWith(other, i)) {
        return i;
      }
    }
    return source.length();
  }

  private int statements(Matcher opening) {
    write(opening.start(), opening.start(1));
    out.append(" ".repeat(opening.end(1) - opening.start(1)));
    begun = false;
    endOfTag = out.length();
    inComment = false;
    var at = opening.end();
    while (at < source.length()) {
      var word = word(at);
      var text = word.equals("#") || (inComment && !word.equals("endcomment"));
      var stop = stop(at, !text, "\n", TAG_END);
      var last = source.startsWith(TAG_END, stop);
      var dash = last && source.charAt(stop - 1) == '-';
      statement(word, at, Math.max(at, dash ? stop - 1 : stop));
      if (last) {
        out.append(begun ? "" : "comment %}{% endcomment ").append(dash ? "-" : "").append(TAG_END);
        return stop + TAG_END.length();
      }
      write(stop, Math.min(source.length(), stop + 1));
      at = stop + 1;
    }
    return source.length();
  }

  private String word(int from) {
    var matcher = WORD.matcher(source).region(from, source.length());
    return matcher.lookingAt() ? matcher.group(1) : "";
  }

  private void statement(String word, int from, int to) {
    if (inComment || word.equals("#") || word.equals("comment")) {
      inComment = inComment ? !word.equals("endcomment") : word.equals("comment");
      return;
    }
    if (source.substring(from, to).isBlank()) {
      return;
    }
    if (begun && LiquidTags.begins(word)) {
      out.insert(endOfTag, " " + TAG_END);
      out.append(PREFIX);
      moved.add(line);
    }
    begun = true;
    write(from, to);
    endOfTag = out.length();
  }
}
