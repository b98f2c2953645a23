package skein.faults;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import skein.faults.CommitTap.Statement;

/** The way of one node to the database. */
final class DatabaseProxy implements AutoCloseable {
  private final Link link = new Link();
  private final AtomicInteger hits = new AtomicInteger();
  private final Map<Statement, Afflicted> afflicted = new ConcurrentHashMap<>();
  private final Proxy proxy;

  DatabaseProxy(int target) {
    proxy = new Proxy(0, target, _ -> link, this::tapped);
  }

  private Proxy.Pumps tapped(Proxy.Connection connection) {
    var tap = new CommitTap(connection, this::next);
    return new Proxy.Pumps(tap::there, tap::back);
  }

  int port() {
    return proxy.port();
  }

  Link link() {
    return link;
  }

  /** What befalls statements of one kind, and how many of them there were. */
  private record Afflicted(IntFunction<@Nullable CommitFault> faults, AtomicInteger count) {}

  /** {@code faults}: by the number of the commit, from 1 on; null: nothing befalls it. */
  void afflict(IntFunction<@Nullable CommitFault> faults) {
    afflict(Statement.COMMIT, faults);
  }

  /** The same for statements of another kind. */
  void afflict(Statement statement, IntFunction<@Nullable CommitFault> faults) {
    afflicted.put(statement, new Afflicted(faults, new AtomicInteger()));
  }

  private @Nullable CommitFault next(Statement statement) {
    var befalls = afflicted.get(statement);
    var fault = befalls == null ? null : befalls.faults().apply(befalls.count().incrementAndGet());
    if (fault != null) {
      hits.incrementAndGet();
    }
    return fault;
  }

  /** Statements that something befell, since the beginning. */
  int hits() {
    return hits.get();
  }

  void heal() {
    afflicted.clear();
    link.heal();
  }

  @Override
  public void close() {
    proxy.close();
  }
}
