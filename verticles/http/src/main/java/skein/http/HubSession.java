package skein.http;

import io.vertx.core.Context;
import io.vertx.core.Future;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import skein.codecs.JsonLimits;
import skein.http.HubLink.Ending;
import skein.model.ErrorCode;
import skein.model.InstanceId;
import skein.model.SkeinException;
import skein.storage.TenantScope;

/**
 * One client of the hub: handshake, then messages in both directions, until one of them closes. Of
 * updates that the client is too slow for only the newest of each instance is kept. Confined to the
 * event loop of its connection, but for {@link #offer} and {@link #tick}.
 */
final class HubSession {
  private static final String OBSERVE = "ObserveInstanceAsync";
  private static final int NAME_CHARS_MAX = 100;

  private enum Phase {
    HANDSHAKE,
    OPEN,
    CLOSED
  }

  /** Lets clients observe instances. */
  interface Observing {
    /** Fails when there is no such instance, or it is of another tenant than the session. */
    Future<?> begin(HubSession session, InstanceId id);

    /** Ends the session's observation of these instances. */
    void end(HubSession session, Set<InstanceId> ids);
  }

  private final Context context;
  private final TenantScope scope;
  private final HubLink link;
  private final Observing observing;
  private final HubOptions options;
  private final JsonLimits json;
  private final LongSupplier nanos;
  private final HubRecords records;
  private final Set<InstanceId> observed = new HashSet<>();
  private final Map<HubUpdate.Key, HubUpdate> pending = new LinkedHashMap<>();
  private final long openedNanos;
  private volatile Phase phase = Phase.HANDSHAKE;
  private long heardNanos;
  private long wroteNanos;

  /**
   * @param scope whose instances the client may observe
   * @param nanos a clock that only grows
   */
  HubSession(
      Context context,
      TenantScope scope,
      HubLink link,
      Observing observing,
      HubOptions options,
      JsonLimits json,
      LongSupplier nanos) {
    this.context = context;
    this.scope = scope;
    this.link = link;
    this.observing = observing;
    this.options = options;
    this.json = json;
    this.nanos = nanos;
    this.records = new HubRecords(options.limits().messageBytesMax());
    this.openedNanos = nanos.getAsLong();
    this.heardNanos = openedNanos;
    this.wroteNanos = openedNanos;
  }

  /** The tenant whose instances the client may observe. */
  TenantScope scope() {
    return scope;
  }

  boolean isClosed() {
    return phase == Phase.CLOSED;
  }

  /** A sign of life other than a message, as a request of the long polling transport is one. */
  void heard() {
    heardNanos = nanos.getAsLong();
  }

  /** Whether the client should take what it was sent before it sends more. */
  boolean isFull() {
    return link.isFull();
  }

  /** Handles the input of the client; completes when all of it has been handled. Never fails. */
  Future<Void> received(String text) {
    Future<Void> done = Future.succeededFuture();
    if (phase == Phase.CLOSED) {
      return done;
    }
    heard();
    try {
      for (var record : records.add(text)) {
        done = done.isComplete() ? act(record) : done.compose(_ -> act(record));
      }
    } catch (SkeinException e) {
      refuse(e);
    }
    return done;
  }

  private Future<Void> act(String record) {
    try {
      return switch (phase) {
        case HANDSHAKE -> handshake(record);
        case OPEN -> answer(HubMessage.parse(record, json));
        case CLOSED -> Future.succeededFuture();
      };
    } catch (SkeinException e) {
      refuse(e);
      return Future.succeededFuture();
    }
  }

  private Future<Void> handshake(String record) {
    try {
      HubMessage.handshake(record, json);
      phase = Phase.OPEN;
      write(HubMessage.accepted());
    } catch (SkeinException e) {
      write(HubMessage.rejected(text(e)));
      end(Ending.PROTOCOL);
    }
    return Future.succeededFuture();
  }

  /** The protocol is of text. */
  void refuseBinary() {
    refuse(new SkeinException(ErrorCode.INVALID_REQUEST, "The protocol is json, sent as text"));
  }

  private void refuse(SkeinException e) {
    if (phase == Phase.HANDSHAKE) {
      write(HubMessage.rejected(text(e)));
      end(Ending.PROTOCOL);
    } else {
      close(text(e), false, Ending.PROTOCOL);
    }
  }

  private static String text(SkeinException e) {
    return e.code() + ": " + e.getMessage();
  }

  private Future<Void> answer(HubMessage message) {
    switch (message) {
      case HubMessage.Invocation invocation -> {
        return invoke(invocation);
      }
      case HubMessage.StreamInvocation(var id) ->
          write(HubMessage.completion(id, "INVALID_REQUEST: The hub has no streams"));
      case HubMessage.Close _ -> end(Ending.CLIENT);
      case HubMessage.Ping _, HubMessage.Other _ -> {}
    }
    return Future.succeededFuture();
  }

  private Future<Void> invoke(HubMessage.Invocation invocation) {
    return call(invocation)
        .transform(done -> {
          if (invocation.id() != null && phase == Phase.OPEN) {
            write(HubMessage.completion(invocation.id(), error(done.cause())));
          }
          return Future.succeededFuture();
        });
  }

  private static @Nullable String error(@Nullable Throwable cause) {
    if (cause == null) {
      return null;
    }
    var refused = Problems.refusal(cause);
    return refused.code() + ": " + refused.detail();
  }

  private Future<?> call(HubMessage.Invocation invocation) {
    if (!invocation.target().equalsIgnoreCase(OBSERVE)) {
      return invalid("The hub has no method " + shortened(invocation.target()));
    }
    if (invocation.arguments().size() != 1
        || !(invocation.arguments().getFirst() instanceof String text)) {
      return invalid(OBSERVE + " takes the id of an instance");
    }
    InstanceId id;
    try {
      id = new InstanceId(text);
    } catch (SkeinException e) {
      return Future.failedFuture(e);
    }
    if (observed.contains(id)) {
      return Future.succeededFuture();
    }
    if (observed.size() >= options.limits().instancesMax()) {
      return Future.failedFuture(
          SkeinException.overloaded("hub.instances-max", options.limits().instancesMax()));
    }
    observed.add(id);
    return observing
        .begin(this, id)
        .onFailure(_ -> observed.remove(id))
        .onSuccess(_ -> {
          if (isClosed()) {
            observing.end(this, Set.of(id));
          }
        });
  }

  private static String shortened(String name) {
    return name.substring(0, Math.min(name.length(), NAME_CHARS_MAX));
  }

  private static Future<?> invalid(String why) {
    return Future.failedFuture(new SkeinException(ErrorCode.INVALID_REQUEST, why));
  }

  /** From any thread. */
  void offer(HubUpdate update) {
    context.runOnContext(_ -> {
      if (phase == Phase.OPEN) {
        pending.put(update.key(), update);
        flush();
      }
    });
  }

  /** The link may be ready again. */
  void flush() {
    if (pending.isEmpty() || phase != Phase.OPEN || !link.isReady()) {
      return;
    }
    var text = new StringBuilder();
    pending.values().forEach(update -> text.append(update.text()));
    pending.clear();
    write(text.toString());
  }

  private void write(String text) {
    if (phase != Phase.CLOSED) {
      wroteNanos = nanos.getAsLong();
      link.write(text);
    }
  }

  /**
   * From any thread, several times a second.
   *
   * @param leaving whether the node stops
   */
  void tick(boolean leaving) {
    context.runOnContext(_ -> check(leaving));
  }

  private void check(boolean leaving) {
    if (phase == Phase.CLOSED) {
      return;
    }
    var times = options.times();
    long now = nanos.getAsLong();
    if (leaving) {
      close("NOT_READY: This node stops", true, Ending.AWAY);
    } else if (now - openedNanos > times.connection().toNanos()) {
      close("TIMEOUT: hub.connection-max is over", true, Ending.AWAY);
    } else if (phase == Phase.HANDSHAKE && now - openedNanos > times.handshake().toNanos()) {
      write(HubMessage.rejected("TIMEOUT: No handshake within hub.handshake-timeout"));
      end(Ending.SILENT);
    } else if (now - heardNanos > times.client().toNanos()) {
      close("TIMEOUT: No message within hub.client-timeout", true, Ending.SILENT);
    } else if (!link.isReady()) {
      if (now - wroteNanos > times.client().toNanos()) {
        close("TIMEOUT: Nothing was taken within hub.client-timeout", true, Ending.SILENT);
      }
    } else if (!pending.isEmpty()) {
      flush();
    } else if (phase == Phase.OPEN && now - wroteNanos > times.keepAlive().toNanos()) {
      write(HubMessage.ping());
    }
  }

  private void close(String why, boolean reconnect, Ending ending) {
    write(HubMessage.close(why, reconnect));
    end(ending);
  }

  private void end(Ending ending) {
    if (phase != Phase.CLOSED) {
      closed();
      link.end(ending);
    }
  }

  /** The client has disconnected. */
  void closed() {
    if (phase == Phase.CLOSED) {
      return;
    }
    phase = Phase.CLOSED;
    pending.clear();
    observing.end(this, Set.copyOf(observed));
    observed.clear();
  }
}
