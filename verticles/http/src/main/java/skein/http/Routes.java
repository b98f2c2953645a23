package skein.http;

import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import skein.cluster.Readiness;
import skein.codecs.JsonLimits;
import skein.model.ErrorCode;
import skein.model.SkeinException;
import skein.openapi.DescribedRoute;
import skein.openapi.Operation;

/** Puts actions behind paths: each call gets an answer, whatever happens inside. */
final class Routes {
  private static final Logger log = LoggerFactory.getLogger(Routes.class);

  static final String API = "/elsa/api";

  /** Names of query parameters that the route does not know, or did not need. */
  static final String IGNORED_HEADER = "x-skein-ignored-parameters";

  private static final int IGNORED_NAMES_MAX = 20;
  private static final int IGNORED_CHARS_MAX = 64;

  private final Router router;
  private final JsonLimits limits;
  private final Readiness readiness;
  private final KeyedCalls keyed;
  private final SameOrigin sameOrigin;
  private final AuditedChanges changes;
  private final Callers callers;
  private final Gate gate;
  private final TenantGate tenants;
  private final Map<HttpMethod, List<Pattern>> known = new HashMap<>();
  private final List<DescribedRoute> described = new ArrayList<>();

  Routes(
      Router router,
      JsonLimits limits,
      Readiness readiness,
      KeyedCalls keyed,
      SameOrigin sameOrigin,
      AuditedChanges changes,
      Gates gates) {
    this.router = router;
    this.limits = limits;
    this.readiness = readiness;
    this.keyed = keyed;
    this.sameOrigin = sameOrigin;
    this.changes = changes;
    this.gate = gates.gate();
    this.callers = gate.callers();
    this.tenants = gates.tenants();
  }

  /** The handlers that requests must pass. */
  record Gates(Gate gate, TenantGate tenants) {}

  /** And HEAD. */
  Routes get(String path, Operation operation, Action action) {
    on(HttpMethod.HEAD, API + path, operation, action);
    return on(HttpMethod.GET, API + path, operation, action);
  }

  Routes post(String path, Operation operation, Action action) {
    return on(HttpMethod.POST, API + path, operation, action);
  }

  Routes put(String path, Operation operation, Action action) {
    return on(HttpMethod.PUT, API + path, operation, action);
  }

  Routes delete(String path, Operation operation, Action action) {
    return on(HttpMethod.DELETE, API + path, operation, action);
  }

  /** A GET that does something, as Elsa has some. */
  Routes getThatActs(String path, Operation operation, Action action) {
    var rule = ruleOfGet(API + path, true);
    describe("GET", API + path, true, operation);
    router.get(API + path).handler(sameOrigin::handleActing);
    var audited = changing(rule, action);
    return add(HttpMethod.GET, API + path, rule, call -> keyed.answer(call, audited));
  }

  /** A POST whose answer is a secret that is kept nowhere. */
  Routes postForSecret(String path, Operation operation, Action action) {
    var rule = RouteTable.of("POST", API + path);
    describe("POST", API + path, true, operation);
    var audited = changing(rule, action);
    return add(HttpMethod.POST, API + path, rule, call -> keyed.answerOnly(call, audited));
  }

  /** {@code path} is the whole path. */
  Routes on(HttpMethod method, String path, Operation operation, Action action) {
    var rule = isGet(method) ? ruleOfGet(path, false) : RouteTable.of(method.name(), path);
    describe(method.name(), path, !rule.reads(), operation);
    if (rule.reads()) { // Nothing is done twice, so no answer is kept.
      var guarded = tenants.guarded(rule.tenants(), action);
      return add(method, path, rule, isGet(method) ? guarded : readingOnly(guarded));
    }
    var audited = changing(rule, action);
    return add(method, path, rule, call -> keyed.answer(call, audited));
  }

  /** The entry of a GET, which must say the same of whether it changes something. */
  private static RouteRule ruleOfGet(String path, boolean acts) {
    var rule = RouteTable.of("GET", path);
    if (rule.reads() == acts) {
      throw new IllegalStateException(
          rule.route()
              + (acts
                  ? " changes something, but its entry in the table of routes says it only reads"
                  : " only reads, but its entry in the table of routes says it changes something"));
    }
    return rule;
  }

  /**
   * The check of tenants is behind the idempotency key: a repeated deletion is answered again,
   * though its object no longer exists.
   */
  private Action changing(RouteRule rule, Action action) {
    return tenants.guarded(rule.tenants(), changes.audited(rule.audit(), action));
  }

  private static Action readingOnly(Action action) {
    return call -> {
      call.readsOnly();
      return action.answer(call);
    };
  }

  /** HEAD, too. */
  private static boolean isGet(HttpMethod method) {
    return method.equals(HttpMethod.GET) || method.equals(HttpMethod.HEAD);
  }

  private Routes add(HttpMethod method, String path, RouteRule rule, Action action) {
    remember(method, path);
    var listing = path.startsWith(API) ? listing(action) : action;
    var permitted = gate.permitted(rule.permission(), path, listing);
    router.route(method, path).handler(context -> whenStarted(context, permitted));
    return this;
  }

  /** Says in a header which query parameters had no effect: a misspelt filter does not filter. */
  private static Action listing(Action action) {
    return call ->
        call.rawQuery().isEmpty()
            ? action.answer(call)
            : action.answer(call).map(answer -> listed(answer, call));
  }

  private static Answer listed(Answer answer, Call call) {
    var unread = call.unreadParameters();
    return unread.isEmpty() || answer.headers().containsKey(KeyedCalls.REPLAYED)
        ? answer
        : answer.with(
            IGNORED_HEADER,
            unread.stream()
                .limit(IGNORED_NAMES_MAX)
                .map(name -> name.substring(0, Math.min(name.length(), IGNORED_CHARS_MAX)))
                .map(name -> URLEncoder.encode(name, StandardCharsets.UTF_8))
                .collect(Collectors.joining(", ")));
  }

  /** Any method, each of which may do something. */
  Routes any(String path, Operation operation, Action action) {
    var rule = RouteTable.of("*", path);
    describe("*", path, true, operation);
    tell("*", path);
    var guarded = tenants.guarded(rule.tenants(), call -> keyed.answerOfSite(call, action));
    var permitted = gate.permitted(rule.permission(), path, guarded);
    router.route(path).handler(context -> whenStarted(context, permitted));
    return this;
  }

  /** Also answered by a node that has not started yet. */
  Routes always(String path, Operation operation, Action action) {
    var rule = ruleOfGet(path, false);
    describe("GET", path, false, operation);
    remember(HttpMethod.GET, path);
    remember(HttpMethod.HEAD, path);
    var guarded = tenants.guarded(rule.tenants(), action);
    var permitted = gate.permitted(rule.permission(), path, guarded);
    router.get(path).handler(context -> run(context, permitted));
    router.head(path).handler(context -> run(context, permitted));
    return this;
  }

  /** HEAD goes without saying where there is a GET. */
  private void describe(String method, String path, boolean changing, Operation operation) {
    if (!method.equals("HEAD")) {
      described.add(new DescribedRoute(method, path, changing, operation));
    }
  }

  /** All so far, in the order in which they were added. */
  List<DescribedRoute> described() {
    return List.copyOf(described);
  }

  private void remember(HttpMethod method, String path) {
    tell(method.name(), path);
    var pattern = Pattern.compile(path.replaceAll(":[A-Za-z]+", "[^/]+").replace("*", ".*") + "/?");
    known.computeIfAbsent(method, _ -> new ArrayList<>()).add(pattern);
  }

  private static void tell(String method, String path) {
    log.atDebug().addKeyValue("method", method).addKeyValue("path", path).log("http.route");
  }

  /** The methods that something answers at this path, as the header {@code Allow} lists them. */
  String allowed(String path) {
    return known.entrySet().stream()
        .filter(e -> e.getValue().stream().anyMatch(p -> p.matcher(path).matches()))
        .map(e -> e.getKey().name())
        .sorted()
        .collect(Collectors.joining(", "));
  }

  private void whenStarted(RoutingContext context, Action action) {
    run(
        context,
        readiness.phase() == Readiness.Phase.STARTING
            ? _ ->
                Future.failedFuture(
                    new SkeinException(ErrorCode.NOT_READY, "This node is still starting"))
            : action);
  }

  private void run(RoutingContext context, Action action) {
    var call = new Call(context, limits, callers);
    Future<Answer> answer;
    try {
      answer = action.answer(call);
    } catch (RuntimeException e) {
      answer = Future.failedFuture(e);
    }
    answer.onComplete(result -> ended(context, result));
  }

  private void ended(RoutingContext context, AsyncResult<Answer> result) {
    Answer answer;
    try {
      answer = result.succeeded() ? result.result() : Problems.of(result.cause());
    } catch (RuntimeException e) {
      context.fail(e);
      return;
    }
    AnswerSender.send(readiness.isLeaving() ? leaving(context, answer) : answer, context);
  }

  /** Keeps clients from sending the next request to a node that leaves. */
  private static Answer leaving(RoutingContext context, Answer answer) {
    return context.request().version() == HttpVersion.HTTP_2
        ? answer
        : answer.with("Connection", "close");
  }
}
