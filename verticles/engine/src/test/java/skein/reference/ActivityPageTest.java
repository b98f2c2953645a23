package skein.reference;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import skein.activities.Activities;

class ActivityPageTest {
  private static final Path FILE =
      Path.of(System.getProperty("basedir", "")).toAbsolutePath().resolve("ACTIVITIES.md");

  /** With {@code -Dskein.reference.write=true} it writes the file instead. */
  @Test
  void the_file_says_what_the_activities_declare() throws IOException {
    var page = ActivityPage.of(Activities.builtIn().descriptors());
    if (Boolean.getBoolean("skein.reference.write")) {
      Files.writeString(FILE, page);
    }

    assertThat(Files.readString(FILE))
        .as(
            "Write it again: ./mvnw test -pl verticles/engine -am -Dtest=ActivityPageTest"
                + " -Dsurefire.failIfNoSpecifiedTests=false -Dskein.reference.write=true")
        .isEqualTo(page);
  }

  @Test
  void every_activity_has_a_section_with_its_inputs_and_outcomes() {
    var page = ActivityPage.of(Activities.builtIn().descriptors());

    for (var descriptor : Activities.builtIn().descriptors()) {
      var begin = page.indexOf("\n### " + descriptor.typeName() + "\n");
      assertThat(begin).as(descriptor.typeName()).isPositive();
      var end = page.indexOf("\n### ", begin + 1);
      var section = page.substring(begin, end < 0 ? page.length() : end);
      assertThat(section).contains("Outcomes: ").contains(descriptor.description());
      for (var input : descriptor.inputs()) {
        assertThat(section).contains("| `" + input.property() + "` |");
      }
    }
  }
}
