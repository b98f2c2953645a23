package skein.storage;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(TestDatabase.class)
class TokenStoreIT {
  private static final String WITH_TOKENS =
      "select id from bookmarks where token_hash is not null order by id";

  @Test
  void hashes_of_expired_tokens_are_forgotten_and_their_bookmarks_wait_on(Database database) {
    TestSql.change(
        database,
        "insert into bookmarks (id, workflow_instance_id, name, hash, token_hash, expires_at,"
            + " created_at) select 'i-' || n, 'i', 'e', 'h' || n, 't' || n,"
            + " now() - interval '3 hours' + n * interval '2 hours', now()"
            + " from generate_series(0, 2) n");
    var tokens = new TokenStore(database);

    assertThat(tokens.forgetExpired(1).await()).isEqualTo(1);
    assertThat(TestSql.texts(database, WITH_TOKENS)).containsExactly("i-1", "i-2");
    assertThat(tokens.forgetExpired(9).await()).isEqualTo(1);
    assertThat(TestSql.texts(database, WITH_TOKENS)).containsExactly("i-2");
    assertThat(tokens.forgetExpired(9).await()).isZero();
    assertThat(TestDatabase.number(database, "select count(*) from bookmarks")).isEqualTo(3);
  }
}
