package skein.http;

import io.vertx.core.Future;
import io.vertx.core.http.HttpMethod;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import skein.identity.BrowserSignIn;
import skein.identity.BrowserSignIn.Returned;
import skein.identity.BrowserSignIns;
import skein.identity.Identity;
import skein.ingress.RefusedTokens;
import skein.model.AuditEntry;
import skein.model.ErrorCode;
import skein.model.SkeinException;
import skein.openapi.Operation;
import skein.openapi.Parameter;
import skein.openapi.Shape;
import skein.openapi.Tag;
import skein.storage.AuditRows;

/**
 * Sends browsers to an OpenID provider, and takes them back. One cookie has what belongs to the
 * sign-in: first the attempt, then what the page that is come back to exchanges for its tokens. It
 * is sealed, sent to these routes alone, and hidden from scripts.
 */
final class BrowserSignInRoutes {
  static final String COOKIE = "skein-oidc";

  /** The mark in the page's address: there are tokens to be fetched. */
  static final String ARRIVED = "#signed-in";

  private static final String SENT = "The browser is sent on";
  private static final int REFUSED_LINES_PER_MINUTE = 10;

  private final Identity identity;
  private final Gate gate;
  private final AuditRows audit;
  private final AuditRows refused;
  private final String prefix;
  private final String callback;
  private final boolean https;

  /** {@code baseUrl}: where browsers find the cluster; the provider sends them there. */
  BrowserSignInRoutes(Identity identity, Gate gate, AuditRows audit, URI baseUrl) {
    this.identity = identity;
    this.gate = gate;
    this.audit = audit;
    this.refused =
        new RefusedTokens(audit, InstantSource.system(), REFUSED_LINES_PER_MINUTE, new LongAdder());
    var base = baseUrl.toString().replaceAll("/+$", "");
    this.prefix = baseUrl.getRawPath() == null ? "" : baseUrl.getRawPath().replaceAll("/+$", "");
    this.callback = base + Routes.API + SignInPaths.CALLBACK;
    this.https = "https".equals(baseUrl.getScheme());
  }

  private static Operation of(String id, String summary) {
    return Operation.of(Tag.IDENTITY, id, summary);
  }

  /** The parameters with which a provider sends a browser back. */
  private static Operation returned(String id, String summary) {
    return of(id, summary)
        .takes(
            Parameter.query("state", Shape.TEXT, "As it was sent to the provider"),
            Parameter.query("code", Shape.TEXT, "For which a node gets tokens"),
            Parameter.query("error", Shape.TEXT, "Why the provider has refused the sign-in"),
            Parameter.query("error_description", Shape.TEXT, "Is not shown"),
            Parameter.query("session_state", Shape.TEXT, "Has no effect"),
            Parameter.query("iss", Shape.TEXT, "The issuer that has answered"))
        .answersNothing(303, SENT)
        .fails(ErrorCode.SIGN_IN_INVALID, ErrorCode.PROVIDER_UNAVAILABLE);
  }

  void addTo(Routes routes) {
    routes
        .get(
            SignInPaths.PROVIDERS,
            of("listProviders", "Lists where people sign in with a browser")
                .answers(
                    Shape.object()
                        .has("passwords", Shape.FLAG)
                        .has(
                            "providers",
                            Shape.listOf(
                                Shape.object().has("name", Shape.TEXT).has("issuer", Shape.TEXT)))),
            this::providers)
        .on(
            HttpMethod.GET,
            Routes.API + SignInPaths.LOGIN,
            of("beginSignIn", "Sends a browser to an OpenID provider, to sign in there")
                .takes(
                    Parameter.query(
                        "issuer", Shape.TEXT, "At which provider, if there are several"),
                    Parameter.query("returnTo", Shape.TEXT, "The page to come back to"))
                .answersNothing(303, SENT)
                .fails(ErrorCode.PROVIDER_UNAVAILABLE),
            this::login)
        .on(
            HttpMethod.GET,
            Routes.API + SignInPaths.CALLBACK,
            returned(
                "finishSignIn", "Takes a browser back from the OpenID provider without a name"),
            call -> finish(call, ""))
        .on(
            HttpMethod.GET,
            Routes.API + SignInPaths.CALLBACK_OF + ":provider",
            returned("finishSignInAt", "Takes a browser back from an OpenID provider that has one"),
            call -> finish(call, call.path("provider")))
        .postForSecret(
            SignInPaths.SESSION,
            of("fetchTokens", "Gives a page that has come back from a sign-in its tokens, once")
                .answers(IdentityRoutes.TOKENS_OF_PERSON)
                .fails(ErrorCode.SIGN_IN_INVALID),
            this::session);
  }

  private static SkeinException unknown() {
    return new SkeinException(
        ErrorCode.NOT_FOUND,
        "People do not sign in at this provider: its client-id below security.oidc says who the"
            + " cluster is there");
  }

  /** Each provider has another one, so that none can pass on the answer of another. */
  private String callback(BrowserSignIn provider) {
    return provider.key().isEmpty() ? callback : callback + "/" + provider.key();
  }

  private Future<Answer> providers(Call call) {
    var providers =
        identity.browserSignIns().all().stream()
            .map(provider -> Map.of("name", provider.name(), "issuer", provider.issuer()))
            .toList();
    return identity
        .users()
        .isEmpty()
        .map(nobody -> {
          var json = new LinkedHashMap<String, Object>();
          json.put("passwords", !nobody);
          json.put("providers", providers);
          return Answer.ok(json);
        });
  }

  private Future<Answer> login(Call call) {
    var query = call.queryFields();
    var returnTo = ReturnPath.of(query.text("returnTo"));
    var provider =
        identity
            .browserSignIns()
            .ofIssuer(query.text("issuer"))
            .orElseThrow(BrowserSignInRoutes::unknown);
    return provider
        .begin(returnTo, callback(provider))
        .map(begun ->
            to(begun.location())
                .with("Set-Cookie", cookie(begun.cookie(), BrowserSignIn.ATTEMPT_MAX)))
        .otherwise(e -> shown(call, e));
  }

  private Future<Answer> finish(Call call, String key) {
    var provider = identity.browserSignIns().ofKey(key).orElseThrow(BrowserSignInRoutes::unknown);
    var query = call.queryFields();
    query.text("error_description");
    query.text("session_state");
    var returned =
        new Returned(
            kept(call),
            query.text("state"),
            query.text("code"),
            query.text("error"),
            query.text("iss"));
    return provider
        .finish(returned, callback(provider), gate.address(call.context()))
        .compose(arrived ->
            audit
                .add(entry("identity.login", "ok", "user:" + arrived.name()), arrived.tenant())
                .map(_ ->
                    to(prefix + arrived.returnTo() + ARRIVED)
                        .with("Set-Cookie", cookie(arrived.cookie(), BrowserSignIns.HANDOVER_MAX))))
        .recover(e -> {
          var code = Problems.refusal(e).code().name();
          return refused
              .add(entry("identity.login", code, call.actor()), call.siteScope().owner())
              .otherwiseEmpty()
              .map(_ -> shown(call, e));
        });
  }

  private Future<Answer> session(Call call) {
    return identity
        .browserSignIns()
        .handOver(kept(call), gate.address(call.context()))
        .map(tokens ->
            Answer.ok(IdentityRoutes.jsonOfPerson(tokens))
                .with("Set-Cookie", cookie("", Duration.ZERO)));
  }

  private static AuditEntry entry(String action, String outcome, @Nullable String actor) {
    return new AuditEntry(action, outcome, null, null, actor);
  }

  private static Answer to(String location) {
    return Answer.empty(303)
        .with("Location", location)
        .with("Referrer-Policy", "no-referrer")
        .with("Cache-Control", "no-store");
  }

  private Answer shown(Call call, Throwable e) {
    return call.wantsHtml()
        ? SignInPage.refused(Problems.refusal(e), prefix + ConsoleFiles.BASE)
        : Problems.of(e);
  }

  private static @Nullable String kept(Call call) {
    var cookie = call.context().request().getCookie(COOKIE);
    return cookie == null ? null : cookie.getValue();
  }

  private String cookie(String value, Duration age) {
    return COOKIE
        + "="
        + value
        + "; Path="
        + prefix
        + Routes.API
        + SignInPaths.BASE
        + "; Max-Age="
        + age.toSeconds()
        + "; HttpOnly; SameSite=Lax"
        + (https ? "; Secure" : "");
  }
}
