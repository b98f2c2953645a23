package skein.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import skein.model.ErrorCode;
import skein.model.FindingCode;
import skein.openapi.ErrorsPage;

class ErrorsPageTest {
  private static final Path FILE =
      Path.of(System.getProperty("basedir", "")).toAbsolutePath().resolve("ERRORS.md");

  /** With {@code -Dskein.reference.write=true} it writes the file instead. */
  @Test
  void the_file_has_every_code_with_its_status() throws IOException {
    var page = ErrorsPage.of(Problems::status);
    if (Boolean.getBoolean("skein.reference.write")) {
      Files.writeString(FILE, page);
    }

    assertThat(Files.readString(FILE))
        .as(
            "Write it again: ./mvnw test -pl verticles/http -am -Dtest=ErrorsPageTest"
                + " -Dsurefire.failIfNoSpecifiedTests=false -Dskein.reference.write=true")
        .isEqualTo(page);
    assertThat(page.lines().filter(line -> line.startsWith("| `")))
        .hasSize(ErrorCode.values().length + FindingCode.values().length);
  }
}
