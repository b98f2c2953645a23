package skein.http;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import skein.definitions.DefinitionCache;
import skein.definitions.EndpointTable.Match;
import skein.expressions.ExpressionException;
import skein.expressions.Expressions;
import skein.graph.Graph;
import skein.messages.Reply;
import skein.model.ErrorCode;
import skein.model.SkeinException;

/**
 * How long a request that starts a workflow is waited for, where its endpoint says so literally.
 * The workflow goes on; only who asked is told that it takes longer.
 */
final class EndpointTimeouts {
  private final DefinitionCache definitions;

  EndpointTimeouts(DefinitionCache definitions) {
    this.definitions = definitions;
  }

  Future<Reply.Done> limit(Match match, Future<Reply.Done> answer) {
    return definitions
        .version(match.definition().versionId())
        .compose(graph -> {
          var timeout = graph == null ? null : timeout(graph, match.activityId());
          return timeout == null
              ? answer
              : answer
                  .timeout(timeout.toMillis(), TimeUnit.MILLISECONDS)
                  .recover(e ->
                      Future.failedFuture(e instanceof TimeoutException ? tooLate(timeout) : e));
        });
  }

  private static SkeinException tooLate(Duration timeout) {
    return new SkeinException(
        ErrorCode.TIMEOUT, "The workflow has no answer after " + timeout + "; it goes on");
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
      return timeout.toMillis() > 0 ? timeout : null;
    } catch (ExpressionException e) {
      return null; // The activity says so when it evaluates it.
    }
  }
}
