package skein.work;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.sqlclient.Pool;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A database that statements run on.
 *
 * @param name as failures call it
 * @param used what it is opened with
 */
record SqlSource(String name, SqlDialect dialect, Pool pool, Password password, UsedSecrets used) {
  private static final Pattern PASSWORD = Pattern.compile("[?&]password=([^&]*)");

  /**
   * Connects later.
   *
   * @throws IllegalArgumentException the URL is of no use
   */
  static SqlSource of(String name, Vertx vertx, SqlWorkOptions.Source source, Duration timeout) {
    var dialect = SqlDialect.of(source.url());
    return new SqlSource(
        name,
        dialect,
        dialect.pool(vertx, source, timeout),
        source.password(),
        UsedSecrets.of(secrets(source)));
  }

  /** With the password as it is now, too. */
  Future<UsedSecrets> usedNow(Vertx vertx) {
    return password.now() == null
        ? Future.succeededFuture(used)
        : password.read(vertx, "").map(now -> used.and(UsedSecrets.of(List.of(now))));
  }

  private static List<String> secrets(SqlWorkOptions.Source source) {
    var secrets = new ArrayList<String>();
    secrets.add(source.password().first());
    var parameter = PASSWORD.matcher(source.url());
    while (parameter.find()) {
      addTo(secrets, parameter.group(1));
    }
    try {
      var user = new URI(source.url()).getRawUserInfo();
      if (user != null && user.contains(":")) {
        addTo(secrets, user.substring(user.indexOf(':') + 1));
      }
    } catch (URISyntaxException _) {
      // several hosts; who parses it finds what is wrong
    }
    return secrets;
  }

  private static void addTo(List<String> secrets, String encoded) {
    secrets.add(encoded);
    try {
      secrets.add(URLDecoder.decode(encoded.replace("+", "%2B"), StandardCharsets.UTF_8));
    } catch (IllegalArgumentException _) {
      // it stands there as it is
    }
  }
}
