package skein.http;

import io.vertx.core.json.JsonObject;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A client of server-sent events, over a connection of its own. */
final class EventStream implements AutoCloseable {
  private static final Event END = new Event("", "end", "{}");

  record Event(String id, String name, String data) {
    JsonObject json() {
      return new JsonObject(data);
    }
  }

  private final HttpClient client = HttpClient.newHttpClient();
  private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();

  /** {@code lastEventId}: null sends none. */
  EventStream(URI uri, @Nullable String lastEventId) throws IOException, InterruptedException {
    var request = HttpRequest.newBuilder(uri);
    if (lastEventId != null) {
      request.header("Last-Event-ID", lastEventId);
    }
    var response = client.send(request.build(), BodyHandlers.ofInputStream());
    if (response.statusCode() != 200) {
      throw new IOException("Answered " + response.statusCode());
    }
    var lines = new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8));
    Thread.startVirtualThread(() -> read(lines));
  }

  private void read(BufferedReader lines) {
    var id = "";
    var name = "";
    var data = "";
    try {
      for (var line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.isEmpty()) {
          if (!data.isEmpty()) {
            events.add(new Event(id, name, data));
          }
          data = "";
        } else if (line.startsWith("id: ")) {
          id = line.substring(4);
        } else if (line.startsWith("event: ")) {
          name = line.substring(7);
        } else if (line.startsWith("data: ")) {
          data = line.substring(6);
        }
      }
    } catch (IOException e) {
      // The end of the stream, too.
    }
    events.add(END);
  }

  /** The next one within ten seconds. */
  Event next() throws InterruptedException {
    var event = events.poll(10, TimeUnit.SECONDS);
    if (event == null) {
      throw new AssertionError("No event within ten seconds");
    }
    return event;
  }

  /** Null when none comes in this time. */
  @Nullable Event within(Duration time) throws InterruptedException {
    return events.poll(time.toMillis(), TimeUnit.MILLISECONDS);
  }

  static boolean isEnd(Event event) {
    return event.equals(END);
  }

  @Override
  public void close() {
    client.shutdownNow();
  }
}
