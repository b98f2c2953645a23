package skein.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterSecretTest {
  private static final String ONE = "1".repeat(32);
  private static final String TWO = "2".repeat(40);
  private static final byte[] STATEMENT = "statement".getBytes(StandardCharsets.US_ASCII);

  @TempDir private Path folder;

  private ClusterSecret of(String content) throws IOException {
    return ClusterSecret.read(file(content, "rw-------"));
  }

  private Path file(String content, String permissions) throws IOException {
    var file = Files.createTempFile(folder, "secret", "");
    Files.writeString(file, content);
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
  }

  private static boolean takes(ClusterSecret secret, ClusterSecret other) {
    return secret.isProved(STATEMENT, other.prove(STATEMENT));
  }

  @Test
  void one_end_of_line_is_not_part_of_the_secret() throws IOException {
    assertThat(takes(of(ONE), of(ONE + "\n"))).isTrue();
    assertThat(takes(of(ONE), of(ONE + "\r\n"))).isTrue();
    assertThat(takes(of(ONE), of(ONE + " \n"))).isFalse();
    assertThatThrownBy(() -> of(ONE + "\n\n")).hasMessageContaining("line 2 has 0");
  }

  @Test
  void the_first_line_is_proved_and_every_line_is_taken() throws IOException {
    var before = of(ONE);
    var announced = of(ONE + "\n" + TWO + "\n");
    var changed = of(TWO + "\n" + ONE + "\n");
    var after = of(TWO);

    assertThat(takes(announced, before)).isTrue();
    assertThat(takes(before, announced)).isTrue();
    assertThat(takes(announced, changed)).isTrue();
    assertThat(takes(changed, announced)).isTrue();
    assertThat(takes(after, changed)).isTrue();
    assertThat(takes(changed, after)).isTrue();
    assertThat(takes(before, changed)).isFalse();
    assertThat(takes(before, after)).isFalse();
  }

  @Test
  void a_file_that_is_too_short_or_too_long_is_refused() {
    for (var content : new String[] {"", "\n", "x".repeat(31), ONE + "\nshort\n"}) {
      assertThatThrownBy(() -> of(content))
          .isInstanceOf(ClusterSecret.UnusableException.class)
          .hasMessageContaining("32 bytes and more");
    }
    assertThatThrownBy(() -> of((ONE + "\n").repeat(9))).hasMessageContaining("1 to 8 lines");
    assertThatThrownBy(() -> of("x".repeat(20_000))).hasMessageContaining("longer than");
  }

  @Test
  void a_file_that_everybody_reads_or_writes_is_refused() throws IOException {
    for (var permissions : new String[] {"rw-r--r--", "rw-----w-"}) {
      var file = file(ONE, permissions);
      assertThatThrownBy(() -> ClusterSecret.read(file))
          .isInstanceOf(ClusterSecret.UnusableException.class)
          .hasMessageContaining("chmod");
    }
    assertThat(takes(ClusterSecret.read(file(ONE, "r--r-----")), of(ONE))).isTrue();
    assertThatThrownBy(() -> ClusterSecret.read(folder.resolve("none")))
        .hasMessageContaining("cannot be read");
  }

  @Test
  void it_is_not_told_by_its_text() throws IOException {
    assertThat(of(ONE).toString()).isEqualTo("ClusterSecret[1]");
  }
}
