package skein.http;

import io.vertx.core.Future;
import io.vertx.core.http.HttpMethod;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.codecs.RequestRules;
import skein.codecs.StorableText;
import skein.ingress.Ingress;
import skein.messages.Reply;
import skein.messages.Request;
import skein.model.ErrorCode;
import skein.model.SkeinException;

/**
 * Resume links. GET and HEAD show a page and change nothing, so that whoever looks at a link cannot
 * use it up; POST uses it up. Nothing here may be kept by a cache or passed on as a referrer.
 */
final class ResumeRoutes {
  static final String PATH = "/workflows/resume/";

  private final Ingress ingress;

  ResumeRoutes(Ingress ingress) {
    this.ingress = ingress;
  }

  void addTo(Routes routes) {
    routes
        .on(HttpMethod.GET, PATH + ":token", _ -> page())
        .on(HttpMethod.HEAD, PATH + ":token", _ -> page())
        .on(HttpMethod.POST, PATH + ":token", call -> resume(call, call.path("token")))
        .get("/bookmarks/resume", _ -> page())
        .post("/bookmarks/resume", call -> resume(call, token(call)));
  }

  private static String token(Call call) {
    var token = call.query().get("t");
    if (token == null || token.isEmpty()) {
      throw SkeinException.tokenInvalid();
    }
    return StorableText.check("t", token, RequestRules.TOKEN_CHARS_MAX);
  }

  /** The same page for every token, good or bad: looking tells nothing. */
  private static Future<Answer> page() {
    return Future.succeededFuture(sealed(Answer.html(200, ResumePage.question())));
  }

  private Future<Answer> resume(Call call, String token) {
    boolean form = call.isForm();
    Map<String, @Nullable Object> input = form ? Map.of() : call.fields().object("input");
    return call.once(ingress)
        .resumeByToken(new Request.ResumeByToken(token, input, call.actor()))
        .map(done -> form ? Answer.html(200, ResumePage.done()) : Answer.ok(resumed(done)))
        .otherwise(e -> refused(e, form))
        .map(ResumeRoutes::sealed);
  }

  private static Answer refused(Throwable e, boolean form) {
    var refusal = Problems.refusal(e);
    int status = status(refusal.code());
    return form
        ? Answer.html(status, ResumePage.refused(refusal)).refusing(refusal.code())
        : Problems.of(refusal, status, Map.of());
  }

  /** A link that was used is gone for good, where an API client's bookmark is a conflict. */
  private static int status(ErrorCode code) {
    return code == ErrorCode.ALREADY_RESUMED || code == ErrorCode.INSTANCE_FINISHED
        ? 410
        : Problems.status(code);
  }

  static Map<String, @Nullable Object> resumed(Reply.Done done) {
    var json = InstanceJson.outcome(done);
    json.put("status", "Resumed");
    return json;
  }

  private static Answer sealed(Answer answer) {
    return answer
        .with("Cache-Control", "no-store")
        .with("Referrer-Policy", "no-referrer")
        .with("X-Frame-Options", "DENY")
        .with("X-Robots-Tag", "noindex, nofollow")
        .with("Content-Security-Policy", ResumePage.POLICY);
  }
}
