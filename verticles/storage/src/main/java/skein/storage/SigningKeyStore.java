package skein.storage;

import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;

/** The key with which all nodes sign access tokens: the first one to ask makes it. Thread-safe. */
public final class SigningKeyStore {
  private static final String PURPOSE = "access-token";

  private static final String INSERT =
      """
      insert into identity_signing_keys (purpose, secret) values ($1, $2) on conflict do nothing
      """;

  private final Database database;

  public SigningKeyStore(Database database) {
    this.database = database;
  }

  /** {@code candidate}: becomes the key if there is none; 32 characters or more. */
  public Future<String> keyOr(String candidate) {
    return database
        .run("make the signing key", INSERT, Tuple.of(PURPOSE, candidate))
        .compose(_ ->
            database.run(
                "read the signing key",
                "select secret from identity_signing_keys where purpose = $1",
                Tuple.of(PURPOSE)))
        .map(rows -> rows.iterator().next().getString(0));
  }
}
