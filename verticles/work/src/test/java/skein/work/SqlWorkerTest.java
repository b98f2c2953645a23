package skein.work;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.mysqlclient.MySQLException;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.DatabaseException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import skein.activities.WorkResult;

class SqlWorkerTest {
  private static void assertFails(DatabaseException e, boolean passing) {
    assertThat(SqlWorker.failed("The data source main", e))
        .isEqualTo(new WorkResult.Failed("SqlFailed", String.valueOf(e.getMessage()), passing));
  }

  /**
   * A standby, locks, the server's disk, a log-in while its password is replaced; the statement.
   */
  @ParameterizedTest
  @CsvSource({
    "25006,true",
    "55P03,true",
    "58030,true",
    "XX000,true",
    "40001,true",
    "40P01,true",
    "08006,true",
    "53300,true",
    "57P01,true",
    "28P01,true",
    "28000,true",
    "25001,false",
    "42601,false",
    "42501,false",
    "23505,false",
    "3D000,false",
    "22P02,false"
  })
  void the_state_says_whether_a_failure_of_postgresql_passes(String state, boolean passing) {
    assertFails(new PgException("no", "ERROR", state, "why"), passing);
  }

  @ParameterizedTest
  @CsvSource({
    "1205,HY000,Lock wait timeout exceeded; try restarting transaction,true",
    "1836,HY000,Running in read-only mode,true",
    "1290,HY000,running with the --read-only option so it cannot execute this statement,true",
    "1290,HY000,running with the --super-read-only option so it cannot execute this,true",
    "1290,HY000,running with the --secure-file-priv option so it cannot execute this,false",
    "1792,25006,Cannot execute statement in a READ ONLY transaction,true",
    "1213,40001,Deadlock found,true",
    "1040,,Too many connections,true",
    "1045,28000,Access denied for user,true",
    "1364,HY000,Field has no default value,false",
    "1064,42000,You have an error in your SQL syntax,false"
  })
  void the_error_says_whether_a_failure_of_mysql_passes(
      int code, @Nullable String state, String message, boolean passing) {
    assertFails(new MySQLException(message, code, state), passing);
  }
}
