package skein.peers;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Connections whose other ends have not proved anything yet, the oldest first. Thread-safe. */
final class UnauthenticatedConnections {
  private final int max;
  private final Map<PortKind, Set<Waiting>> waiting = new EnumMap<>(PortKind.class);

  /** {@code max}: for each port. */
  UnauthenticatedConnections(int max) {
    this.max = max;
  }

  /** The oldest is closed when there are too many. */
  Waiting add(PortKind port, Runnable close) {
    var added = new Waiting(port, close);
    List<Waiting> over = new ArrayList<>();
    synchronized (waiting) {
      var all = waiting.computeIfAbsent(port, kind -> new LinkedHashSet<>());
      all.add(added);
      var oldest = all.iterator();
      for (int count = all.size(); count > max; count--) {
        over.add(oldest.next());
        oldest.remove();
      }
    }
    over.forEach(Waiting::close);
    return added;
  }

  int count(PortKind port) {
    synchronized (waiting) {
      return waiting.getOrDefault(port, Set.of()).size();
    }
  }

  /** One of them. */
  final class Waiting {
    private final PortKind port;

    /** Null when it has been removed: a pending timeout does not retain the connection. */
    private @Nullable Runnable close;

    private Waiting(PortKind port, Runnable close) {
      this.port = port;
      this.close = close;
    }

    /** It has ended, or is proved. */
    boolean remove() {
      return taken() != null;
    }

    private @Nullable Runnable taken() {
      synchronized (waiting) {
        waiting.getOrDefault(port, Set.of()).remove(this);
        var taken = close;
        close = null;
        return taken;
      }
    }

    /** Its time is over, or others need its place. */
    void close() {
      var taken = taken();
      if (taken != null) {
        taken.run();
      }
    }
  }
}
