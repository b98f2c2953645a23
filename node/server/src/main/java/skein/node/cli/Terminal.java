package skein.node.cli;

import java.io.Console;
import java.util.Optional;
import java.util.regex.Pattern;

/** Output for people, and not into files and pipes. */
final class Terminal {
  private static final String RESET = "\u001b[0m";
  private static final Pattern GOOD =
      Pattern.compile("\\b(Finished|Completed|READY|Active|ready|Published)\\b");
  private static final Pattern BAD =
      Pattern.compile("\\b(Faulted|FAILED|Failed|UNREACHABLE|error)\\b");
  private static final Pattern WAITING =
      Pattern.compile("\\b(Suspended|Paused|PAUSED|DRAINING|DRAINED|Cancelled|warning)\\b");

  private Terminal() {}

  /**
   * Whether the output goes to a terminal that shows colours, and the environment does not forbid
   * them.
   */
  static boolean isColoured() {
    return isTerminal()
        && System.getenv("NO_COLOR") == null
        && !"dumb".equals(System.getenv("TERM"));
  }

  static boolean isTerminal() {
    return Optional.ofNullable(System.console()).filter(Console::isTerminal).isPresent();
  }

  /** The first line and the words for states in colours. */
  static String painted(String table) {
    var end = table.indexOf('\n');
    var head = end < 0 ? table : table.substring(0, end);
    var rest = end < 0 ? "" : table.substring(end);
    for (var colour : new Pattern[] {GOOD, BAD, WAITING}) {
      var code = colour == GOOD ? "32" : colour == BAD ? "31" : "33";
      rest = colour.matcher(rest).replaceAll("\u001b[" + code + "m$1" + RESET);
    }
    return "\u001b[1m" + head + RESET + rest;
  }

  static String cleared() {
    return "\u001b[2J\u001b[H";
  }

  /** Without control characters by which an untrusted name could write elsewhere on the screen. */
  static String plain(String text) {
    var plain = new StringBuilder(text.length());
    text.codePoints()
        .forEach(c -> {
          switch (c) {
            case '\n' -> plain.append("\\n");
            case '\r' -> plain.append("\\r");
            case '\t' -> plain.append(' ');
            default -> {
              if (Character.isISOControl(c) || Character.getType(c) == Character.FORMAT) {
                plain.append("\\u%04x".formatted(c));
              } else {
                plain.appendCodePoint(c);
              }
            }
          }
        });
    return plain.toString();
  }
}
