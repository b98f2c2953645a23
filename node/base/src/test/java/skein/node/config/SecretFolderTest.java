package skein.node.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import skein.work.SecretSource;
import skein.work.SecretSource.MissingException;

class SecretFolderTest {
  @TempDir private Path folder;

  private Path write(String name, String text, String permissions) throws IOException {
    var file = Files.writeString(folder.resolve(name), text);
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
  }

  private void assertMissing(String name, String why) {
    assertUnusable(name, why, false);
  }

  private void assertUnusable(String name, String why, boolean passing) {
    var secrets = SecretFolder.of(folder);
    assertThatThrownBy(() -> secrets.secret(name))
        .isInstanceOfSatisfying(
            MissingException.class,
            e -> assertThat(e.isPassing()).as(e.getMessage()).isEqualTo(passing))
        .hasMessageContaining(why);
  }

  @Test
  void a_secret_is_read_as_it_is_at_the_time_without_the_end_of_its_line() throws IOException {
    var secrets = SecretFolder.of(folder);
    write("payment.key", "one\n", "r--r-----");
    assertThat(secrets.secret("payment.key")).isEqualTo("one");

    Files.delete(folder.resolve("payment.key"));
    write("other", "two", "rw-------");
    Files.createSymbolicLink(folder.resolve("payment.key"), folder.resolve("other"));
    assertThat(secrets.secret("payment.key")).isEqualTo("two");
  }

  @Test
  void names_are_those_of_files_that_can_be_secrets() throws IOException {
    write("one", "value-of-it", "rw-------");
    write(".hidden", "value-of-it", "rw-------");
    Files.createDirectory(folder.resolve("below"));

    assertThat(SecretFolder.of(folder).names()).containsExactly("one");
    assertThat(SecretFolder.of(folder.resolve("none")).names()).isEmpty();
    assertThat(SecretSource.NONE.names()).isEmpty();
  }

  @Test
  void what_is_no_secret_of_the_folder_is_not_read() throws IOException {
    write("open", "value-of-it", "rw-r--r--");
    write(".hidden", "value-of-it", "rw-------");
    Files.createDirectory(folder.resolve("below"));

    assertMissing("none", "no such file");
    assertMissing("below", "no such file");
    assertMissing(".hidden", "no such file");
    assertMissing("..", "no such file");
    assertMissing("below/../open", "no such file");
    assertMissing(folder.resolve("open").toString(), "no such file");
    assertMissing("open", "all users");
    assertThat(SecretFolder.of(null)).isSameAs(SecretSource.NONE);
  }

  @Test
  void a_file_that_holds_nothing_at_the_moment_may_be_usable_later() throws IOException {
    write("empty", "", "rw-------");
    write("line", "\n", "rw-------");

    assertUnusable("empty", "is empty", true);
    assertUnusable("line", "is empty", true);
    write("empty", "value-of-it", "rw-------");
    assertThat(SecretFolder.of(folder).secret("empty")).isEqualTo("value-of-it");
  }

  /** A link to itself cannot be followed, whoever tries. */
  @Test
  void a_file_that_cannot_be_read_is_not_one_that_is_missing() throws IOException {
    Files.createSymbolicLink(folder.resolve("loop"), folder.resolve("loop"));
    Files.createSymbolicLink(folder.resolve("dangling"), folder.resolve("none"));

    assertUnusable("loop", "cannot be read", true);
    assertMissing("dangling", "no such file");
  }
}
