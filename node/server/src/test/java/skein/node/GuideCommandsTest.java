package skein.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** The list of the guide's commands, which {@link GuideIT} runs. */
class GuideCommandsTest {
  @Test
  void each_command_is_of_one_kind() {
    assertThat(GuideCommands.requests()).hasSize(12);
    assertThat(GuideCommands.searches()).hasSize(9);
    assertThat(GuideCommands.statements()).hasSize(15);
    assertThat(GuideCommands.all()).hasSize(12 + 9 + 15).doesNotHaveDuplicates();
  }

  @Test
  void commands_are_found_in_code_and_joined() {
    var text =
        """
        Do not run curl http://nowhere
        ```bash
        # A comment
        curl -X POST http://node1/a \\
          -H "Content-Type: application/json"
        redis-cli PING
        for i in {1..2}; do
          curl http://node1 &
        done
        wait
        while true; do
          curl http://node2
          sleep 1
        done &
        ```
        ```sql
        DELETE FROM t
        WHERE a = 1;
        ```
        """;

    assertThat(GuideText.commands(text.lines().toList()))
        .extracting(command -> command.line() + " " + command.text())
        .containsExactly(
            "4 curl -X POST http://node1/a -H \"Content-Type: application/json\"",
            "7 for i in {1..2}; do curl http://node1 & done; wait",
            "12 curl http://node2",
            "17 DELETE FROM t WHERE a = 1;");
  }

  /** With {@code -Dskein.guide=FOLDER}: where the guide's text is, in files of its own. */
  @Test
  @EnabledIfSystemProperty(named = "skein.guide", matches = ".+")
  void the_list_is_what_the_guide_prints() throws IOException {
    try (var files = Files.list(Path.of(System.getProperty("skein.guide")))) {
      var printed = files.sorted().map(GuideCommandsTest::lines).map(GuideText::commands).toList();

      assertThat(printed).filteredOn(commands -> !commands.isEmpty()).hasSize(1);
      assertThat(printed).contains(GuideCommands.all());
    }
  }

  private static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
