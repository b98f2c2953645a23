package skein.faults;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** The way of one node to the database. */
final class DatabaseProxy implements AutoCloseable {
  private final Link link = new Link();
  private final AtomicInteger commits = new AtomicInteger();
  private final AtomicInteger hits = new AtomicInteger();
  private volatile IntFunction<@Nullable CommitFault> faults = _ -> null;
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

  /** {@code faults}: by the number of the commit, from 1 on; null: nothing befalls it. */
  void afflict(IntFunction<@Nullable CommitFault> newFaults) {
    commits.set(0);
    faults = newFaults;
  }

  private @Nullable CommitFault next() {
    var fault = faults.apply(commits.incrementAndGet());
    if (fault != null) {
      hits.incrementAndGet();
    }
    return fault;
  }

  /** Commits that something befell, since the beginning. */
  int hits() {
    return hits.get();
  }

  void heal() {
    faults = _ -> null;
    link.heal();
  }

  @Override
  public void close() {
    proxy.close();
  }
}
