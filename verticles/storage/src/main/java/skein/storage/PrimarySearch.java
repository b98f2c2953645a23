package skein.storage;

import io.vertx.core.Future;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.SqlClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import skein.model.SkeinException;

/**
 * Finds out which of several servers is the primary: they are asked in their order, the last one
 * found first. A server that is the primary of another database than the first one found is
 * refused: a node that went there would lose what it acknowledged. Thread-safe.
 */
final class PrimarySearch {
  private static final String ID_OF_DATABASE =
      "select md5(concat_ws('/', " + DatabaseIdentity.DATABASE + "))";

  private static final Logger log = LoggerFactory.getLogger(PrimarySearch.class);

  /**
   * A standby refuses connections that ask for this: all its transactions are read-only. It asks
   * nothing of a primary, where every transaction begins with its own default.
   */
  private static final String READS_AND_WRITES = "transaction_read_only";

  private final List<PgConnectOptions> servers;
  private final Function<PgConnectOptions, Future<PgConnection>> connect;
  private final Duration timeout;
  private int last = -1;
  private @Nullable String identity;
  private @Nullable Future<PgConnectOptions> search;

  /**
   * @param connect to a server, with the password that it takes now
   * @param timeout of one search, shared evenly among the servers
   */
  PrimarySearch(
      List<PgConnectOptions> servers,
      Function<PgConnectOptions, Future<PgConnection>> connect,
      Duration timeout) {
    this.connect = connect;
    this.servers =
        servers.stream()
            .map(server -> new PgConnectOptions(server).addProperty(READS_AND_WRITES, "off"))
            .toList();
    this.timeout = timeout.dividedBy(servers.size());
  }

  /**
   * What to connect to it with; a server that has become a standby by then refuses that. Fails with
   * {@code STORAGE_UNAVAILABLE} when no server is the primary. Those who ask at one time share one
   * search.
   */
  synchronized Future<PgConnectOptions> find() {
    var underWay = search;
    if (underWay != null && !underWay.isComplete()) {
      return underWay;
    }
    var begun = tryEach(order(), new ArrayList<>());
    search = begun;
    return begun;
  }

  private List<Integer> order() {
    var order = new ArrayList<>(IntStream.range(0, servers.size()).boxed().toList());
    if (last > 0) {
      order.removeIf(index -> index == last);
      order.addFirst(last);
    }
    return order;
  }

  private Future<PgConnectOptions> tryEach(List<Integer> left, List<String> failures) {
    if (left.isEmpty()) {
      var all = new IllegalStateException(String.join("; ", failures));
      return Future.failedFuture(SkeinException.storageUnavailable("find the primary", all));
    }
    int index = left.getFirst();
    var rest = left.subList(1, left.size());
    return identityOf(servers.get(index))
        .compose(
            found -> {
              if (accept(index, found)) {
                return Future.succeededFuture(servers.get(index));
              }
              failures.add(nameOf(index) + ": it has another database");
              return tryEach(rest, failures);
            },
            e -> {
              failures.add(nameOf(index) + ": " + e.getMessage());
              return tryEach(rest, failures);
            });
  }

  /** Fails when no server answers in time, or the one that answers is not the primary. */
  private Future<String> identityOf(PgConnectOptions server) {
    var made = connect.apply(server);
    return made.compose(PrimarySearch::identity)
        .timeout(timeout.toMillis(), TimeUnit.MILLISECONDS)
        .onComplete(_ -> made.onSuccess(PgConnection::close)); // also one that is made too late
  }

  private synchronized boolean accept(int index, String found) {
    var known = identity;
    if (known == null || known.isEmpty()) {
      identity = found;
    } else if (!found.isEmpty() && !known.equals(found)) {
      log.atError().addKeyValue("server", nameOf(index)).log("database.otherServer");
      return false;
    }
    if (index != last) {
      log.atInfo().addKeyValue("server", nameOf(index)).log("database.primaryFound");
    }
    last = index;
    return true;
  }

  private String nameOf(int index) {
    var server = servers.get(index);
    return server.getHost() + ":" + server.getPort();
  }

  /** The same of the database that a connection leads to, whichever schema is used there. */
  private static Future<String> identity(SqlClient connection) {
    return connection
        .query(ID_OF_DATABASE)
        .execute()
        .map(rows -> rows.iterator().next().getString(0))
        .recover(
            e -> DatabaseErrors.isAnswer(e) ? Future.succeededFuture("") : Future.failedFuture(e));
  }
}
