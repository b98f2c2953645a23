package skein.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.util.List;
import org.junit.jupiter.api.Test;

class SqlDialectTest {
  private static final List<String> PARTS = List.of("select ", " + ", " from t");

  @Test
  void placeholders_are_those_of_the_database() {
    assertThat(SqlDialect.of("postgresql://h/d").statement(PARTS))
        .isEqualTo("select $1 + $2 from t");
    assertThat(SqlDialect.of("mysql://h/d").statement(PARTS)).isEqualTo("select ? + ? from t");
    assertThat(SqlDialect.of("mariadb://h/d").statement(List.of("select 1"))).isEqualTo("select 1");
  }

  @Test
  void a_database_without_a_client_is_refused() {
    assertThatThrownBy(() -> SqlDialect.of("sqlserver://h/d")).hasMessageContaining("sqlserver");
  }

  @Test
  void decimals_keep_what_they_are() {
    assertThat(SqlValues.value(new BigDecimal("5.00"))).isEqualTo(5L);
    assertThat(SqlValues.value(new BigDecimal("0.1"))).isEqualTo(0.1);
    assertThat(SqlValues.value(new BigDecimal("0.1234567890123456789")))
        .isEqualTo("0.1234567890123456789");
    assertThat(SqlValues.value(1.5f)).isEqualTo(1.5);
    assertThat(SqlValues.value(Double.NaN)).isEqualTo("NaN");
    assertThat(SqlValues.value(new Object[] {1, "a"})).isEqualTo(List.of(1L, "a"));
  }
}
