package skein.http;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import skein.cluster.CallersContext;
import skein.definitions.EndpointTable.Match;
import skein.definitions.Graphs;
import skein.expressions.ExpressionException;
import skein.expressions.Expressions;
import skein.graph.Graph;
import skein.messages.Reply;
import skein.model.ErrorCode;

/**
 * How long a request that starts a workflow is waited for, where its endpoint says so literally.
 * The workflow continues; only the caller is told that it takes longer.
 */
final class EndpointTimeouts {
  /** Longer than any useful wait for an answer. */
  private static final Duration TIMEOUT_MAX = Duration.ofDays(365);

  private final Graphs definitions;

  EndpointTimeouts(Graphs definitions) {
    this.definitions = definitions;
  }

  /**
   * {@code start}: called at once where the definition is known; not at all when it cannot be
   * looked up, so that a failure of that means that nothing was started.
   */
  Future<Reply.Done> limit(Match match, Supplier<Future<Reply.Done>> start) {
    return CallersContext.of(definitions.version(match.definition().versionId()))
        .compose(graph -> {
          var timeout = graph == null ? null : timeout(graph, match.activityId());
          return timeout == null
              ? start.get()
              : start
                  .get()
                  .timeout(Math.max(1, timeout.toMillis()), TimeUnit.MILLISECONDS)
                  .recover(e ->
                      Future.failedFuture(
                          e instanceof TimeoutException ? new ExpiredException(timeout) : e));
        });
  }

  /** 408, as in Elsa; 504 is for answers of the cluster that are late. */
  static Future<Answer> toldOf(Throwable failure) {
    return failure instanceof ExpiredException expired
        ? Future.succeededFuture(
            Problems.of(
                new Reply.Refused(ErrorCode.TIMEOUT, expired.detail, List.of()), 408, Map.of()))
        : Future.failedFuture(failure);
  }

  /** The time that the endpoint grants is over. */
  private static final class ExpiredException extends RuntimeException {
    private final String detail;

    ExpiredException(Duration timeout) {
      this.detail = "The workflow has no answer after " + timeout + "; it continues";
    }

    @Override
    public String getMessage() {
      return detail;
    }
  }

  private static @Nullable Duration timeout(Graph graph, String activityId) {
    for (var node : graph.nodes()) {
      if (node.id().equals(activityId)
          && node.raw("requestTimeout") instanceof Map<?, ?> input
          && input.get("expression") instanceof Map<?, ?> expression
          && "Literal".equals(expression.get("type"))
          && expression.get("value") != null) {
        return positive(expression.get("value"));
      }
    }
    return null;
  }

  private static @Nullable Duration positive(@Nullable Object value) {
    try {
      var timeout = value == null ? Duration.ZERO : Expressions.duration(value);
      return timeout.isPositive() && timeout.compareTo(TIMEOUT_MAX) <= 0 ? timeout : null;
    } catch (ExpressionException e) {
      return null; // The activity says so when it evaluates it.
    }
  }
}
