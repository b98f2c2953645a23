package skein.graph;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import skein.activities.Json;
import skein.activities.Policy;
import skein.activities.RetryPolicy;
import skein.activities.RetryPolicy.Backoff;
import skein.expressions.ExpressionException;
import skein.expressions.Expressions;

/**
 * Reads what an activity's {@code customProperties} say about failing: {@code retry} (or Elsa's
 * {@code resilienceStrategy} in the same form), {@code timeout}, {@code onFault}, {@code
 * compensatedBy}.
 */
final class PolicyReader {
  private static final int ATTEMPTS_MAX = 1_000;

  /** A century, longer than any useful timeout or delay. */
  private static final Duration DURATION_MAX = Duration.ofDays(36_525);

  private static final String PROPERTIES = "/customProperties/";

  private PolicyReader() {}

  /**
   * @param problem takes a JSON Pointer within the activity, and what is wrong there
   */
  static Policy read(Map<String, @Nullable Object> json, BiConsumer<String, String> problem) {
    var custom = Json.object(json.get("customProperties"));
    if (custom == null || custom.isEmpty()) {
      return Policy.NONE;
    }
    return new Policy(
        retry(custom, problem),
        duration(custom, "timeout", finding -> problem.accept(PROPERTIES + "timeout", finding)),
        Json.text(custom, "onFault"),
        Json.text(custom, "compensatedBy"));
  }

  /** The ids that activities of a container give to those beside them. */
  static Set<String> detached(List<? extends @Nullable Object> siblings) {
    var ids = new HashSet<String>();
    for (var sibling : siblings) {
      var json = Json.object(sibling);
      var custom = json == null ? null : Json.object(json.get("customProperties"));
      if (custom != null) {
        ids.add(String.valueOf(Json.text(custom, "onFault")));
        ids.add(String.valueOf(Json.text(custom, "compensatedBy")));
      }
    }
    return ids;
  }

  static @Nullable Duration duration(
      Map<String, @Nullable Object> json, String member, Consumer<String> problem) {
    var value = json.get(member);
    if (value == null) {
      return null;
    }
    try {
      var duration = Expressions.duration(value);
      if (!duration.isPositive()) {
        problem.accept("\"" + member + "\" must be longer than nothing");
      } else if (duration.compareTo(DURATION_MAX) > 0) {
        problem.accept("\"" + member + "\" must be at most " + DURATION_MAX.toDays() + " days");
      } else {
        return duration;
      }
    } catch (ExpressionException e) {
      problem.accept("\"" + member + "\" is not a valid duration: " + e.getMessage());
    }
    return null;
  }

  private static @Nullable RetryPolicy retry(
      Map<String, @Nullable Object> custom, BiConsumer<String, String> problem) {
    var own = Json.object(custom.get("retry"));
    if (own != null) {
      return retry(
          own,
          number(own, "attempts", RetryPolicy.DEFAULT.attemptsMax()),
          finding -> problem.accept(PROPERTIES + "retry", finding));
    }
    var elsa = Json.object(custom.get("resilienceStrategy"));
    if (elsa == null) {
      return null;
    }
    // Elsa counts what comes after the first attempt.
    return retry(
        elsa,
        number(elsa, "maxRetryAttempts", 3) + 1,
        finding -> problem.accept(PROPERTIES + "resilienceStrategy", finding));
  }

  private static @Nullable RetryPolicy retry(
      Map<String, @Nullable Object> json, int attempts, Consumer<String> problem) {
    if (attempts < 1 || attempts > ATTEMPTS_MAX) {
      problem.accept("the number of attempts must be 1 to " + ATTEMPTS_MAX);
      return null;
    }
    var delay = duration(json, "delay", problem);
    var delayMax = duration(json, "maxDelay", problem);
    return new RetryPolicy(
        attempts,
        delay == null ? RetryPolicy.DEFAULT.delay() : delay,
        backoff(json, problem),
        delayMax == null ? RetryPolicy.DEFAULT.delayMax() : delayMax,
        !Boolean.FALSE.equals(json.getOrDefault("jitter", json.get("useJitter"))));
  }

  private static Backoff backoff(Map<String, @Nullable Object> json, Consumer<String> problem) {
    var name = Json.text(json, "backoff");
    if (name == null) {
      name = Json.text(json, "backoffType");
    }
    for (var backoff : Backoff.values()) {
      if (backoff.name().equalsIgnoreCase(name)) {
        return backoff;
      }
    }
    if (name != null) {
      problem.accept("\"" + name + "\" is not a valid backoff: Constant, Linear or Exponential");
    }
    return RetryPolicy.DEFAULT.backoff();
  }

  private static int number(Map<String, @Nullable Object> json, String member, int fallback) {
    return json.get(member) instanceof Number number ? number.intValue() : fallback;
  }
}
