package skein.storage;

import io.vertx.core.Vertx;
import io.vertx.sqlclient.Tuple;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** One PostgreSQL with durable settings for all tests of a run; a schema of its own for each. */
public final class TestDatabase implements ParameterResolver {
  private static final AtomicInteger schemas = new AtomicInteger();

  /** Started when first asked for. */
  private static final class Running {
    static final EmbeddedPostgres SERVER = boot();
    static final Vertx VERTX = Vertx.vertx();

    private static EmbeddedPostgres boot() {
      try {
        return EmbeddedPostgres.builder()
            .setServerConfig("fsync", "on")
            .setServerConfig("synchronous_commit", "on")
            .setServerConfig("full_page_writes", "on")
            .start();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  public static String uri() {
    return "postgresql://postgres@127.0.0.1:" + Running.SERVER.getPort() + "/postgres";
  }

  public static Vertx vertx() {
    return Running.VERTX;
  }

  static Database.Options options(String schema) {
    return new Database.Options(
        new Database.Login(uri()),
        schema,
        new Database.PoolLimits(4, 1000),
        new Database.Timeouts(Duration.ofSeconds(5), Duration.ofSeconds(5)),
        new Database.Reads(2, 100, 1 << 20));
  }

  /** A database address where no server listens. */
  public static Database unreachable() {
    var there = options("public");
    var nowhere =
        new Database.Options(
            new Database.Login("postgresql://postgres@127.0.0.1:1/postgres"),
            there.schema(),
            new Database.PoolLimits(1, 10),
            new Database.Timeouts(Duration.ofSeconds(1), Duration.ofSeconds(1)),
            there.reads());
    return new Database(vertx(), nowhere);
  }

  /** A database with an empty schema that no other test uses. */
  static Database empty() {
    return database(vertx());
  }

  /** A database with an empty schema that no other test uses, for another Vert.x. */
  public static Database database(Vertx other) {
    return database(other, newSchema());
  }

  /** The name of a schema that no other test uses. */
  public static String newSchema() {
    return "test" + schemas.incrementAndGet();
  }

  public static Database database(Vertx other, String schema) {
    return new Database(other, options(schema));
  }

  /** A database with the newest schema; with {@code -Dskein.test.encrypted=true} it encrypts. */
  public static Database migrated() {
    var database = empty();
    new Migrations(database).run().await();
    return Boolean.getBoolean("skein.test.encrypted") ? EncryptedValues.in(database) : database;
  }

  /** The number that a query answers with. */
  public static long number(Database database, String sql, Object... parameters) {
    var rows = database.run("ask", sql, Tuple.wrap(List.of(parameters))).await();
    return rows.iterator().next().getLong(0);
  }

  /** The first column of what a query answers with. */
  public static List<String> texts(Database database, String sql) {
    var texts = new ArrayList<String>();
    for (var row : database.run("ask", sql, Tuple.tuple()).await()) {
      texts.add(row.getString(0));
    }
    return texts;
  }

  /** How many lines the audit log has of an action on a bookmark. */
  public static long audited(Database database, String bookmarkId, String action) {
    var sql = "select count(*) from audit_log where bookmark_id = $1 and action = $2";
    return number(database, sql, bookmarkId, action);
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    var type = parameter.getParameter().getType();
    return type == Database.class || type == Vertx.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == Vertx.class ? vertx() : migrated();
  }
}
