package skein.node.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProfileTest {
  @TempDir Path folder;

  private Path file(String text) throws IOException {
    return Files.writeString(folder.resolve("profiles"), text);
  }

  @Test
  void a_profile_names_a_node_and_files_beside_it() throws IOException {
    var file =
        file(
            """
            # clusters
            [default]
            url = http://localhost:5001
            [production]
            url = https://skein.example.com
            token-file = production.token
            ca-file = /etc/skein/ca.pem
            """);

    assertThat(Profile.named(file, "production"))
        .isEqualTo(
            new Profile(
                URI.create("https://skein.example.com"),
                folder.resolve("production.token"),
                null,
                Path.of("/etc/skein/ca.pem")));
    assertThat(Profile.named(file, null).url()).isEqualTo(URI.create("http://localhost:5001"));
  }

  @Test
  void without_a_file_only_a_name_is_refused() {
    assertThat(Profile.named(folder.resolve("none"), null).url()).isNull();
    assertThatThrownBy(() -> Profile.named(folder.resolve("none"), "x"))
        .isInstanceOf(RefusedArgumentException.class)
        .hasMessageContaining("does not exist");
  }

  @Test
  void what_is_wrong_is_told_with_its_line() throws IOException {
    var unknown = file("[production]\nurl = http://a\n");
    assertThatThrownBy(() -> Profile.named(unknown, "prodution"))
        .hasMessageContaining("did you mean \"production\"?");
    var key = file("[a]\nuri = http://a\n");
    assertThatThrownBy(() -> Profile.named(key, "a")).hasMessageContaining(":2: \"uri\"");
    var loose = file("url = http://a\n");
    assertThatThrownBy(() -> Profile.named(loose, "a")).hasMessageContaining(":1: ");
    var address = file("[a]\nurl = localhost:5001\n");
    assertThatThrownBy(() -> Profile.named(address, "a"))
        .hasMessageContaining("not a valid address");
  }

  @Test
  void the_file_is_where_the_environment_says() {
    assertThat(Profile.file(Map.of(), "/home/kim"))
        .isEqualTo(Path.of("/home/kim/.config/skein/profiles"));
    assertThat(Profile.file(Map.of("XDG_CONFIG_HOME", "/etc/kim"), "/home/kim"))
        .isEqualTo(Path.of("/etc/kim/skein/profiles"));
  }
}
