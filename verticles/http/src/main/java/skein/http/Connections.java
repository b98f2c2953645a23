package skein.http;

import io.vertx.core.net.SocketAddress;
import io.vertx.ext.web.RoutingContext;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import skein.identity.RateLimit;
import skein.messages.Reply;
import skein.model.ErrorCode;

/**
 * The connections of a node to those who call it over HTTP, within the bounds on what they take up.
 * Numbers and bytes are bounded at once, times by {@link #sweep}. Thread-safe.
 */
public final class Connections {
  /** A smaller request or answer is never refused for the room that others take. */
  private static final long SMALL_BYTES = 4_096;

  /** A client that has read nothing for so long may be closed when there is no room. */
  private static final long STALLED_NANOS = 1_000_000_000L;

  /** Connections at one time: thousands would delay others on the event loop. */
  private static final int ENDED_MAX = 200;

  private static final long LOG_NANOS = 10_000_000_000L;
  private static final Logger log = LoggerFactory.getLogger(Connections.class);

  private final ConnectionLimits limits;
  private final long requestBytesMax;
  private final ClientClock clientClock;
  private final RateLimit rates;
  private final Map<Remote, Peer> peers = new ConcurrentHashMap<>();
  private final Map<String, Integer> perAddress = new ConcurrentHashMap<>();
  private final AtomicLong receiving = new AtomicLong();
  private final AtomicLong sending = new AtomicLong();
  private final AtomicLong closed = new AtomicLong();
  private volatile long loggedNanos;

  /** {@code requestBytesMax}: what comes beyond that belongs to no request. */
  public Connections(ConnectionLimits limits, long requestBytesMax) {
    this(limits, requestBytesMax, System::nanoTime);
  }

  Connections(ConnectionLimits limits, long requestBytesMax, LongSupplier nanos) {
    this.limits = limits;
    this.requestBytesMax = requestBytesMax;
    this.clientClock = new ClientClock(nanos);
    this.rates = new RateLimit(limits.requests(), nanos);
  }

  /** How often each may ask, whichever connections they use. */
  RateLimit rates() {
    return rates;
  }

  int size() {
    return peers.size();
  }

  /** A new one, also when the end of another one from there has not been reported yet. */
  synchronized @Nullable Peer accept(Remote remote, Runnable closer) {
    var before = peers.get(remote);
    if (before != null) {
      closed(before);
    }
    return open(remote, closer);
  }

  /** Null when there is no room: every other connection waits for an answer. */
  synchronized @Nullable Peer open(Remote remote, Runnable closer) {
    var known = peers.get(remote);
    if (known != null) {
      return known;
    }
    int ofAddress = perAddress.getOrDefault(remote.address(), 0);
    if ((ofAddress >= limits.perAddressMax() && !makeRoom(remote.address()))
        || (peers.size() >= limits.max() && !makeRoom(null))) {
      closed.incrementAndGet();
      return null;
    }
    var peer = new Peer(remote, closer, clientClock.nanos());
    peers.put(remote, peer);
    perAddress.merge(remote.address(), 1, Integer::sum);
    return peer;
  }

  private record Candidate(Peer peer, boolean used, long since) {}

  /**
   * Closes the oldest hundredth of those that have never been answered, so that they need not be
   * looked for each time; when there are none, the one whose last answer was longest ago.
   */
  private boolean makeRoom(@Nullable String address) {
    var idle =
        peers.values().stream()
            .filter(peer -> address == null || peer.remote().address().equals(address))
            .filter(Peer::isIdle)
            .map(peer -> new Candidate(peer, peer.isUsed(), peer.sinceNanos()))
            .sorted(Comparator.comparing(Candidate::used).thenComparingLong(Candidate::since))
            .limit(Math.max(1, limits.max() / 100))
            .toList();
    if (idle.isEmpty()) {
      return false;
    }
    var unused = idle.stream().filter(candidate -> !candidate.used()).toList();
    (unused.isEmpty() ? idle.subList(0, 1) : unused).forEach(one -> close(one.peer()));
    return true;
  }

  private void close(Peer peer) {
    closed.incrementAndGet();
    closed(peer);
    peer.close();
  }

  /** It is refused, and will be closed as soon as it may have heard so. */
  void turnedAway(Peer peer) {
    closed.incrementAndGet();
    receiving.addAndGet(-peer.leave());
  }

  /** Closes those that have sent nothing: they are no longer served. */
  void closeSilent() {
    peers.values().stream().filter(Peer::isSilent).forEach(Peer::close);
  }

  /** May be said more than once. */
  void closed(Peer peer) {
    synchronized (this) {
      if (!peers.remove(peer.remote(), peer)) {
        return;
      }
      perAddress.computeIfPresent(peer.remote().address(), (_, n) -> n == 1 ? null : n - 1);
    }
    peer.exchanges().forEach(Exchange::end);
    receiving.addAndGet(-peer.leave());
  }

  /** The connection from there; null when there is none any more. */
  @Nullable Peer find(@Nullable SocketAddress from) {
    var remote = Remote.of(from);
    return remote == null ? null : peers.get(remote);
  }

  /**
   * Null for a connection that has ended, or that asks for more at once than it may.
   *
   * @param refusing when what the connections take up demands it
   */
  @Nullable Exchange begin(
      @Nullable Peer peer, RoutingContext request, Exchange.Refusing refusing) {
    if (peer == null || !peer.equals(peers.get(peer.remote()))) {
      return null;
    }
    peer.carry(request);
    var exchange = new Exchange(new Carrier(peer), request, refusing, clientClock::nanos);
    // a stream of HTTP/2 ends a little before its answer is on its way
    if (peer.begin(exchange) > 2 * limits.requestsMax()) {
      close(peer);
      return null;
    }
    return exchange;
  }

  /** The view of one connection, and of all, for its requests. */
  private final class Carrier implements Exchange.Carrier {
    private final Peer peer;

    Carrier(Peer peer) {
      this.peer = peer;
    }

    @Override
    public void close() {
      peer.close();
    }

    @Override
    public void breakOff() {
      Connections.this.close(peer);
    }

    /** It is a WebSocket as soon as the answer, 101, is sent. */
    @Override
    public void upgraded() {
      receiving.addAndGet(-peer.upgrade());
    }

    @Override
    public void ended(Exchange exchange) {
      receiving.addAndGet(-peer.end(exchange, clientClock.nanos()));
    }

    @Override
    public void sending(long bytes) {
      Connections.this.sending(bytes);
    }

    @Override
    public boolean hasRoomFor(long bytes) {
      return Connections.this.hasRoomFor(bytes);
    }

    @Override
    public boolean hasSpareRoomFor(long bytes) {
      return bytes <= SMALL_BYTES || sending.get() + bytes <= limits.sendingBytesMax() * 2;
    }

    @Override
    public Reply.Refused tooMuchToSend() {
      return overloaded("http.sending-bytes-max", limits.sendingBytesMax());
    }
  }

  /**
   * What a connection has received counts until it is answered.
   *
   * @param lines that end in it; need not be known when a request is under way
   */
  void received(Peer peer, long bytes, long lines) {
    if (receiving.addAndGet(peer.receive(bytes, lines)) > limits.receivingBytesMax()) {
      refuseLargest();
    }
    if (peer.exceedsHeadLimit(requestBytesMax)) {
      close(peer);
    }
  }

  private synchronized void refuseLargest() {
    long excess = receiving.get() - limits.receivingBytesMax() * 3 / 4;
    var largest =
        peers.values().stream()
            .filter(peer -> peer.received() > SMALL_BYTES && !peer.isRefused() && peer.isIdle())
            .sorted(Comparator.comparingLong(Peer::received).reversed())
            .iterator();
    while (excess > 0 && largest.hasNext()) {
      var peer = largest.next();
      excess -= peer.received();
      refuse(peer, overloaded("http.receiving-bytes-max", limits.receivingBytesMax()), 503);
    }
  }

  private void refuse(Peer peer, Reply.Refused refusal, int status) {
    var open = peer.exchanges();
    if (open.isEmpty()) {
      close(peer);
    } else if (peer.refuse()) {
      closed.incrementAndGet();
      receiving.addAndGet(-peer.leave());
      open.forEach(exchange -> exchange.refuse(refusal, status));
    }
  }

  private static Reply.Refused overloaded(String name, long max) {
    return new Reply.Refused(
        ErrorCode.OVERLOADED, name + " (" + max + ") is reached: ask again later", List.of());
  }

  /** Bytes of answers; negative when they were taken. */
  void sending(long bytes) {
    sending.addAndGet(bytes);
  }

  boolean hasRoomFor(long bytes) {
    if (bytes > SMALL_BYTES && sending.get() + bytes > limits.sendingBytesMax()) {
      closeStalled();
    }
    return bytes <= SMALL_BYTES || sending.get() + bytes <= limits.sendingBytesMax();
  }

  private synchronized void closeStalled() {
    long excess = sending.get() - limits.sendingBytesMax() * 3 / 4;
    var stalled =
        peers.values().stream()
            .flatMap(peer -> peer.exchanges().stream())
            .filter(one -> one.sending() > SMALL_BYTES && one.age() > STALLED_NANOS)
            .sorted(Comparator.comparingLong(Exchange::sending).reversed())
            .iterator();
    while (excess > 0 && stalled.hasNext()) {
      var exchange = stalled.next();
      excess -= exchange.sending();
      exchange.breakOff();
    }
  }

  /** Registers a caller of {@link #sweep}, about every tenth of a second, from an event loop. */
  void join(Object loop) {
    clientClock.join(loop);
  }

  void leave(Object loop) {
    clientClock.leave(loop);
  }

  /** Ends what has had its time, when every event loop has come by since the last time. */
  void sweep(Object loop) {
    if (!clientClock.pass(loop)) {
      return;
    }
    int ended = 0;
    for (var peer : peers.values()) {
      ended += endIfLate(peer) ? 1 : 0;
      if (ended == ENDED_MAX) {
        break;
      }
    }
    say();
  }

  private boolean endIfLate(Peer peer) {
    if (peer.isRefused()) {
      return false; // it is being closed
    }
    if (peer.isLate(limits.timeouts().header(), limits.timeouts().idle(), clientClock.nanos())) {
      close(peer);
      return true;
    }
    return peer.exchanges().stream().anyMatch(exchange -> endIfLate(peer, exchange));
  }

  private boolean endIfLate(Peer peer, Exchange exchange) {
    return switch (exchange.state()) {
      case RECEIVING -> {
        boolean late = exchange.age() > limits.timeouts().body().toNanos();
        if (late) {
          refuse(peer, incomplete(), 408);
        }
        yield late;
      }
      case WORKING -> false;
      case SENDING -> {
        boolean late = exchange.age() > limits.timeouts().send().toNanos();
        if (late) {
          close(peer);
        }
        yield late;
      }
    };
  }

  private Reply.Refused incomplete() {
    return new Reply.Refused(
        ErrorCode.REQUEST_INCOMPLETE,
        "The body did not come within http.body-timeout (%d ms); nothing has happened: send it again"
            .formatted(limits.timeouts().body().toMillis()),
        List.of());
  }

  private void say() {
    long now = clientClock.nanos();
    if (now - loggedNanos < LOG_NANOS) {
      return;
    }
    loggedNanos = now;
    long count = closed.getAndSet(0);
    if (count > 0) {
      log.atWarn()
          .addKeyValue("count", count)
          .addKeyValue("open", peers.size())
          .addKeyValue("receivingBytes", receiving.get())
          .addKeyValue("sendingBytes", sending.get())
          .log("connections.closed");
    }
  }
}
