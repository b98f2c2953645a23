package skein.node;

import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import skein.model.SkeinException;
import skein.node.config.HostPort;
import skein.node.config.NodeConfig;
import skein.node.hazelcast.NodeAddresses;
import skein.peers.ClusterSecret;
import skein.storage.Database;
import skein.storage.MemberStore;

/**
 * The addresses of nodes in the database. It has a connection of its own on a Vert.x without a
 * cluster, so that it is available before the cluster is, and while the node is busy. Thread-safe.
 */
final class DatabaseAddresses implements NodeAddresses {
  private static final Logger log = LoggerFactory.getLogger(DatabaseAddresses.class);
  private static final Duration CLOSE_MAX = Duration.ofSeconds(5);
  private static final int SECRET_BYTES = 32;

  /** Renewals that may be lost before the lease is over. */
  private static final int RENEWALS = 3;

  private final NodeConfig config;
  private final StartWait wait;
  private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
  private final Database database;
  private final MemberStore store;
  private volatile MemberStore.@Nullable Place place;
  private volatile List<HostPort> known = List.of();
  private volatile boolean failing;

  /** {@code wait}: for the database, before this node has an address in it. */
  DatabaseAddresses(NodeConfig config, Database.Options options, StartWait wait) {
    this.config = config;
    this.wait = wait;
    this.database = new Database(vertx, options);
    this.store = new MemberStore(database);
  }

  @Override
  public List<String> hosts() {
    return config.database().hosts().stream().map(HostPort::host).toList();
  }

  @Override
  public ClusterSecret secret() {
    var proposal = new byte[SECRET_BYTES];
    new SecureRandom().nextBytes(proposal);
    var text = HexFormat.of().formatHex(proposal);
    var name = config.cluster().name();
    return ClusterSecret.of(wait.answer(() -> Await.result(store.secret(name, text), answerMax())));
  }

  @Override
  public void enter(String cluster, HostPort address, String nodeId) {
    var lease = config.cluster().meeting().lease();
    var mine = new MemberStore.Place(cluster, address.toString(), nodeId);
    place = mine;
    wait.answer(() -> Await.result(store.enter(mine, lease), answerMax()));
    vertx.setPeriodic(lease.toMillis() / RENEWALS, _ -> renew(mine, lease));
  }

  private void renew(MemberStore.Place mine, Duration lease) {
    store
        .enter(mine, lease)
        .onSuccess(_ -> failing = false)
        .onFailure(e -> {
          if (!failing) {
            log.atWarn().addKeyValue("cause", e.getMessage()).log("cluster.addressNotRenewed");
          }
          failing = true;
        });
  }

  /** The last known addresses, while the database does not answer. */
  @Override
  public List<HostPort> others() {
    var mine = place;
    if (mine == null) {
      return List.of();
    }
    try {
      var texts = Await.result(store.others(mine), answerMax());
      int port = config.cluster().port();
      known = texts.stream().map(text -> HostPort.parse(text, port)).toList();
    } catch (SkeinException | Await.UnansweredException e) {
      log.atDebug().addKeyValue("cause", e.getMessage()).log("cluster.addressesNotRead");
    }
    return known;
  }

  private Duration answerMax() {
    return config.database().statementTimeout().plus(config.database().pool().connectTimeout());
  }

  @Override
  public void close() {
    var mine = place;
    try {
      if (mine != null) {
        Await.result(store.leave(mine), CLOSE_MAX);
      }
    } catch (SkeinException | Await.UnansweredException e) {
      log.atDebug().addKeyValue("cause", e.getMessage()).log("cluster.addressNotRemoved");
    }
    vertx.close();
  }
}
