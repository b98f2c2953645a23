package skein.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.Future;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetSocket;
import io.vertx.sqlclient.Tuple;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import skein.model.ErrorCode;
import skein.model.SkeinException;

/** The way to a database that answers late. */
class DatabaseIT {
  private static final Duration SOON = Duration.ofSeconds(2);
  private static final Tuple NOTHING = Tuple.tuple();

  @Test
  void connections_that_are_made_too_late_are_closed() throws Exception {
    try (var way = new HeldWay()) {
      var database = database(way.port());
      var refused = List.of(1, 2, 3).stream().map(_ -> database.connection(Map.of())).toList();
      for (var connection : refused) {
        assertThat(
                connection.<Throwable>map(c -> null).otherwise(e -> e).await(5, TimeUnit.SECONDS))
            .isInstanceOfSatisfying(
                SkeinException.class,
                e -> assertThat(e.code()).isEqualTo(ErrorCode.STORAGE_UNAVAILABLE));
      }

      way.release();

      assertThat(way.closedWithin(3, Duration.ofSeconds(10))).isEqualTo(3);
      var inTime = database.connection(Map.of()).await(5, TimeUnit.SECONDS);
      assertThat(inTime.query("select 1").execute().await().size()).isEqualTo(1);
      inTime.close().await();
      database.close().await();
    }
  }

  /** {@code skein.test.postgresql}: of the binaries that the build put on the class path. */
  @Test
  @EnabledIfSystemProperty(named = "skein.test.postgresql", matches = ".+")
  void the_server_is_of_the_version_that_the_build_names() {
    var database = TestDatabase.empty();

    var rows = database.run("version", "show server_version", Tuple.tuple()).await();

    assertThat(System.getProperty("skein.test.postgresql"))
        .startsWith(rows.iterator().next().getString(0) + ".");
    database.close().await();
  }

  @Test
  void a_clock_that_is_not_read_in_time_says_what_was_waited_for() {
    try (var way = new HeldWay()) {
      var database = database(way.port());

      assertThatThrownBy(() -> DatabaseClock.start(database, System::nanoTime).await())
          .isInstanceOfSatisfying(
              SkeinException.class,
              e -> assertThat(e.code()).isEqualTo(ErrorCode.STORAGE_UNAVAILABLE))
          .hasMessageContaining("read the clock");
      way.release();
      database.close().await();
    }
  }

  @Test
  void a_pool_without_free_connections_is_full_and_counts_what_it_refuses() throws Exception {
    int waitMax = 2;
    var there = TestDatabase.options("public");
    var options =
        new Database.Options(
            new Database.Login(TestDatabase.uri()),
            there.schema(),
            new Database.PoolLimits(1, waitMax),
            new Database.Timeouts(Duration.ofSeconds(20), there.timeouts().statement()),
            there.reads());
    var database = new Database(TestDatabase.vertx(), options);
    var metrics = database.metrics();
    int tooMany = 3;
    database.run("open a connection", "select 1", Tuple.tuple()).await();

    var asked =
        Stream.generate(() -> database.run("sleep", "select pg_sleep(0.5)", Tuple.tuple()))
            .limit(1 + waitMax + tooMany)
            .toList();
    Future.join(asked).otherwiseEmpty().await(20, TimeUnit.SECONDS);

    assertThat(asked)
        .filteredOn(Future::failed)
        .hasSize(tooMany)
        .allSatisfy(refused ->
            assertThat(refused.cause())
                .isInstanceOfSatisfying(
                    SkeinException.class,
                    e -> assertThat(e.code()).isEqualTo(ErrorCode.STORAGE_UNAVAILABLE)));
    assertThat(metrics.exhausted().sum()).isEqualTo(tooMany);
    assertThat(database.connectionsOpen()).isOne();
    assertThat(database.connectionsMax()).isEqualTo(1 + there.reads().poolSize());
    database.close().await();
  }

  @Test
  void nobody_waits_longer_for_the_end_of_a_transaction_than_for_a_statement() {
    var there = TestDatabase.options(TestDatabase.newSchema());
    var timeouts = new Database.Timeouts(Duration.ofSeconds(5), Duration.ofSeconds(1));
    var database =
        new Database(
            TestDatabase.vertx(),
            new Database.Options(
                there.login(), there.schema(), there.pool(), timeouts, there.reads()));
    run(database, "create schema " + there.schema());
    run(database, "create table slow (id int)");
    run(
        database,
        """
        create function wait() returns trigger language plpgsql as $$
          begin perform pg_sleep(4); return null; end $$
        """);
    run(
        database,
        """
        create constraint trigger wait after insert on slow deferrable initially deferred
          for each row execute function wait()
        """);
    long since = System.nanoTime();

    assertThatThrownBy(() ->
            database
                .inTransaction(
                    "write slowly",
                    connection ->
                        database
                            .run(connection, "allow", "set local statement_timeout = 0", NOTHING)
                            .compose(_ ->
                                database.run(
                                    connection, "insert", "insert into slow values (1)", NOTHING)))
                .await())
        .isInstanceOfSatisfying(
            SkeinException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.STORAGE_UNAVAILABLE))
        .hasMessageContaining("write slowly");
    assertThat(Duration.ofNanos(System.nanoTime() - since)).isLessThan(Duration.ofSeconds(3));
    database.close().await();
  }

  private static void run(Database database, String sql) {
    database.run("prepare", sql, NOTHING).await();
  }

  private static Database database(int port) {
    var there = TestDatabase.options("public");
    return new Database(
        TestDatabase.vertx(),
        new Database.Options(
            new Database.Login("postgresql://postgres@127.0.0.1:" + port + "/postgres"),
            there.schema(),
            new Database.PoolLimits(1, 10),
            new Database.Timeouts(SOON, there.timeouts().statement()),
            there.reads()));
  }

  /** A port that leads to the database, from which nothing comes back until it is released. */
  private static final class HeldWay implements AutoCloseable {
    private final NetServer server = TestDatabase.vertx().createNetServer();
    private final List<NetSocket> held = new CopyOnWriteArrayList<>();
    private final List<NetSocket> closed = new CopyOnWriteArrayList<>();
    private volatile boolean released;

    HeldWay() {
      int target = URI.create(TestDatabase.uri()).getPort();
      server.connectHandler(client -> {
        client.pause();
        client.closeHandler(_ -> closed.add(client));
        TestDatabase.vertx()
            .createNetClient()
            .connect(target, "127.0.0.1")
            .onSuccess(there -> {
              if (!released) {
                there.pause();
                held.add(there);
              }
              client.pipeTo(there);
              there.pipeTo(client);
              if (!released) {
                there.pause();
              }
            });
      });
      server.listen(0, "127.0.0.1").await();
    }

    int port() {
      return server.actualPort();
    }

    void release() {
      released = true;
      held.forEach(NetSocket::resume);
    }

    /** How many the client has closed, as soon as they are {@code count}. */
    int closedWithin(int count, Duration max) throws InterruptedException {
      long end = System.nanoTime() + max.toNanos();
      while (closed.size() < count && System.nanoTime() < end) {
        Thread.sleep(10);
      }
      return closed.size();
    }

    @Override
    public void close() {
      server.close().await();
    }
  }
}
