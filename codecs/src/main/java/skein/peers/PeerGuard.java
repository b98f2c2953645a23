package skein.peers;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Stands at the ports between nodes for one process: without a secret it lets in members alone,
 * with one only those that know it. Tells of who is refused, once a minute for each address.
 * Thread-safe.
 */
public final class PeerGuard {
  private static final long TOLD_NANOS = TimeUnit.MINUTES.toNanos(1);
  private static final int TOLD_MAX = 1_000;
  private static final int TELL_MAX = 100;

  private final Handshake.@Nullable Identity identity;
  private final Limits limits;
  private final Unproved unproved;
  private final Consumer<Refusal> listener;

  /** When something was told of an address last. */
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
  private volatile Consumer<Refusal> onDiffers = _ -> {};

  /**
   * What those may take up that have not proved anything.
   *
   * @param timeMax a connection is closed whose other end has not proved itself by then
   * @param connectionsMax of such connections to one port; for more the oldest are closed
   */
  public record Limits(Duration timeMax, int connectionsMax) {
    public static final Limits DEFAULT = new Limits(Duration.ofSeconds(5), 200);
  }

  private PeerGuard(
      Handshake.@Nullable Identity identity, Limits limits, Consumer<Refusal> listener) {
    this.identity = identity;
    this.limits = limits;
    this.unproved = new Unproved(limits.connectionsMax);
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
    return new PeerGuard(Handshake.Identity.of(secret, cluster), limits, listener);
  }

  /** Lets in whoever speaks as a member does. */
  public static PeerGuard withoutSecret(Limits limits, Consumer<Refusal> listener) {
    return new PeerGuard(null, limits, listener);
  }

  boolean hasSecret() {
    return identity != null;
  }

  Handshake handshake(PortKind port, Handshake.End end) {
    if (identity == null) {
      throw new IllegalStateException("There is no secret");
    }
    return new Handshake(identity, port, end);
  }

  /**
   * A connection to which nobody has proved anything yet.
   *
   * @param close called when it takes too long, or makes room for others
   * @return to be run when it has ended or is proved
   */
  Runnable await(PortKind port, Runnable close) {
    var waiting = unproved.add(port, close);
    CompletableFuture.delayedExecutor(limits.timeMax.toMillis(), TimeUnit.MILLISECONDS)
        .execute(waiting::close);
    return waiting::remove;
  }

  /** {@code peer} ended as {@code outcome} says: nothing is told when it came to itself. */
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
              "sent what no node sends. Let nobody but nodes and services of the cluster reach "
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

  private void secretDiffers(PortKind port, @Nullable SocketAddress peer, String what) {
    refuse(
        Refusal.Code.CLUSTER_SECRET_DIFFERS,
        port,
        peer,
        what
            + ". Give all nodes, and all services that join them, a file with the same secret"
            + " (cluster.secret-file) and the same cluster.name");
  }

  private void refuse(Refusal.Code code, PortKind port, @Nullable SocketAddress peer, String what) {
    var name = peer instanceof InetSocketAddress inet ? address(inet) : "an unknown address";
    var refusal =
        new Refusal(
            code,
            port,
            name + (peer instanceof InetSocketAddress inet ? ":" + inet.getPort() : ""),
            "The other end of a connection, " + name + ", " + what);
    if (code == Refusal.Code.CLUSTER_SECRET_DIFFERS) {
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

  /** The last end of a connection, if any, whose secret was another one. */
  public @Nullable Refusal lastThatDiffers() {
    return differs;
  }

  /** Whether the other end of any connection has proved that it knows the secret. */
  public boolean hasProvedPeer() {
    return anyProved;
  }

  /** {@code listener}: in place of another one, told of each whose secret is another one. */
  void onDiffers(Consumer<Refusal> listener) {
    onDiffers = listener;
  }

  Duration timeMax() {
    return limits.timeMax;
  }
}
