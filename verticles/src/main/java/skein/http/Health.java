package skein.http;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import skein.cluster.Readiness;

/**
 * Whether this node lives, has started, and should be sent work. What readiness asks for is asked
 * at most once a second, however often readiness is. For one event loop.
 */
final class Health {
  private static final Duration TIMEOUT = Duration.ofSeconds(1);
  private static final Duration KEPT = Duration.ofSeconds(1);

  private final Readiness readiness;
  private final Map<String, Supplier<Future<?>>> checks;
  private @Nullable Future<List<Map<String, @Nullable Object>>> last;
  private long askedNanos;

  /**
   * {@code checks}: by name; each succeeds when all is well, with a text if there is something to
   * say, and fails with why it is not.
   */
  Health(Readiness readiness, Map<String, Supplier<Future<?>>> checks) {
    this.readiness = readiness;
    this.checks = checks;
  }

  void addTo(Routes routes) {
    routes
        .always("/health/live", _ -> live())
        .always("/health/started", _ -> started())
        .always("/health/startup", _ -> started())
        .always("/health/ready", _ -> ready());
  }

  /** That it answers is the answer; a database that is away is no reason to kill a node. */
  private Future<Answer> live() {
    return Future.succeededFuture(answer(true, List.of()));
  }

  private Future<Answer> started() {
    return Future.succeededFuture(answer(readiness.phase() != Readiness.Phase.STARTING, List.of()));
  }

  private Future<Answer> ready() {
    return asked()
        .map(found ->
            answer(
                readiness.isReady() && found.stream().allMatch(c -> "UP".equals(c.get("status"))),
                found));
  }

  private Future<List<Map<String, @Nullable Object>>> asked() {
    long now = System.nanoTime();
    if (last == null || now - askedNanos > KEPT.toNanos()) {
      askedNanos = now;
      last = ask();
    }
    return last;
  }

  private Future<List<Map<String, @Nullable Object>>> ask() {
    var answers = new ArrayList<Future<Map<String, @Nullable Object>>>();
    checks.forEach((name, check) ->
        answers.add(
            check
                .get()
                .timeout(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
                .map(said -> result(name, said instanceof String text ? text : null, true))
                .otherwise(e -> result(name, Problems.refusal(e).detail(), false))));
    return Future.join(answers).map(_ -> answers.stream().map(Future::result).toList());
  }

  private static Map<String, @Nullable Object> result(
      String name, @Nullable String detail, boolean up) {
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("name", name);
    json.put("status", up ? "UP" : "DOWN");
    if (detail != null) {
      json.put("detail", detail);
    }
    return json;
  }

  private Answer answer(boolean up, List<Map<String, @Nullable Object>> found) {
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("status", up ? "UP" : "DOWN");
    json.put("phase", readiness.phase().name());
    json.put("checks", found);
    return Answer.json(up ? 200 : 503, json).with("Cache-Control", "no-store");
  }
}
