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
          Host=::1;Port=6000                                       | ::1    | 6000 | elsa | ''  | ''  | disable
          jdbc:postgresql://db/x?ssl=true                          | db     | 5432 | x    | ''  | ''  | verify-full
          postgresql:///x?host=db&port=6000                        | db     | 6000 | x    | ''  | ''  | disable
          """)
  void reads_what_people_write(
      String text, String host, int port, String name, String user, String password, String ssl) {
    var parsed = ConnectionString.parse(text);

    assertThat(parsed.hosts()).containsExactly(new HostPort(host, port));
    assertThat(parsed.database()).isEqualTo(name);
    assertThat(parsed.settings().getOrDefault("database.user", "")).isEqualTo(user);
    assertThat(parsed.settings().getOrDefault("database.password", "")).isEqualTo(password);
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

  @ParameterizedTest
  @ValueSource(
      strings = {
        "postgresql://a,b:5433,[::1]:5434/x",
        "jdbc:postgresql://a:5432,b:5433,[::1]:5434/x?targetServerType=primary",
        "postgresql:///x?host=a,b,[::1]&port=5432,5433,5434&target_session_attrs=read-write",
        "Host=a, b:5433,[::1]:5434;Port=5432;Target Session Attributes=any",
        "Server=a,b,::1;Port=5432,5433,5434"
      })
  void several_hosts_keep_their_order(String text) {
    assertThat(ConnectionString.parse(text).hosts())
        .containsExactly(
            new HostPort("a", 5432), new HostPort("b", 5433), new HostPort("::1", 5434));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          Host=h;Max Pool Size=9                     | database.pool-size         | 9
          Host=h;Maximum Pool Size=9                 | database.pool-size         | 9
          Host=h;MinPoolSize=1                       | database.pool-size-min     | 1
          Host=h;Connection Idle Lifetime=300        | database.idle-timeout      | 300s
          Host=h;Timeout=3                           | database.connect-timeout   | 3s
          postgresql://h/x?connect_timeout=3         | database.connect-timeout   | 3s
          jdbc:postgresql://h/x?connectTimeout=3     | database.connect-timeout   | 3s
          Host=h;Command Timeout=3                   | database.statement-timeout | 3s
          Host=h;Keepalive=0                         | database.keep-alive        | 0s
          postgresql://h/x?keepalives_idle=30        | database.keep-alive        | 30s
          Host=h;Search Path=flows                   | database.schema            | flows
          jdbc:postgresql://h/x?currentSchema=flows  | database.schema            | flows
          Host=h;Application Name=orders             | database.application-name  | orders
          postgresql://h/x?application_name=orders   | database.application-name  | orders
          """)
  void an_option_means_a_setting(String text, String key, String setting) {
    assertThat(ConnectionString.parse(text).settings()).containsEntry(key, setting);
    assertThat(ConnectionString.parse(text).notes()).isEmpty();
  }

  @Test
  void tells_which_options_have_no_effect() {
    assertThat(ConnectionString.parse("Server=db;Pooling=true;Command Timeout=0").notes())
        .containsExactly(
            "Pooling has no effect",
            "Command Timeout=0 has no effect: database.statement-timeout is always limited");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Host=a,b;Target Session Attributes=PreferStandby",
        "postgresql://a,b/x?target_session_attrs=read-only",
        "jdbc:postgresql://a,b/x?targetServerType=secondary"
      })
  void a_standby_is_of_no_use(String text) {
    assertThatThrownBy(() -> ConnectionString.parse(text)).hasMessageContaining("primary");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "db",
        "mysql://db/x",
        "Database=x",
        "Server=db;rubbish",
        "postgres://db:99999/x",
        "postgres://a,b/x?port=1,2,3",
        "postgres:///x",
        "Host=a,;Port=1"
      })
  void refuses_everything_else(String text) {
    assertThatThrownBy(() -> ConnectionString.parse(text))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
