package skein.http;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.security.SecureRandom;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import skein.cluster.Readiness;
import skein.codecs.JsonLimits;
import skein.model.ErrorCode;
import skein.model.InstanceId;
import skein.model.InstanceRefusals;
import skein.model.SkeinException;
import skein.storage.TenantScope;
import skein.storage.TenantStore;

/**
 * The connections of a node's clients that observe instances, within a bound on their number.
 * Thread-safe.
 */
final class Hub implements HubSession.Observing {
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final Map<Vertx, Hub> HUBS = Collections.synchronizedMap(new WeakHashMap<>());

  private final Readiness readiness;
  private final HubOptions options;
  private final JsonLimits json;
  private final HubFeed feed;
  private final TenantStore tenants;
  private final Set<HubSession> sessions = ConcurrentHashMap.newKeySet();
  private final Map<String, HubChannel> channels = new ConcurrentHashMap<>();

  private Hub(
      Readiness readiness, HubOptions options, JsonLimits json, HubFeed feed, TenantStore tenants) {
    this.tenants = tenants;
    this.readiness = readiness;
    this.options = options;
    this.json = json;
    this.feed = feed;
  }

  /** That of the node; its first event loop makes it, and passes it to {@code made}. */
  static Hub of(
      Vertx vertx,
      Readiness readiness,
      HubOptions options,
      JsonLimits json,
      HubFeed.Reads reads,
      TenantStore tenants,
      Consumer<Hub> made) {
    return HUBS.computeIfAbsent(
        vertx,
        _ -> {
          var feed = new HubFeed(reads, options, System::nanoTime, RANDOM::nextDouble);
          var hub = new Hub(readiness, options, json, feed, tenants);
          made.accept(hub);
          vertx.setPeriodic(options.interval().toMillis(), _ -> hub.look());
          return hub;
        });
  }

  private void look() {
    feed.look();
    boolean leaving = readiness.isLeaving();
    sessions.forEach(session -> session.tick(leaving));
  }

  HubOptions options() {
    return options;
  }

  /** Fails when no connection can be opened now. */
  void requireRoom() {
    if (readiness.phase() == Readiness.Phase.STARTING) {
      throw new SkeinException(ErrorCode.NOT_READY, "This node is still starting");
    }
    if (readiness.isLeaving()) {
      throw new SkeinException(ErrorCode.NOT_READY, "This node stops: connect again, to another");
    }
    int max = options.limits().connectionsMax();
    if (sessions.size() >= max) {
      throw SkeinException.overloaded("hub.connections-max", max);
    }
  }

  /**
   * A new connection.
   *
   * @param context of the connection, on which this is called
   * @param scope whose instances the client may observe
   * @throws SkeinException {@code OVERLOADED} when there are too many
   */
  synchronized HubSession open(Context context, TenantScope scope, HubLink link) {
    requireRoom();
    var session = new HubSession(context, scope, link, this, options, json, System::nanoTime);
    sessions.add(session);
    return session;
  }

  @Override
  public Future<?> begin(HubSession session, InstanceId id) {
    var tenant = session.scope().tenant();
    return tenant == null
        ? feed.begin(session, id)
        : tenants
            .ownsAll(TenantStore.Kind.INSTANCE, List.of(id.value()), tenant)
            .compose(owned ->
                owned
                    ? feed.begin(session, id)
                    : Future.failedFuture(InstanceRefusals.instanceNotFound(id)));
  }

  @Override
  public void end(HubSession session, Set<InstanceId> ids) {
    feed.end(session, ids);
    if (session.isClosed()) {
      sessions.remove(session);
    }
  }

  /** One that takes what its client sends by requests of their own. */
  void add(HubChannel channel) {
    channels.put(channel.token(), channel);
  }

  void remove(HubChannel channel) {
    channels.remove(channel.token(), channel);
  }

  @Nullable HubChannel channel(String token) {
    return channels.get(token);
  }

  int connections() {
    return sessions.size();
  }

  /** Instances that clients observe here. */
  int observed() {
    return feed.observed();
  }
}
