package skein.http;

import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A client of the hub by WebSocket that shows each message. */
final class HubClient implements WebSocket.Listener, AutoCloseable {
  /** Stands for the end of the connection; {@code code} is that of the closing frame. */
  static final String CLOSED = "closed";

  private static final HttpClient HTTP = HttpClient.newHttpClient();

  private final BlockingQueue<JsonObject> messages = new LinkedBlockingQueue<>();
  private final StringBuilder begun = new StringBuilder();
  private final WebSocket socket;

  HubClient(URI uri) {
    var at = URI.create(uri.toString().replaceFirst("^http", "ws"));
    socket = HTTP.newWebSocketBuilder().buildAsync(at, this).join();
  }

  /** Has shaken hands. */
  static HubClient open(URI uri) throws InterruptedException {
    var client = new HubClient(uri);
    client.send("{\"protocol\":\"json\",\"version\":1}");
    if (!client.next().isEmpty()) {
      throw new IllegalStateException("No handshake");
    }
    return client;
  }

  /** {@code record}: ' may stand for ". */
  void send(String record) {
    socket.sendText(record.replace('\'', '"') + HubMessage.END, true).join();
  }

  void sendRaw(String text) {
    socket.sendText(text, true).join();
  }

  void observe(String instance) {
    send(
        "{'type':1,'invocationId':'1','target':'ObserveInstanceAsync','arguments':['"
            + instance
            + "']}");
  }

  @Override
  public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
    for (int i = 0; i < data.length(); i++) {
      if (data.charAt(i) == HubMessage.END) {
        messages.add(new JsonObject(begun.toString()));
        begun.setLength(0);
      } else {
        begun.append(data.charAt(i));
      }
    }
    from.request(1);
    return null;
  }

  @Override
  public @Nullable CompletionStage<?> onClose(WebSocket from, int status, String reason) {
    messages.add(new JsonObject().put(CLOSED, status).put("reason", reason));
    return null;
  }

  @Override
  public void onError(WebSocket from, Throwable error) {
    messages.add(new JsonObject().put(CLOSED, 0).put("reason", error.toString()));
  }

  JsonObject next() throws InterruptedException {
    var next = messages.poll(10, TimeUnit.SECONDS);
    if (next == null) {
      throw new AssertionError("No message within 10 s");
    }
    return next;
  }

  /** The first of this type or target; what comes before is dropped. */
  JsonObject next(String target) throws InterruptedException {
    while (true) {
      var next = next();
      if (target.equals(next.getString("target"))
          || target.equals(String.valueOf(next.getValue("type")))
          || next.containsKey(target)) {
        return next;
      }
      if (next.containsKey(CLOSED)) {
        throw new AssertionError("Closed: " + next);
      }
    }
  }

  @Nullable JsonObject within(long millis) throws InterruptedException {
    return messages.poll(millis, TimeUnit.MILLISECONDS);
  }

  @Override
  public void close() {
    socket.abort();
  }
}
