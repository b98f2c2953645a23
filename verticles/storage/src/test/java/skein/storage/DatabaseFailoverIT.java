package skein.storage;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Context;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.Tuple;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import skein.model.ErrorCode;
import skein.model.SkeinException;
import skein.model.Transition;
import skein.storage.Proposal.Outcome;

/** A primary, its standby, a server that is not there and one of another database. */
@Tag("alone")
class DatabaseFailoverIT {
  private static final Duration SOON = Duration.ofSeconds(20);
  private static final int NOBODY = 1;

  @TempDir Path folder;

  @Test
  void nodes_follow_the_primary_and_nobody_else() throws Exception {
    var vertx = TestDatabase.vertx();
    var first = start(folder.resolve("first"), 0);
    int port = first.getPort();
    first.close();
    copy(folder.resolve("first"), folder.resolve("second"));
    follow(folder.resolve("second"), port);
    first = start(folder.resolve("first"), port);
    try (var second = start(folder.resolve("second"), 0)) {
      int other = URI.create(TestDatabase.uri()).getPort();
      var database = database(vertx, NOBODY, second.getPort(), first.getPort(), other);
      var committing = vertx.getOrCreateContext();
      var committer = new Committer(vertx, committing, database, OPTIONS, "test");

      new Migrations(database).run().await();
      assertThat(serverPort(database)).isEqualTo(port);
      assertThat(commit(committer, committing, Samples.transition("i1", 1)))
          .isEqualTo(Outcome.COMMITTED);
      var written = ask(port, "select pg_current_wal_lsn()::text");
      var replayed = "select (pg_last_wal_replay_lsn() >= '" + written + "'::pg_lsn)::text";
      awaitTrue(() -> "true".equals(ask(second.getPort(), replayed)));

      first.close();
      first = null;
      awaitTrue(() -> unavailable(database).contains(other + ": it has another database"));

      ask(second.getPort(), "select pg_promote()::text");
      assertThat(commit(committer, committing, Samples.transition("i1", 2)))
          .isEqualTo(Outcome.COMMITTED);
      assertThat(serverPort(database)).isEqualTo(second.getPort());
      database.close().await();
    } finally {
      if (first != null) {
        first.close();
      }
    }
  }

  private static final CommitOptions OPTIONS =
      new CommitOptions(
          new CommitOptions.Batches(50, 2, 8, 200),
          10_000,
          new CommitOptions.Retries(5, 200),
          1_000_000);

  /** Durable, as nodes want it; its data stay when it stops. Port 0 takes a free one. */
  private static EmbeddedPostgres start(Path data, int port) throws IOException {
    var builder =
        EmbeddedPostgres.builder()
            .setDataDirectory(data)
            .setCleanDataDirectory(false)
            .setServerConfig("synchronous_commit", "on")
            .setServerConfig("wal_level", "replica");
    return (port == 0 ? builder : builder.setPort(port)).start();
  }

  private static void copy(Path from, Path to) throws IOException {
    var running = Set.of("postmaster.pid", "postmaster.opts", "epg-lock");
    try (var files = Files.walk(from)) {
      for (var file : files.toList()) {
        if (!running.contains(String.valueOf(file.getFileName()))) {
          Files.copy(
              file,
              to.resolve(from.relativize(file).toString()),
              StandardCopyOption.COPY_ATTRIBUTES);
        }
      }
    }
  }

  /** Makes the data those of a standby of the server at a port. */
  private static void follow(Path data, int port) throws IOException {
    Files.createFile(data.resolve("standby.signal"));
    Files.writeString(
        data.resolve("postgresql.auto.conf"),
        "primary_conninfo = 'host=127.0.0.1 port=%d user=postgres'\n".formatted(port),
        StandardOpenOption.APPEND);
  }

  private static Database database(Vertx vertx, int... ports) {
    var there = TestDatabase.options("failover");
    var hosts = new StringBuilder();
    for (int port : ports) {
      hosts.append(hosts.isEmpty() ? "" : ",").append("127.0.0.1:").append(port);
    }
    return new Database(
        vertx,
        new Database.Options(
            new Database.Login("postgresql://postgres@" + hosts + "/postgres"),
            there.schema(),
            new Database.PoolLimits(2, 10),
            there.timeouts(),
            there.reads()));
  }

  private static int serverPort(Database database) {
    return (int) TestDatabase.number(database, "select inet_server_port()::bigint");
  }

  private static Outcome commit(Committer committer, Context context, Transition transition) {
    Promise<Outcome> outcome = Promise.promise();
    context.runOnContext(_ -> committer.commit(Samples.proposal(transition)).onComplete(outcome));
    return outcome.future().await();
  }

  /** Why the database is refused. */
  private static String unavailable(Database database) {
    var refused =
        database
            .run("ask", "select 1", Tuple.tuple())
            .<Throwable>map(_ -> new AssertionError("There is a primary"))
            .otherwise(e -> e)
            .await();
    assertThat(refused)
        .isInstanceOfSatisfying(
            SkeinException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.STORAGE_UNAVAILABLE));
    return String.valueOf(refused.getCause());
  }

  /** Past the search for a primary. */
  private static String ask(int port, String sql) {
    var options = PgConnectOptions.fromUri("postgresql://postgres@127.0.0.1:" + port + "/postgres");
    var connection = PgConnection.connect(TestDatabase.vertx(), options).await();
    try {
      return connection
          .preparedQuery(sql)
          .execute(Tuple.tuple())
          .map(rows -> rows.iterator().next().getString(0))
          .await();
    } finally {
      connection.close().await();
    }
  }

  private static void awaitTrue(BooleanSupplier condition) throws InterruptedException {
    long end = System.nanoTime() + SOON.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).isLessThan(end);
      TimeUnit.MILLISECONDS.sleep(20);
    }
  }
}
