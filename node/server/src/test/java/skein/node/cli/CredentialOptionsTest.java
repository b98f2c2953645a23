package skein.node.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import skein.node.dev.CannotStartException;

class CredentialOptionsTest {
  @Command(name = "asks")
  private static final class Asking {
    @Mixin private CredentialOptions credentials = new CredentialOptions();
  }

  @TempDir private Path folder;

  private static CredentialOptions parsed(String... arguments) {
    var asking = new Asking();
    new CommandLine(asking).parseArgs(arguments);
    return asking.credentials;
  }

  private String file(String text) throws IOException {
    return Files.writeString(folder.resolve("secret"), text).toString();
  }

  @Test
  void a_credential_is_read_from_its_file() throws IOException {
    assertThat(parsed("--token-file", file("a.b.c\n")).authorization()).isEqualTo("Bearer a.b.c");
    assertThat(parsed("--api-key-file", file("k-1\n")).authorization()).isEqualTo("ApiKey k-1");
  }

  @Test
  void a_file_that_is_not_there_is_told() {
    var nowhere = folder.resolve("nowhere").toString();

    assertThatThrownBy(() -> parsed("--token-file", nowhere).authorization())
        .isInstanceOf(CannotStartException.class)
        .hasMessageContaining(nowhere);
  }
}
