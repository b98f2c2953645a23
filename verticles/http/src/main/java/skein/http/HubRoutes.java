package skein.http;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.model.ErrorCode;
import skein.model.SkeinException;
import skein.openapi.Body;
import skein.openapi.Operation;
import skein.openapi.Parameter;
import skein.openapi.Shape;
import skein.openapi.Tag;
import skein.storage.TenantScope;

/**
 * The hub of Elsa's clients, in SignalR's JSON protocol: negotiation, and the transports by
 * server-sent events and by long polling, whose requests may come to any node. {@link HubSockets}
 * has the third.
 *
 * @see <a
 *     href="https://github.com/dotnet/aspnetcore/blob/main/src/SignalR/docs/specs/TransportProtocols.md">SignalR:
 *     the transports</a>
 */
final class HubRoutes {
  static final String BASE = "/elsa/hubs/";
  static final String PATH = BASE + "workflow-instance";
  static final String TOKEN_PARAMETER = "access_token";

  private static final String EVENTS = "text/event-stream";
  private static final Parameter ID =
      Parameter.query("id", Shape.TEXT, "The token of the connection, as the negotiation has it");
  private static final Parameter TOKEN =
      Parameter.query(
          TOKEN_PARAMETER, Shape.TEXT, "Instead of Authorization, where that cannot be sent");

  private static final List<Map<String, Object>> TRANSPORTS =
      List.of(
          transport("WebSockets", "Text"),
          transport("ServerSentEvents", "Text"),
          transport("LongPolling", "Text"));

  private final Hub hub;
  private final HubPeers peers;
  private final InstantSource clock;

  HubRoutes(Hub hub, HubPeers peers, InstantSource clock) {
    this.hub = hub;
    this.peers = peers;
    this.clock = clock;
  }

  private static Map<String, Object> transport(String name, String format) {
    return Map.of("transport", name, "transferFormats", List.of(format));
  }

  /** Requests that may take as long as a connection. */
  static boolean isConnection(HttpMethod method, @Nullable String path) {
    return method.equals(HttpMethod.GET) && PATH.equals(path);
  }

  void addTo(Routes routes) {
    routes
        .on(
            HttpMethod.POST,
            PATH + "/negotiate",
            Operation.of(Tag.HUB, "negotiateHub", "Says how a client may connect to the hub")
                .takes(
                    Parameter.query(
                        "negotiateVersion", Shape.INTEGER, "The newest version the client knows"),
                    TOKEN)
                .answers(
                    Shape.object()
                        .has("negotiateVersion", Shape.INTEGER)
                        .has("connectionId", Shape.TEXT)
                        .may("connectionToken", Shape.TEXT)
                        .has(
                            "availableTransports",
                            Shape.listOf(
                                Shape.object()
                                    .has("transport", Shape.TEXT)
                                    .has("transferFormats", Shape.listOf(Shape.TEXT)))))
                .fails(ErrorCode.OVERLOADED, ErrorCode.NOT_READY),
            this::negotiate)
        .on(
            HttpMethod.GET,
            PATH,
            Operation.of(
                    Tag.HUB,
                    "connectHub",
                    "Connects to the hub: by WebSocket, as server-sent events, or by long polling")
                .takes(ID, TOKEN)
                .answersWith(EVENTS, "Events, each with messages of the hub")
                .answersNothing(204, "The connection has ended")
                .fails(ErrorCode.NOT_FOUND, ErrorCode.OVERLOADED, ErrorCode.NOT_READY),
            this::connect)
        .on(
            HttpMethod.POST,
            PATH,
            Operation.of(Tag.HUB, "sendToHub", "Sends messages to the hub")
                .takes(ID, TOKEN)
                .with(new Body("text/plain", Shape.TEXT, true))
                .answersNothing(200, "They have been acted upon")
                .fails(ErrorCode.NOT_FOUND, ErrorCode.OVERLOADED),
            call -> forOne(call, HubPeers.Act.SEND, text(call), 200))
        .on(
            HttpMethod.DELETE,
            PATH,
            Operation.of(Tag.HUB, "disconnectHub", "Ends a connection to the hub")
                .takes(ID, TOKEN)
                .answersNothing(202, "It has ended")
                .fails(ErrorCode.NOT_FOUND),
            call -> forOne(call, HubPeers.Act.END, "", 202));
  }

  private Future<Answer> negotiate(Call call) {
    hub.requireRoom();
    var token = HubToken.make(clock.millis());
    var version = call.queryFields().text("negotiateVersion");
    var json = new LinkedHashMap<String, @Nullable Object>();
    if (version == null || version.equals("0")) {
      json.put("negotiateVersion", 0L);
      json.put("connectionId", token);
    } else {
      json.put("negotiateVersion", 1L);
      json.put("connectionId", HubToken.secret());
      json.put("connectionToken", token);
    }
    json.put("availableTransports", TRANSPORTS);
    return Future.succeededFuture(Answer.ok(json));
  }

  /** Messages of several turns may come together. */
  private String text(Call call) {
    int max = 4 * hub.options().limits().messageBytesMax();
    if (call.bytes().length > max) {
      throw new SkeinException(
          ErrorCode.TOO_LARGE,
          "The body has more than 4 times hub.message-bytes-max (%d) bytes: send fewer messages"
              .formatted(max));
    }
    return new String(call.bytes(), StandardCharsets.UTF_8);
  }

  private static String token(Call call) {
    return call.queryFields().required("id");
  }

  /** The caller who opens a connection, where callers are authenticated; only they may use it. */
  private static String owner(Call call) {
    return call.caller().label();
  }

  /** The caller who opens a connection, and the tenant whose instances they may observe. */
  private record Client(String owner, TenantScope scope) {
    static Client of(Call call) {
      return new Client(HubRoutes.owner(call), call.scope());
    }
  }

  private Future<Answer> forOne(Call call, HubPeers.Act act, String text, int status) {
    return peers
        .act(new HubPeers.Request(act, token(call), owner(call), text), Duration.ZERO)
        .map(outcome -> {
          if (outcome == null) {
            throw unknown();
          }
          return Answer.empty(status);
        });
  }

  private static SkeinException unknown() {
    return new SkeinException(
        ErrorCode.NOT_FOUND, "No node has this connection: negotiate and connect again");
  }

  private Future<Answer> connect(Call call) {
    var token = token(call);
    var accept = call.header("Accept");
    return accept != null && accept.contains(EVENTS) ? stream(call, token) : poll(call, token);
  }

  private void requireNew(String token) {
    if (!HubToken.isNew(token, clock.millis(), hub.options().times().handshake())) {
      throw unknown();
    }
  }

  private Future<Answer> stream(Call call, String token) {
    requireNew(token);
    hub.requireRoom();
    if (hub.channel(token) != null) {
      throw new SkeinException(
          ErrorCode.INVALID_REQUEST,
          "This connection is open already: negotiate again to open another");
    }
    var client = Client.of(call);
    return Future.succeededFuture(
        Answer.flowing(EVENTS, response -> stream(response, token, client))
            .with("X-Accel-Buffering", "no"));
  }

  private Future<Void> stream(HttpServerResponse response, String token, Client client) {
    var context = current();
    var link = new HubStream(response);
    HubSession session;
    try {
      session = hub.open(context, client.scope(), link);
    } catch (SkeinException e) { // since it was asked for
      return Future.failedFuture(e);
    }
    var channel = new HubChannel(token, client.owner(), context, session, null);
    hub.add(channel);
    return link.open(session::flush)
        .onComplete(_ -> {
          session.closed();
          hub.remove(channel);
        });
  }

  private static Context current() {
    var context = Vertx.currentContext();
    if (context == null) {
      throw new IllegalStateException("Not on an event loop");
    }
    return context;
  }

  private Future<Answer> poll(Call call, String token) {
    var client = Client.of(call);
    var request = new HubPeers.Request(HubPeers.Act.POLL, token, client.owner(), "");
    var times = hub.options().times();
    long wait = Math.min(times.poll().toMillis(), Math.max(1, times.client().toMillis() / 2));
    return peers
        .act(request, Duration.ofMillis(wait))
        .compose(outcome -> {
          if (outcome == null) {
            requireNew(token);
            return open(token, client);
          }
          return Future.succeededFuture(outcome);
        })
        .map(outcome -> answer(outcome.text()));
  }

  /** The first request of a client only opens the connection. */
  private Future<HubPeers.Outcome> open(String token, Client client) {
    var context = current();
    var made = new HubChannel[1];
    var polls =
        new HubPolls(
            context.owner(),
            hub.options().times().client(),
            () -> {
              if (made[0] != null) {
                hub.remove(made[0]);
              }
            });
    var session = hub.open(context, client.scope(), polls);
    made[0] = new HubChannel(token, client.owner(), context, session, polls);
    hub.add(made[0]);
    return polls.poll(Duration.ZERO).map(HubPeers.Outcome::new);
  }

  private static Answer answer(@Nullable String text) {
    return text == null
        ? Answer.empty(204)
        : new Answer(200, Map.of(), "text/plain; charset=utf-8", Buffer.buffer(text));
  }
}
