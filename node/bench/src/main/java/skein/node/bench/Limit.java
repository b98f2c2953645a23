package skein.node.bench;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.PreparedQuery;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * How many durable commits of one small row a second the database takes: what no workflow server
 * that commits each operation by itself could exceed. A prepared insert of a key and 1 KB, one
 * statement in flight on each connection, as {@code pgbench -M prepared} does it.
 */
final class Limit {
  private static final List<Integer> CONNECTIONS = List.of(8, 32, 64);
  private static final int BYTES = 1024;
  private static final String TABLE = "skein_bench_limit";
  private static final String INSERT = "insert into " + TABLE + " (id, body) values ($1, $2)";

  private final Sql sql;
  private final Duration each;
  private final Buffer body;
  private long nextId;

  /** {@code each}: how long it is measured with each number of connections; zero: not at all. */
  Limit(Sql sql, Duration each) {
    this.sql = sql;
    this.each = each;
    var bytes = new byte[BYTES];
    new Random(BYTES).nextBytes(bytes); // does not compress
    this.body = Buffer.buffer(bytes);
  }

  /** {@code connections}: with how many it was reached; both are 0 when it was not measured. */
  record Figure(double perSecond, int connections) {
    static final Figure NOT_MEASURED = new Figure(0, 0);

    static Figure best(Figure a, Figure b) {
      return a.perSecond >= b.perSecond ? a : b;
    }
  }

  /** The best of some numbers of connections; the table is dropped afterwards. */
  Figure measure() {
    if (each.isZero()) {
      return Figure.NOT_MEASURED;
    }
    sql.run("drop table if exists " + TABLE);
    sql.run("create table " + TABLE + " (id bigint primary key, body bytea not null)");
    try {
      var best = Figure.NOT_MEASURED;
      for (int connections : CONNECTIONS) {
        long inserted = insert(connections);
        best = Figure.best(best, new Figure(inserted * 1e9 / each.toNanos(), connections));
      }
      return best;
    } finally {
      sql.run("drop table " + TABLE);
    }
  }

  /** How many rows were committed in the time. */
  private long insert(int count) {
    var opened =
        Sql.await(
            Future.all(IntStream.range(0, count).mapToObj(_ -> sql.connect()).toList()),
            "The database does not take " + count + " connections");
    var connections = opened.<PgConnection>list();
    try {
      var loop = new Loop(System.nanoTime() + each.toNanos());
      var running = new ArrayList<Future<Void>>();
      connections.forEach(connection -> running.add(loop.on(connection)));
      Sql.await(Future.all(running), "The database refused to measure the limit");
      return loop.inserted;
    } finally {
      connections.forEach(connection -> Sql.await(connection.close(), "A connection stays open"));
    }
  }

  /** All connections are of one event loop, so nothing here needs a lock. */
  private final class Loop {
    private final long end;
    private long inserted;

    Loop(long end) {
      this.end = end;
    }

    Future<Void> on(PgConnection connection) {
      var done = Promise.<Void>promise();
      connection
          .prepare(INSERT)
          .onFailure(done::fail)
          .onSuccess(prepared -> next(prepared.query(), done));
      return done.future();
    }

    private void next(PreparedQuery<RowSet<Row>> insert, Promise<Void> done) {
      insert
          .execute(Tuple.of(nextId++, body))
          .onComplete(
              _ -> {
                if (System.nanoTime() >= end) {
                  done.complete();
                } else {
                  inserted++;
                  next(insert, done);
                }
              },
              done::fail);
    }
  }
}
