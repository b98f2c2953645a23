package skein.node;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Measures resumes over HTTP: {@code Load 4000 http://127.0.0.1:5001 http://127.0.0.1:5002}. Starts
 * that many waiting instances, then resumes each once, with 16 and with 128 callers; prints one
 * line of JSON. To be run by hand against nodes that are there.
 */
public final class Load {
  private static final int[] CALLERS = {16, 128};
  private static final String DEFINITION = "load-approval";

  private final HttpClient client;
  private final List<URI> bases;

  private Load(HttpClient client, List<URI> bases) {
    this.client = client;
    this.bases = bases;
  }

  /** The first argument is the number of instances, the others are base URLs. */
  public static void main(String[] arguments) {
    int instances = Integer.parseInt(arguments[0]);
    var bases = Arrays.stream(arguments).skip(1).map(URI::create).toList();
    var vertx = Vertx.vertx();
    var pool = new PoolOptions().setHttp1MaxSize(256);
    var load = new Load(vertx.createHttpClient(new HttpClientOptions(), pool), bases);
    try {
      System.out.println(load.measure(instances).encode());
    } finally {
      vertx.close().await();
    }
  }

  private JsonObject measure(int instances) {
    publish();
    var runs = new JsonArray();
    for (int callers : CALLERS) {
      resumeAll(instances / 4, callers); // the first requests warm the nodes up
      runs.add(resumeAll(instances, callers));
    }
    return new JsonObject().put("nodes", bases.size()).put("runs", runs);
  }

  private void publish() {
    var body = new JsonObject().put("model", Workflows.approval(DEFINITION)).put("publish", true);
    post(0, "/elsa/api/workflow-definitions", body.toBuffer()).await();
  }

  private JsonObject resumeAll(int instances, int callers) {
    var ids = new ConcurrentLinkedQueue<String>();
    var start = new JsonObject().put("definitionId", DEFINITION).toBuffer();
    long startsSince = System.nanoTime();
    each(
        instances,
        64,
        number ->
            post(number, "/elsa/api/workflow-instances", start)
                .onSuccess(body -> ids.add(body.toJsonObject().getString("id"))));
    double startSeconds = Measured.seconds(startsSince);

    var nanos = new long[instances];
    long since = System.nanoTime();
    each(
        instances,
        callers,
        number -> {
          long asked = System.nanoTime();
          var path = "/elsa/api/workflow-instances/" + next(ids) + "/resume";
          return post(number, path, Buffer.buffer())
              .onSuccess(_ -> nanos[number] = System.nanoTime() - asked);
        });
    double seconds = Measured.seconds(since);
    Arrays.sort(nanos);
    return new JsonObject()
        .put("callers", callers)
        .put("instances", instances)
        .put("startsPerSecond", Math.round(instances / startSeconds))
        .put("resumesPerSecond", Math.round(instances / seconds))
        .put("p50Ms", millis(nanos[instances / 2]))
        .put("p99Ms", millis(nanos[(int) (instances * 0.99)]))
        .put("maxMs", millis(nanos[instances - 1]));
  }

  private static String next(Queue<String> ids) {
    var id = ids.poll();
    if (id == null) {
      throw new IllegalStateException("More resumes than instances");
    }
    return id;
  }

  private static double millis(long nanos) {
    return Math.round(nanos / 10_000.0) / 100.0;
  }

  private interface Call {
    Future<?> make(int number);
  }

  /** Makes all calls, as many at a time as there are callers. */
  private static void each(int count, int callers, Call call) {
    var numbers = new AtomicInteger();
    var running = new ArrayList<Future<?>>();
    for (int i = 0; i < callers; i++) {
      running.add(chain(numbers, count, call));
    }
    Future.all(running).await();
  }

  private static Future<?> chain(AtomicInteger numbers, int count, Call call) {
    int number = numbers.getAndIncrement();
    return number >= count
        ? Future.succeededFuture()
        : call.make(number).compose(_ -> chain(numbers, count, call));
  }

  /** Fails unless the answer is a success. */
  private Future<Buffer> post(int number, String path, Buffer body) {
    var base = bases.get(Math.floorMod(number, bases.size()));
    var options =
        new RequestOptions()
            .setMethod(HttpMethod.POST)
            .setHost(base.getHost())
            .setPort(base.getPort())
            .setURI(path);
    if (body.length() > 0) {
      options.putHeader("Content-Type", "application/json");
    }
    return client
        .request(options)
        .compose(request -> request.send(body))
        .compose(response ->
            response
                .body()
                .compose(answer ->
                    response.statusCode() < 300
                        ? Future.succeededFuture(answer)
                        : Future.failedFuture(
                            path + " answered " + response.statusCode() + ": " + answer)));
  }
}
