package skein.http;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import skein.cluster.Readiness;

/**
 * Whether this node lives, has started, and should be sent work. What readiness asks for is asked
 * at most once a second, however often readiness is, and answered with what was found last while
 * that is young: a balancer gets its answer at once, and a node is unready {@link #KEPT} and {@link
 * #TIMEOUT} after something went away. For one event loop.
 */
final class Health {
  private static final Duration TIMEOUT = Duration.ofMillis(2_500);
  private static final Duration KEPT = Duration.ofSeconds(1);

  private final Readiness readiness;
  private final Map<String, Supplier<Future<?>>> checks;
  private @Nullable Found last;
  private @Nullable Future<Found> asking;

  private record Found(List<Map<String, @Nullable Object>> checks, long nanos) {
    boolean isYounger(Duration age) {
      return System.nanoTime() - nanos < age.toNanos();
    }

    boolean areUp() {
      return checks.stream().allMatch(check -> "UP".equals(check.get("status")));
    }
  }

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
    return found().map(found -> answer(readiness.isReady() && found.areUp(), found.checks()));
  }

  private Future<Found> found() {
    var known = last;
    if (known != null && known.isYounger(KEPT)) {
      return Future.succeededFuture(known);
    }
    var asked = asking;
    if (asked == null) {
      asked = ask();
      asking = asked.isComplete() ? null : asked;
    }
    return known != null && known.isYounger(KEPT.plus(TIMEOUT))
        ? Future.succeededFuture(known)
        : asked;
  }

  private Future<Found> ask() {
    var answers = new ArrayList<Future<Map<String, @Nullable Object>>>();
    checks.forEach((name, check) ->
        answers.add(
            check
                .get()
                .timeout(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
                .map(said -> result(name, said instanceof String text ? text : null, true))
                .otherwise(e -> result(name, why(e), false))));
    return Future.join(answers)
        .map(_ -> {
          var found = new Found(answers.stream().map(Future::result).toList(), System.nanoTime());
          last = found;
          asking = null;
          return found;
        });
  }

  private static String why(Throwable e) {
    return e instanceof TimeoutException
        ? "No answer within " + TIMEOUT.toMillis() + " ms"
        : Problems.refusal(e).detail();
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
