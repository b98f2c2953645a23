package skein.node.elsa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import skein.node.dev.CannotStartException;

class ElsaDatabaseTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "postgresql://elsa:s3cret@db:port/elsa",
        "postgresql://elsa:s3cret%@db:5432/elsa",
        "postgresql://elsa:s3cret@[db/elsa",
        "postgresql://elsa:s3cret@db/elsa?sslmode=s3cret",
        "mysql://elsa:s3cret@db/elsa"
      })
  void an_address_that_cannot_be_read_is_not_repeated(String uri) {
    assertThatExceptionOfType(CannotStartException.class)
        .isThrownBy(() -> ElsaDatabase.open(uri, null, "Elsa", ""))
        .withNoCause()
        .withMessageStartingWith("--database is not an address of PostgreSQL")
        .withMessageContaining("--database-password-file")
        .satisfies(e -> assertThat(e.getMessage()).doesNotContain("s3cret"));
  }
}
