package skein.storage;

import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;

/** The hashes of resume tokens on the rows of bookmarks. Thread-safe. */
public final class TokenStore {
  private final Database database;

  public TokenStore(Database database) {
    this.database = database;
  }

  static final String FORGET_EXPIRED =
      """
      update bookmarks set token_hash = null, expires_at = null
       where id = any (array(
         select id from bookmarks
          where token_hash is not null and expires_at < now()
          order by expires_at limit $1 for update skip locked))
      """;

  /**
   * Forgets the hashes of tokens that have expired by the database's clock; that they have, the
   * state of the instance knows. How many were forgotten, {@code max} at most.
   */
  public Future<Integer> forgetExpired(int max) {
    return database
        .run("forget expired tokens", FORGET_EXPIRED, Tuple.of(max))
        .map(rows -> rows.rowCount());
  }
}
