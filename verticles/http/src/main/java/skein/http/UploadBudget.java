package skein.http;

import io.vertx.core.Vertx;
import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.atomic.AtomicLong;
import skein.model.SkeinException;

/** The memory that the files of all requests of a node may take together. Thread-safe. */
final class UploadBudget {
  private static final Map<Vertx, UploadBudget> BUDGETS =
      Collections.synchronizedMap(new WeakHashMap<>());

  private final long bytesMax;
  private final AtomicLong held = new AtomicLong();

  UploadBudget(long bytesMax) {
    this.bytesMax = bytesMax;
  }

  /** That of the node; its first event loop makes it. */
  static UploadBudget of(Vertx vertx, UploadLimits limits) {
    return BUDGETS.computeIfAbsent(vertx, _ -> new UploadBudget(limits.totalBytesMax()));
  }

  long held() {
    return held.get();
  }

  Lease lease() {
    return new Lease();
  }

  /** The share of one request; given back when it ends. */
  final class Lease {
    private long bytes;
    private boolean closed;

    private Lease() {}

    /**
     * @throws SkeinException when there is no room, or the request is over
     */
    synchronized void take(long more) {
      if (closed || held.addAndGet(more) > bytesMax) {
        if (!closed) {
          held.addAndGet(-more);
        }
        throw SkeinException.overloaded("The memory for uploads", (int) bytesMax);
      }
      bytes += more;
    }

    /** Does nothing the second time. */
    synchronized void close() {
      if (!closed) {
        closed = true;
        held.addAndGet(-bytes);
      }
    }
  }
}
