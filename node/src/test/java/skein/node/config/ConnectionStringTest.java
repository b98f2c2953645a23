package skein.node.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConnectionStringTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          postgresql://db/elsa                                     | db     | 5432 | elsa | ''  | ''  | disable
          postgres://u:p%40@my_db:6000/x?sslmode=require           | my_db  | 6000 | x    | u   | p@  | require
          jdbc:postgresql://db:5433/x?user=u&password=p+q          | db     | 5433 | x    | u   | p+q | disable
          postgresql://[::1]:5433/x                                | ::1    | 5433 | x    | ''  | ''  | disable
          postgresql://db                                          | db     | 5432 | elsa | ''  | ''  | disable
          Server=postgres;Database=elsa;User Id=elsa;Password=e=f; | postgres | 5432 | elsa | elsa | e=f | disable
          Host=db;Port=6000;Username=u;SSL Mode=VerifyFull         | db     | 6000 | elsa | u   | ''  | verify-full
          """)
  void reads_what_people_write(
      String text, String host, int port, String name, String user, String password, String ssl) {
    var parsed = ConnectionString.parse(text);

    assertThat(parsed.host()).isEqualTo(host);
    assertThat(parsed.port()).isEqualTo(port);
    assertThat(parsed.database()).isEqualTo(name);
    assertThat(parsed.user()).isEqualTo(user);
    assertThat(parsed.password().value()).isEqualTo(password);
    assertThat(parsed.tls()).isEqualTo(new DatabaseTls(ssl, ""));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "postgresql://db/elsa?sslmode=verify-full&sslrootcert=%s",
        "Host=db;SSL Mode=VerifyFull;Root Certificate=%s"
      })
  void a_root_certificate_is_a_file_that_is_there(String text, @TempDir Path folder)
      throws IOException {
    var file = folder.resolve("root.pem");
    assertThatThrownBy(() -> ConnectionString.parse(text.formatted(file)))
        .hasMessageContaining("sslrootcert");

    Files.writeString(file, "");

    assertThat(ConnectionString.parse(text.formatted(file)).tls())
        .isEqualTo(new DatabaseTls("verify-full", file.toString()));
  }

  @Test
  void names_the_options_it_ignores() {
    assertThat(ConnectionString.parse("Server=db;Pooling=true;Timeout=3").ignored())
        .containsExactly("Pooling", "Timeout");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "db",
        "mysql://db/x",
        "Database=x",
        "Server=db;rubbish",
        "postgres://db:99999/x"
      })
  void refuses_everything_else(String text) {
    assertThatThrownBy(() -> ConnectionString.parse(text))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
