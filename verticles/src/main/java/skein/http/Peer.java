package skein.http;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** One connection: what is under way on it, and since when nothing is. Thread-safe. */
final class Peer {
  private final Remote remote;
  private final Runnable closer;
  private final Set<Exchange> exchanges = new HashSet<>();
  private long sinceNanos;
  private long received;
  private boolean used;
  private boolean refused;
  private boolean gone;

  Peer(Remote remote, Runnable closer, long nowNanos) {
    this.remote = remote;
    this.closer = closer;
    this.sinceNanos = nowNanos;
  }

  Remote remote() {
    return remote;
  }

  /** From any thread. */
  void close() {
    closer.run();
  }

  /** How many of these bytes count: none when it is gone. */
  synchronized long receive(long bytes) {
    long counted = gone ? 0 : bytes;
    received += counted;
    return counted;
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
    sinceNanos = nowNanos;
    used = true;
    return share;
  }

  /** Nothing more counts; the bytes that did. */
  synchronized long leave() {
    gone = true;
    long rest = received;
    received = 0;
    return rest;
  }

  /** False when that was so already. */
  synchronized boolean refuse() {
    boolean first = !refused;
    refused = true;
    return first;
  }

  synchronized long received() {
    return received;
  }

  synchronized boolean isRefused() {
    return refused;
  }

  /** Nobody would miss it: it has no request that is complete and waits for its answer. */
  synchronized boolean isIdle() {
    return exchanges.stream().allMatch(Exchange::isReceiving);
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
    return new ArrayList<>(exchanges);
  }

  /** It has had its time for the next request; the first one must come sooner. */
  synchronized boolean isLate(Duration first, Duration next, long nowNanos) {
    return exchanges.isEmpty() && nowNanos - sinceNanos > (used ? next : first).toNanos();
  }

  /** More has come than belongs to any request. */
  synchronized boolean isBabbling(long bytesMax) {
    return exchanges.isEmpty() && received > bytesMax;
  }
}
