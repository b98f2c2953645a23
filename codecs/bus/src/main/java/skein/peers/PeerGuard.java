package skein.peers;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import javax.net.ssl.SSLEngine;
import org.jspecify.annotations.Nullable;
import skein.peers.Handshake.End;

/**
 * Guards the ports between nodes of one process: without a secret it admits members alone, with one
 * only those that know it, with TLS only those that have a certificate. Tells of who is refused,
 * once a minute for each address. Thread-safe.
 */
public final class PeerGuard {
  private static final long TOLD_NANOS = TimeUnit.MINUTES.toNanos(1);
  private static final int TOLD_MAX = 1_000;
  private static final int TELL_MAX = 100;

  /** The most that unauthenticated peers may use of a machine. */
  private static final int TLS_THREADS =
      Math.max(1, Runtime.getRuntime().availableProcessors() / 4);

  private static final long TLS_THREAD_SECONDS = 30;
  private static final int TLS_PORTS = 2;

  /** For connections that this process makes. */
  private static final int TLS_TASKS = 100;

  /** The first bytes that members send. */
  private static final byte MEMBER = 'H';

  private final Handshake.@Nullable Identity identity;
  private final @Nullable Tls tls;
  private final Limits limits;
  private final UnauthenticatedConnections unauthenticated;
  private final Consumer<Refusal> listener;

  /** The time of the last report about each address. */
  private final Map<String, Long> told =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
          return size() > TOLD_MAX;
        }
      };

  private long minute;
  private int toldInMinute;
  private volatile @Nullable Refusal differs;
  private volatile boolean anyProved;
  private volatile Consumer<Refusal> onDiffers = refusal -> {};

  /**
   * What those may take up that have not proved anything.
   *
   * @param timeMax a connection is closed whose other end has not proved itself by then
   * @param connectionsMax of such connections to one port; for more the oldest are closed
   */
  public record Limits(Duration timeMax, int connectionsMax) {
    public static final Limits DEFAULT = new Limits(Duration.ofSeconds(5), 200);
  }

  /** Numbers of threads. */
  private static final AtomicInteger threads = new AtomicInteger();

  /** {@code tasks}: does the work with keys, which would hold up all connections of a thread. */
  private record Tls(ClusterTls own, Executor tasks) {
    static Tls of(ClusterTls own, Limits limits) {
      var tasks =
          new ThreadPoolExecutor(
              TLS_THREADS,
              TLS_THREADS,
              TLS_THREAD_SECONDS,
              TimeUnit.SECONDS,
              new ArrayBlockingQueue<>(TLS_PORTS * limits.connectionsMax + TLS_TASKS),
              PeerGuard::thread);
      tasks.allowCoreThreadTimeOut(true);
      return new Tls(own, tasks);
    }
  }

  private static Thread thread(Runnable task) {
    var thread = new Thread(task, "skein-tls-" + threads.getAndIncrement());
    thread.setDaemon(true);
    return thread;
  }

  private PeerGuard(
      Handshake.@Nullable Identity identity,
      @Nullable Tls tls,
      Limits limits,
      Consumer<Refusal> listener) {
    this.identity = identity;
    this.tls = tls;
    this.limits = limits;
    this.unauthenticated = new UnauthenticatedConnections(limits.connectionsMax);
    this.listener = listener;
  }

  /**
   * Lets in who knows the secret.
   *
   * @param cluster its full name, as in {@code skein-hz5.7-w1}
   * @param listener called on any thread; must not block
   */
  public static PeerGuard of(
      ClusterSecret secret, String cluster, Limits limits, Consumer<Refusal> listener) {
    return new PeerGuard(Handshake.Identity.of(secret, cluster), null, limits, listener);
  }

  /** Admits every peer that speaks the protocol of members. */
  public static PeerGuard withoutSecret(Limits limits, Consumer<Refusal> listener) {
    return new PeerGuard(null, null, limits, listener);
  }

  /**
   * As this one, but all is within TLS: also the proof of the secret, if there is one.
   *
   * @throws UnsupportedOperationException the JDK is older than 25
   */
  public PeerGuard withTls(ClusterTls tls) {
    TlsPipe.requireBinding();
    return new PeerGuard(identity, Tls.of(tls, limits), limits, listener);
  }

  boolean hasSecret() {
    return identity != null;
  }

  boolean hasTls() {
    return tls != null;
  }

  /** When the certificate of this one ends; null without TLS. */
  @Nullable Instant certificateEnd() {
    return tls == null ? null : tls.own.end();
  }

  SSLEngine tlsEngine(End end) {
    return tls().own.engine(end);
  }

  /** Refuses what is more than those can ask for that have not proved anything. */
  Executor tlsTasks() {
    return tls().tasks;
  }

  private Tls tls() {
    if (tls == null) {
      throw new IllegalStateException("There is no TLS");
    }
    return tls;
  }

  /** {@code channel}: what is the same at both ends of the connection alone, if anything is. */
  Handshake handshake(PortKind port, End end, @Nullable Supplier<byte[]> channel) {
    if (identity == null) {
      throw new IllegalStateException("There is no secret");
    }
    return channel == null
        ? new Handshake(identity, port, end)
        : new Handshake(identity, port, end, channel);
  }

  /**
   * A connection whose peer has not authenticated yet.
   *
   * @param close called when it takes too long, or makes room for others
   * @return to be run when it has ended or is proved
   */
  Runnable await(PortKind port, Runnable close) {
    var waiting = unauthenticated.add(port, close);
    CompletableFuture.delayedExecutor(limits.timeMax.toMillis(), TimeUnit.MILLISECONDS)
        .execute(waiting::close);
    return waiting::remove;
  }

  /**
   * {@code peer} ended as {@code outcome} says: no report when a process has connected to itself.
   */
  void refused(PortKind port, @Nullable SocketAddress peer, Handshake.Outcome outcome) {
    switch (outcome) {
      case DIFFERS ->
          secretDiffers(
              port, peer, "does not know the secret of this one, or is of another cluster");
      case REFUSED ->
          secretDiffers(
              port, peer, "does not take the secret of this one, or is of another cluster");
      case STRANGER ->
          refuse(
              Refusal.Code.CLUSTER_STRANGER,
              port,
              peer,
              false,
              "sent what no node sends. Let only nodes and services of the cluster reach "
                  + port.setting());
      default -> {}
    }
  }

  /** It speaks as a process does that has no secret, or has hung up when it was asked for one. */
  void peerHasNone(PortKind port, @Nullable SocketAddress peer) {
    secretDiffers(port, peer, "has no secret, and this one has");
  }

  /** It asks for a secret. */
  void thisHasNone(PortKind port, @Nullable SocketAddress peer) {
    secretDiffers(port, peer, "has a secret, and this one has none");
  }

  /**
   * Tells of who does not use TLS.
   *
   * @param first what it began with
   * @return whether it is a node or a service, as far as is known
   */
  boolean spokeNoTls(PortKind port, @Nullable SocketAddress peer, End end, byte first) {
    if (end == End.CONNECTING || first == 0 || first == MEMBER || first == Handshake.MARK[0]) {
      tlsDiffers(port, peer, end, "does not use TLS, and this one does");
      return true;
    }
    refused(port, peer, Handshake.Outcome.STRANGER);
    return false;
  }

  /** It closed a connection that began with TLS, and said nothing. */
  void hungUpOnTls(PortKind port, @Nullable SocketAddress peer) {
    tlsDiffers(port, peer, End.CONNECTING, "hung up when this one began with TLS");
  }

  /** It began with TLS. */
  void speaksTls(PortKind port, @Nullable SocketAddress peer, End end) {
    tlsDiffers(port, peer, end, "uses TLS, and this one does not");
  }

  /** A connection from an unknown address is not a reason to give up. */
  private void tlsDiffers(PortKind port, @Nullable SocketAddress peer, End end, String what) {
    refuse(
        Refusal.Code.CLUSTER_TLS_DIFFERS,
        port,
        peer,
        end == End.CONNECTING,
        what + ". Give all nodes, and all services that join them, TLS, or none (cluster.tls)");
  }

  /** The handshake of TLS ended so. */
  void tlsFailed(PortKind port, @Nullable SocketAddress peer, End end, Throwable failure) {
    var why = TlsFailure.of(failure);
    if (why.isOfCertificate()) {
      refuse(
          Refusal.Code.CLUSTER_CERTIFICATE_REFUSED,
          port,
          peer,
          end == End.CONNECTING,
          why.text()
              + ". Give all nodes, and all services that join them, certificates of one authority"
              + " that are valid now (cluster.tls-certificate-file, cluster.tls-ca-file)");
    } else {
      refuse(
          Refusal.Code.CLUSTER_STRANGER,
          port,
          peer,
          false,
          why.text() + ". Let only nodes and services of the cluster reach " + port.setting());
    }
  }

  private void secretDiffers(PortKind port, @Nullable SocketAddress peer, String what) {
    refuse(
        Refusal.Code.CLUSTER_SECRET_DIFFERS,
        port,
        peer,
        true,
        what
            + ". Give all nodes, and all services that join them, a file with the same secret"
            + " (cluster.secret-file) and the same cluster.name");
  }

  private void refuse(
      Refusal.Code code,
      PortKind port,
      @Nullable SocketAddress peer,
      boolean isDifference,
      String what) {
    var name = peer instanceof InetSocketAddress inet ? address(inet) : "an unknown address";
    var refusal =
        new Refusal(
            code,
            port,
            name + (peer instanceof InetSocketAddress inet ? ":" + inet.getPort() : ""),
            "The other end of a connection, " + name + ", " + what);
    if (isDifference) {
      differs = refusal;
      onDiffers.accept(refusal);
    }
    if (isToBeTold(code + " " + name)) {
      listener.accept(refusal);
    }
  }

  void proved() {
    anyProved = true;
  }

  private static String address(InetSocketAddress peer) {
    return peer.isUnresolved() ? peer.getHostString() : peer.getAddress().getHostAddress();
  }

  private boolean isToBeTold(String key) {
    long now = System.nanoTime();
    synchronized (told) {
      var last = told.get(key);
      if (last != null && now - last < TOLD_NANOS) {
        return false;
      }
      if (toldInMinute == 0 || now - minute >= TOLD_NANOS) {
        minute = now;
        toldInMinute = 0;
      }
      if (toldInMinute == TELL_MAX) {
        return false;
      }
      toldInMinute++;
      told.remove(key); // to the end of the order
      told.put(key, now);
      return true;
    }
  }

  /**
   * The last end of a connection, if any, that has another secret, other certificates or no TLS.
   */
  public @Nullable Refusal lastThatDiffers() {
    return differs;
  }

  /** Whether the other end of any connection has proved that it is of this cluster. */
  public boolean hasProvedPeer() {
    return anyProved;
  }

  /**
   * {@code listener}: in place of another one, called for each that {@link #lastThatDiffers} gives.
   */
  void onDiffers(Consumer<Refusal> listener) {
    onDiffers = listener;
  }

  Duration timeMax() {
    return limits.timeMax;
  }
}
