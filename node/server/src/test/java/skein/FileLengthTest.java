package skein;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** A source file is short enough to be read at once. */
class FileLengthTest {
  private static final int LINES_MAX = 400;
  private static final Path ROOT = Path.of("../..");

  @Test
  void no_source_file_is_longer_than_it_may_be() throws IOException {
    var longer = new TreeMap<String, Integer>();
    try (var files = Files.walk(ROOT)) {
      for (var file : files.filter(FileLengthTest::isSource).toList()) {
        int lines = Files.readAllLines(file).size();
        if (lines > LINES_MAX) {
          var text = file.toString();
          longer.put(text.substring(text.indexOf("/java/") + "/java/".length()), lines);
        }
      }
    }

    assertThat(longer).isEmpty();
  }

  private static boolean isSource(Path file) {
    return file.toString().contains("/src/main/java/") && file.toString().endsWith(".java");
  }
}
