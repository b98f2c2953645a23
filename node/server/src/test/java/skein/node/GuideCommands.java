package skein.node;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;

/** What the clustering guide prints to be typed, in its order. */
final class GuideCommands {
  /** {@code line}: in the guide. */
  record Command(int line, String text) {
    boolean isRequest() {
      return text.contains("curl ");
    }

    boolean isSearch() {
      return text.contains("| grep ");
    }

    /** Without the program that sends it. */
    String sql() {
      var psql = PSQL.matcher(text);
      return psql.find() ? psql.group(1) : text;
    }
  }

  private static final Pattern PSQL = Pattern.compile("psql -U elsa -c \"(.*)\"");

  private GuideCommands() {}

  static List<Command> requests() {
    return all().stream().filter(Command::isRequest).toList();
  }

  static List<Command> searches() {
    return all().stream().filter(Command::isSearch).toList();
  }

  static List<Command> statements() {
    return all().stream().filter(one -> !one.isRequest() && !one.isSearch()).toList();
  }

  static List<Command> all() {
    try (var in = GuideCommands.class.getResourceAsStream("/guide-commands.txt")) {
      var text = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
      return text.lines()
          .filter(line -> !line.startsWith("#"))
          .map(line -> line.split(" ", 2))
          .map(parts -> new Command(Integer.parseInt(parts[0]), parts[1]))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
