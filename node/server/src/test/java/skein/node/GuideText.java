package skein.node;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import skein.node.GuideCommands.Command;

/**
 * Finds the commands in the text of the guide: what its code blocks send with {@code curl} and
 * {@code psql}, what they search for in logs, and their SQL. Commands for programs that Skein does
 * not consist of are left out.
 */
final class GuideText {
  private static final Pattern COMMAND =
      Pattern.compile("^(curl|for|SELECT|DELETE|CREATE USER|GRANT) |psql |\\| grep ");
  private static final Pattern SQL = Pattern.compile("^(SELECT|DELETE|CREATE USER|GRANT) .*");

  private final List<Command> commands = new ArrayList<>();
  private String open = "";
  private int openedAt;

  private GuideText() {}

  /** In the order of the text, each in one line. */
  static List<Command> commands(List<String> lines) {
    var text = new GuideText();
    boolean code = false;
    for (int i = 0; i < lines.size(); i++) {
      var line = lines.get(i).strip();
      if (line.startsWith("```")) {
        code = !code;
      } else if (code && !line.isEmpty() && !line.startsWith("#")) {
        text.read(i + 1, line);
      }
    }
    return text.commands;
  }

  private void read(int number, String line) {
    openedAt = open.isEmpty() ? number : openedAt;
    open = open.isEmpty() ? line : joined(line);
    if (isWhole()) {
      if (COMMAND.matcher(open).find()) {
        commands.add(new Command(openedAt, open));
      }
      open = "";
    }
  }

  private String joined(String line) {
    if (open.endsWith("\\")) {
      return open.substring(0, open.length() - 1).strip() + " " + line;
    }
    return open + (line.equals("wait") ? "; " : " ") + line;
  }

  private boolean isWhole() {
    if (open.endsWith("\\")) {
      return false;
    }
    if (open.startsWith("for ")) {
      return open.endsWith("wait");
    }
    return !SQL.matcher(open).matches() || open.endsWith(";");
  }
}
