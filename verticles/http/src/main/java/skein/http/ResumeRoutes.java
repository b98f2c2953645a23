package skein.http;

import io.vertx.core.Future;
import io.vertx.core.http.HttpMethod;
import java.util.Collections;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.codecs.RequestRules;
import skein.codecs.ResumeLinks;
import skein.codecs.StorableText;
import skein.ingress.Ingress;
import skein.messages.Reply;
import skein.messages.Request;
import skein.model.ErrorCode;
import skein.model.SkeinException;
import skein.openapi.Operation;
import skein.openapi.Parameter;
import skein.openapi.Response;
import skein.openapi.Shape;
import skein.openapi.Tag;

/**
 * Resume links, and links that publish an event. GET and HEAD show a page and change nothing, so
 * that a client that follows a link cannot use it up; POST uses it up. Nothing here may be kept by
 * a cache or passed on as a referrer.
 */
final class ResumeRoutes {
  private static final int NOT_FOUND = 404;
  private static final int USED = 410;
  private static final Shape INPUT = Shape.object().may("input", Shape.ANY);

  private final Ingress ingress;

  ResumeRoutes(Ingress ingress) {
    this.ingress = ingress;
  }

  void addTo(Routes routes) {
    var byPath = ResumeLinks.RESUME_PATH + ":token";
    var look =
        Operation.of(
                Tag.BOOKMARKS,
                "showResumePage",
                "Shows a page that asks whether to continue; changes nothing")
            .answersWith("text/html", "The same for every token");
    var use =
        Operation.of(Tag.BOOKMARKS, "resumeByToken", "Resumes the bookmark of a token, once")
            .reads(INPUT)
            .answers(InstanceShapes.RESUMED)
            .answersWith("text/html", "To a form")
            .answers(toForm(NOT_FOUND))
            .answers(toForm(USED))
            .fails(
                ErrorCode.TOKEN_INVALID,
                ErrorCode.TASK_INVALID,
                ErrorCode.INSTANCE_NOT_FOUND,
                ErrorCode.STATE_TOO_LARGE)
            .refusesAs(
                USED,
                ErrorCode.TOKEN_EXPIRED,
                ErrorCode.ALREADY_RESUMED,
                ErrorCode.INSTANCE_FINISHED);
    var named = Parameter.needed("t", Shape.TEXT, "The token");
    routes
        .on(HttpMethod.GET, byPath, look, _ -> page())
        .on(HttpMethod.HEAD, byPath, look, _ -> page())
        .on(HttpMethod.POST, byPath, use, call -> resume(call, call.path("token"), input(call)))
        .on(
            HttpMethod.GET,
            ResumeLinks.BOOKMARK_PATH,
            look.as("showResumePageAsElsa").takes(named),
            _ -> page())
        .on(HttpMethod.HEAD, ResumeLinks.BOOKMARK_PATH, look, _ -> page())
        .on(
            HttpMethod.POST,
            ResumeLinks.BOOKMARK_PATH,
            use.as("resumeByTokenAsElsa").takes(named),
            call -> resume(call, token(call), input(call)))
        .on(
            HttpMethod.GET,
            ResumeLinks.EVENT_PATH,
            look.as("showEventPage").takes(named),
            _ -> page())
        .on(
            HttpMethod.POST,
            ResumeLinks.EVENT_PATH,
            use.as("publishEventByToken").takes(named),
            call -> resume(call, token(call), event(call)));
  }

  private static Response toForm(int status) {
    return new Response(String.valueOf(status), "The link is of no use", "text/html", null);
  }

  private static String token(Call call) {
    if (!(call.queryFields().value("t") instanceof String token) || token.isEmpty()) {
      throw SkeinException.tokenInvalid();
    }
    return StorableText.check("t", token, RequestRules.TOKEN_CHARS_MAX);
  }

  /** The same page for every token, valid or not: it reveals nothing. */
  private static Future<Answer> page() {
    return Future.succeededFuture(sealed(Answer.html(200, ResumePage.question())));
  }

  private static Map<String, @Nullable Object> input(Call call) {
    return call.isForm() ? Map.of() : call.fields().object("input");
  }

  /** As of an event that is published by its name. */
  private static Map<String, @Nullable Object> event(Call call) {
    return Collections.singletonMap("payload", call.isForm() ? null : call.fields().value("input"));
  }

  private Future<Answer> resume(Call call, String token, Map<String, @Nullable Object> input) {
    boolean form = call.isForm();
    return call.once(ingress, call.siteScope())
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

  /** A used link is permanently invalid (410), where an API client's bookmark is a conflict. */
  private static int status(ErrorCode code) {
    return code == ErrorCode.ALREADY_RESUMED || code == ErrorCode.INSTANCE_FINISHED
        ? USED
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
