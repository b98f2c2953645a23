package skein.node;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.WebSocket;
import io.vertx.core.http.WebSocketClient;
import io.vertx.core.http.WebSocketClientOptions;
import io.vertx.core.http.WebSocketConnectOptions;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Clients of the hub on several nodes, all on one event loop. Each observes an instance of its own,
 * which is resumed at the next node twice a second, connected or not. Where it is connected the
 * next resume waits for the message about the one before, so that each message belongs to one.
 */
final class HubObservers implements AutoCloseable {
  /** After so long a message is taken for lost. */
  private static final long LOST_MILLIS = 10_000;

  private static final long PERIOD_MILLIS = 500;

  /** The hub cuts off who says nothing. */
  private static final long PING_MILLIS = 10_000;

  private static final String END = "\u001e";
  private static final String HUB = "/elsa/hubs/workflow-instance";
  private static final String UPDATED = "WorkflowInstanceUpdatedAsync";

  private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
  private final List<URI> nodes;
  private final List<Observer> observers = new ArrayList<>();
  private final HttpClient http;
  private final WebSocketClient sockets;

  /** From the answer to a resume, which follows its commit, to the message about it. */
  final Queue<Double> lagMillis = new ConcurrentLinkedQueue<>();

  final Queue<String> failed = new ConcurrentLinkedQueue<>();
  final AtomicInteger resumed = new AtomicInteger();

  /** {@code instances}: one for each client, at its first of many bookmarks. */
  HubObservers(List<URI> nodes, List<String> instances) {
    this.nodes = List.copyOf(nodes);
    http =
        vertx.createHttpClient(
            new HttpClientOptions(), new PoolOptions().setHttp1MaxSize(instances.size()));
    sockets =
        vertx.createWebSocketClient(
            new WebSocketClientOptions().setMaxConnections(instances.size()));
    for (var instance : instances) {
      observers.add(new Observer(observers.size(), instance));
    }
    vertx.setPeriodic(PING_MILLIS, _ -> observers.forEach(Observer::ping));
    vertx.runOnContext(_ -> observers.forEach(Observer::resume));
  }

  /** All of them; ends when each is let in. */
  void connect() {
    for (var observer : observers) {
      observer.connect();
    }
    Eventually.isTrue(
        Duration.ofSeconds(20), () -> observers.stream().allMatch(observer -> observer.observing));
    lagMillis.clear();
  }

  void disconnect() {
    observers.forEach(Observer::disconnect);
    Eventually.isTrue(
        Duration.ofSeconds(20), () -> observers.stream().noneMatch(observer -> observer.observing));
  }

  /** Those that got a message since they were connected. */
  long served() {
    return observers.stream().filter(observer -> observer.messages.get() > 0).count();
  }

  @Override
  public void close() {
    vertx.close().await();
  }

  private URI node(int number) {
    return nodes.get(number % nodes.size());
  }

  /** Confined to the event loop, but for what {@link #connect} and {@link #served} look at. */
  private final class Observer {
    private final int number;
    private final String instance;
    private final AtomicInteger messages = new AtomicInteger();
    private volatile boolean observing;
    private @Nullable WebSocket socket;
    private long sentAt;
    private @Nullable Long answeredAt;
    private @Nullable Long toldAt;
    private boolean isDone = true;

    /** Grows with each resume: what belongs to an earlier one is dropped. */
    private int round;

    Observer(int number, String instance) {
      this.number = number;
      this.instance = instance;
    }

    void connect() {
      messages.set(0);
      var at = node(number);
      var options =
          new WebSocketConnectOptions()
              .setHost(at.getHost())
              .setPort(at.getPort())
              .setURI(HUB + "?id=observer-" + number);
      sockets
          .connect(options)
          .onFailure(e -> failed.add("connect: " + e))
          .onSuccess(made -> {
            socket = made;
            made.textMessageHandler(this::take);
            made.writeTextMessage("{\"protocol\":\"json\",\"version\":1}" + END);
            var observe =
                new JsonObject()
                    .put("type", 1)
                    .put("invocationId", "1")
                    .put("target", "ObserveInstanceAsync")
                    .put("arguments", List.of(instance));
            made.writeTextMessage(observe.encode() + END);
          });
    }

    void disconnect() {
      vertx.runOnContext(_ -> {
        observing = false;
        var open = socket;
        socket = null;
        if (open != null) {
          open.close();
        }
        settle();
      });
    }

    private void ping() {
      if (socket != null) {
        socket.writeTextMessage("{\"type\":6}" + END);
      }
    }

    private void take(String records) {
      for (var record : records.split(END, -1)) {
        if (record.length() > 2) {
          var message = new JsonObject(record);
          if ("1".equals(message.getString("invocationId"))) {
            observing = true;
          } else if (UPDATED.equals(message.getString("target"))) {
            messages.incrementAndGet();
            toldAt = System.nanoTime();
            settle();
          }
        }
      }
    }

    private void resume() {
      round++;
      int mine = round;
      isDone = false;
      answeredAt = null;
      toldAt = null;
      sentAt = System.nanoTime();
      var at = node(number + 1);
      http.request(
              HttpMethod.POST,
              at.getPort(),
              at.getHost(),
              "/elsa/api/workflow-instances/" + instance + "/resume")
          .compose(request -> request.putHeader("Content-Type", "application/json").send("{}"))
          .compose(this::answered)
          .onFailure(e -> {
            failed.add("resume: " + e);
            next();
          });
      vertx.setTimer(
          LOST_MILLIS,
          _ -> {
            if (!isDone && round == mine) {
              failed.add("no message to observer " + number + " about resume " + mine);
              next();
            }
          });
    }

    private Future<Void> answered(HttpClientResponse response) {
      answeredAt = System.nanoTime();
      if (response.statusCode() == 200) {
        resumed.incrementAndGet();
        settle();
      } else {
        failed.add("resume: " + response.statusCode());
        next();
      }
      return response.end();
    }

    /** Done when it is answered and announced, or answered where there are no observers. */
    private void settle() {
      var answered = answeredAt;
      var told = toldAt;
      if (isDone || answered == null || (observing && told == null)) {
        return;
      }
      if (observing && told != null) {
        lagMillis.add(Math.max(0, told - answered) / 1e6);
      }
      next();
    }

    private void next() {
      if (isDone) {
        return;
      }
      isDone = true;
      long took = (System.nanoTime() - sentAt) / 1_000_000;
      vertx.setTimer(Math.max(1, PERIOD_MILLIS - took), _ -> resume());
    }
  }
}
