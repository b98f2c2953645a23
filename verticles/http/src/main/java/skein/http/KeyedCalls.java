package skein.http;

import io.vertx.core.Future;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.codecs.JsonLimits;
import skein.codecs.JsonText;
import skein.ingress.Keys;
import skein.ingress.Once;
import skein.model.ErrorCode;
import skein.model.SkeinException;
import skein.storage.IdempotencyKeys.Written;
import skein.storage.TenantScope;

/**
 * Requests with an {@code Idempotency-Key}: each is executed once, and answered alike however often
 * it is sent. Without a key an action is called as it is.
 */
final class KeyedCalls {
  static final String REPLAYED = "Idempotent-Replayed";

  private final Keys keys;
  private final int keptBytesMax;

  /** {@code keptBytesMax}: larger answers are not kept. */
  KeyedCalls(Keys keys, int keptBytesMax) {
    this.keys = keys;
    this.keptBytesMax = keptBytesMax;
  }

  Future<Answer> answer(Call call, Action action) {
    return answer(call, action, call.scope(), true);
  }

  /**
   * The same of a request to a workflow: its key is one of the tenant whose workflows there are,
   * independent of the caller.
   */
  Future<Answer> answerOfSite(Call call, Action action) {
    return answer(call, action, call.siteScope(), true);
  }

  /** Keeps no answer: a repetition that comes after the first request has ended is a new one. */
  Future<Answer> answerOnly(Call call, Action action) {
    return answer(call, action, call.scope(), false);
  }

  private Future<Answer> answer(Call call, Action action, TenantScope scope, boolean keep) {
    var key = call.idempotencyKey();
    if (key == null) {
      return action.answer(call);
    }
    return keys.claim(ofTenant(key, scope), Fingerprint.of(call))
        .compose(verdict ->
            switch (verdict) {
              case Keys.Verdict.Execute(var claim) ->
                  execute(keep ? held(call, claim, claim) : call, action, claim, keep);
              case Keys.Verdict.Answered(var answer) ->
                  Future.succeededFuture(replayed(read(answer)));
              case Keys.Verdict.Committed(var reply) ->
                  attempt(call.with(new Once.Again(reply), () -> true), action)
                      .map(KeyedCalls::replayed);
              case Keys.Verdict.Continue(var claim, var from) ->
                  execute(held(call, from, claim), action, claim, keep).map(KeyedCalls::replayed);
            });
  }

  /** The same key of another tenant is another one. A key has no line breaks. */
  private static String ofTenant(String key, TenantScope scope) {
    var tenant = scope.owner();
    return tenant.isEmpty() ? key : tenant + "\n" + key;
  }

  private Future<Answer> execute(Call call, Action action, Once.Claimed claim, boolean keep) {
    return attempt(call, action)
        .otherwise(Problems::of)
        .compose(answer ->
            keep && isKept(answer)
                ? keys.keep(claim, written(repeated(answer, keptBytesMax)), answer.refusal())
                    .map(answer)
                    .otherwise(Problems::of)
                : keys.release(claim).map(answer));
  }

  /**
   * What a repetition is answered: the same, unless that has more bytes than are kept for a day;
   * what was done is not done again all the same.
   */
  static Answer repeated(Answer answer, int bytesMax) {
    int bytes = answer.body().length();
    if (bytes <= bytesMax) {
      return answer;
    }
    return Problems.of(
        new SkeinException(
            ErrorCode.TOO_LARGE,
            "The request with this key was done and answered with status %d; the answer, of %d bytes,"
                    .formatted(answer.status(), bytes)
                + " was too large to be kept (more than twice http.definition-bytes-max, "
                + bytesMax
                + "): read what it is about instead of repeating it"));
  }

  private Call held(Call call, Once how, Once.Claimed claim) {
    return call.with(how, () -> keys.isHeld(claim));
  }

  private static Future<Answer> attempt(Call call, Action action) {
    try {
      return action.answer(call);
    } catch (RuntimeException e) {
      return Future.failedFuture(e);
    }
  }

  private static boolean isKept(Answer answer) {
    return answer.flow() == null && Keys.isKept(answer.refusal());
  }

  private static Answer replayed(Answer answer) {
    return answer.with(REPLAYED, "true");
  }

  static Written written(Answer answer) {
    var head = new LinkedHashMap<String, @Nullable Object>();
    head.put("contentType", answer.contentType());
    head.put("headers", answer.headers());
    return new Written(answer.status(), JsonText.print(head), answer.body());
  }

  static Answer read(Written written) {
    var head = JsonText.parseObject(written.head(), JsonLimits.DEFAULT);
    var headers = new LinkedHashMap<String, String>();
    if (head.get("headers") instanceof Map<?, ?> given) {
      given.forEach((name, value) -> headers.put(String.valueOf(name), String.valueOf(value)));
    }
    var contentType = head.get("contentType") instanceof String type ? type : null;
    return new Answer(written.status(), headers, contentType, written.body());
  }
}
