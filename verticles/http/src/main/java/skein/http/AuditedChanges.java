package skein.http;

import io.vertx.core.Future;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import skein.storage.ChangeLog;

/** Puts a line into the audit log for each request to a route that says so ({@link AuditRule}). */
final class AuditedChanges {
  private static final Logger log = LoggerFactory.getLogger(AuditedChanges.class);

  private final ChangeLog lines;

  AuditedChanges(ChangeLog lines) {
    this.lines = lines;
  }

  /**
   * The action with its line; the action itself where the route writes none.
   *
   * @param rule of the route
   */
  Action audited(AuditRule rule, Action action) {
    return switch (rule) {
      case AuditRule.Line line -> call -> withLine(call, line, action);
      case AuditRule.NoLine _ -> action;
    };
  }

  private Future<Answer> withLine(Call call, AuditRule.Line line, Action action) {
    return lines
        .begin(line.action(), call.subject(), call.actor(), call.scope())
        .recover(e -> line.urgent() ? withoutLine(line.action(), e) : Future.failedFuture(e))
        .compose(id -> done(call, action).compose(answer -> ended(id, answer, call)));
  }

  private static Future<UUID> withoutLine(String change, Throwable e) {
    log.atWarn().addKeyValue("action", change).setCause(e).log("audit.lineMissing");
    return Future.succeededFuture(null);
  }

  private static Future<Answer> done(Call call, Action action) {
    try {
      return action.answer(call).otherwise(Problems::of);
    } catch (RuntimeException e) {
      return Future.succeededFuture(Problems.of(e));
    }
  }

  /**
   * A line that cannot be completed keeps its unknown outcome: the change is answered all the same.
   */
  private Future<Answer> ended(@Nullable UUID id, Answer answer, Call call) {
    if (id == null) {
      return Future.succeededFuture(answer);
    }
    var refusal = answer.refusal();
    return lines
        .end(id, refusal == null ? "ok" : refusal.name(), call.subject())
        .map(answer)
        .otherwise(answer);
  }
}
