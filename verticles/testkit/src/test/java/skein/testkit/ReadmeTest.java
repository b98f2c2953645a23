package skein.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ReadmeTest {
  /** So the example compiles and does what it says. */
  @Test
  void the_example_of_a_test_is_one() throws IOException {
    var example =
        Files.readString(Path.of("src/test/java/skein/testkit/ExpenseTest.java"))
            .replace("package skein.testkit;\n\n", "");

    assertThat(Files.readString(Path.of("../README.md")))
        .contains("```java\n" + example.replace("../../conf", "conf") + "```");
  }
}
