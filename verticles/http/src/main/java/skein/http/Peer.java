package skein.http;

import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One connection: what is under way on it, and since when nothing is. Thread-safe. */
final class Peer {
  /** The size of a header in memory beside its bytes, about. */
  private static final long LINE_BYTES = 256;

  private static final String KEY = Peer.class.getName();

  private final Remote remote;
  private final Runnable closer;
  private final Set<Exchange> exchanges = new HashSet<>();
  private long sinceNanos;
  private long received;

  /** The part of {@link #received} that lines take beside their bytes. */
  private long overhead;

  private boolean used;
  private boolean refused;
  private boolean upgraded;
  private boolean gone;
  private Http1Guard.@Nullable Refusal doubt;
  private long reads;
  private long begunIn;

  Peer(Remote remote, Runnable closer, long nowNanos) {
    this.remote = remote;
    this.closer = closer;
    this.sinceNanos = nowNanos;
  }

  /** That of a request; null where connections are not watched. */
  static @Nullable Peer of(RoutingContext request) {
    return request.get(KEY);
  }

  /** A request was received on it. */
  void carry(RoutingContext request) {
    request.put(KEY, this);
  }

  Remote remote() {
    return remote;
  }

  /** From any thread. */
  void close() {
    closer.run();
  }

  /** Something comes; what comes until the event loop turns to others is one read. */
  synchronized void beginRead() {
    reads++;
  }

  /** Whether a {@link ConnectionFilter} looks at all input, and reads have been reported. */
  synchronized boolean isFiltered() {
    return reads > 0;
  }

  /**
   * To be asked when a request begins: whether it came in one read with the one before, whose
   * answer was thus not awaited. False where reads are not reported.
   */
  synchronized boolean cameWithLast() {
    boolean same = reads > 0 && begunIn == reads;
    begunIn = reads;
    return same;
  }

  /**
   * How much of this counts: nothing when it has ended. A line counts for more than its bytes
   * before a request has begun, since it is one of its headers.
   *
   * @param lines that end in these bytes
   */
  synchronized long receive(long bytes, long lines) {
    if (gone || upgraded) {
      return 0;
    }
    long more = exchanges.isEmpty() ? lines * LINE_BYTES : 0;
    overhead += more;
    received += bytes + more;
    return bytes + more;
  }

  /** Whether what comes belongs to the head of a request. */
  synchronized boolean awaitsRequest() {
    return exchanges.isEmpty() && !upgraded;
  }

  /**
   * It is a WebSocket from now on, whose own limits hold: it has no more requests, and what it
   * sends counts no more. The bytes that did.
   */
  synchronized long upgrade() {
    upgraded = true;
    long rest = received;
    received = 0;
    overhead = 0;
    return rest;
  }

  synchronized boolean isUpgraded() {
    return upgraded;
  }

  /** The number of requests under way, this included. */
  synchronized int begin(Exchange exchange) {
    exchanges.add(exchange);
    return exchanges.size();
  }

  /** The bytes it had received that do not count any more: what it has, shared by its requests. */
  synchronized long end(Exchange exchange, long nowNanos) {
    int before = exchanges.size();
    if (!exchanges.remove(exchange)) {
      return 0;
    }
    long share = received / before;
    received -= share;
    overhead -= overhead / before;
    sinceNanos = nowNanos;
    used = true;
    return share;
  }

  /** Nothing more counts; the bytes that did. */
  synchronized long leave() {
    gone = true;
    long rest = received;
    received = 0;
    overhead = 0;
    return rest;
  }

  /** False when that was so already. */
  synchronized boolean refuse() {
    boolean first = !refused;
    refused = true;
    return first;
  }

  /** The last request of it is refused. */
  synchronized void doubt(Http1Guard.Refusal why) {
    doubt = why;
  }

  /** Why its last request is refused; null when nothing is wrong with it. */
  synchronized Http1Guard.@Nullable Refusal doubt() {
    return doubt;
  }

  synchronized long received() {
    return received;
  }

  synchronized boolean isRefused() {
    return refused;
  }

  /** It may be closed: it has no request that is complete and waits for its answer. */
  synchronized boolean isIdle() {
    return !upgraded && exchanges.stream().allMatch(Exchange::isReceiving);
  }

  /** Whether nothing has ever come from it, as far as reads are reported. */
  synchronized boolean isSilent() {
    return reads == 0 && exchanges.isEmpty() && !used;
  }

  /** Whether a request of it has ever been answered. */
  synchronized boolean isUsed() {
    return used;
  }

  /** Since when there is nothing under way; before the first request, since it is open. */
  synchronized long sinceNanos() {
    return sinceNanos;
  }

  synchronized List<Exchange> exchanges() {
    return List.copyOf(exchanges);
  }

  /** It has had its time for the next request; the first one must come sooner. */
  synchronized boolean isLate(Duration first, Duration next, long nowNanos) {
    return awaitsRequest() && nowNanos - sinceNanos > (used ? next : first).toNanos();
  }

  /** There is more input than belongs to any request. */
  synchronized boolean exceedsHeadLimit(long bytesMax) {
    return awaitsRequest() && received - overhead > bytesMax;
  }
}
