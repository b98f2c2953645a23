package skein.http;

import io.vertx.core.Future;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import skein.codecs.ResumeLinks;
import skein.identity.Authenticator;
import skein.identity.Authoriser;
import skein.identity.Authoriser.Verdict;
import skein.identity.Caller;
import skein.identity.Credential;
import skein.identity.Requirement;
import skein.loop.EventLoop;
import skein.metrics.SecurityMetrics;
import skein.metrics.SecurityMetrics.Refusal;
import skein.model.ErrorCode;
import skein.model.SkeinException;

/**
 * Authenticates callers. This happens before their body is read; what they may do is decided at the
 * route, by its entry in {@link RouteTable}. Without authentication it costs a request nothing.
 * Confined to one event loop.
 */
final class Gate {
  static final String CALLER = "skein.caller";

  /** The credentials of a request to a workflow, which may need them later. */
  static final String CREDENTIALS = "skein.credentials";

  private static final String NEEDED =
      "Say who you are: Authorization: Bearer <token>, or ApiKey <key>";

  private final EventLoop loop;
  private final @Nullable Checks checks;
  private final Callers callers;

  /** Requests that are paused by this, by their responses: requests have several wrappers. */
  private final Set<HttpServerResponse> held = Collections.newSetFromMap(new IdentityHashMap<>());

  private record Checks(
      Authenticator authenticator, SecurityMetrics metrics, boolean managementOpen) {}

  Gate(EventLoop loop, Security security, Callers callers) {
    this.loop = loop;
    this.callers = callers;
    this.checks =
        switch (security) {
          case Security.Open _ -> null;
          case Security.Authenticated(var identity, var managementOpen) ->
              new Checks(identity.authenticator(loop), identity.metrics(), managementOpen);
        };
  }

  Callers callers() {
    return callers;
  }

  boolean asks() {
    return checks != null;
  }

  /** Finds out who it is, of all but requests to workflows. */
  void handle(RoutingContext context) {
    loop.check();
    var asking = checks;
    var path = context.normalizedPath();
    if (asking == null) {
      context.next();
    } else if (path.startsWith(EndpointRequest.BASE)) {
      context.put(CREDENTIALS, context.request().headers().getAll("Authorization"));
      context.next();
    } else if (isOpen(asking, context.request().method(), path)) {
      context.put(CALLER, Caller.Anonymous.INSTANCE);
      context.next();
    } else {
      var found = caller(asking, context);
      if (found.succeeded()) { // as nearly always: it is remembered
        admit(asking, context, found.result());
        return;
      }
      hold(context.request());
      found
          .onSuccess(caller -> admit(asking, context, caller))
          .onFailure(context::fail)
          .onComplete(_ -> release(context.request()));
    }
  }

  /** Nothing of it is read until its caller is known. */
  private void hold(HttpServerRequest request) {
    held.add(request.response());
    request.pause();
  }

  private void release(HttpServerRequest request) {
    held.remove(request.response());
    if (!request.response().closed()) {
      request.resume();
    }
  }

  /** Whether the body of the request waits for its caller to be known. */
  boolean holds(HttpServerRequest request) {
    loop.check();
    return held.contains(request.response());
  }

  private static boolean isOpen(Checks asking, HttpMethod method, String path) {
    return ResumeLinks.isLink(path)
        || ConsoleFiles.isBelow(path)
        || StudioFiles.isBelow(path)
        || (method.equals(HttpMethod.POST)
            && (path.equals(Routes.API + IdentityRoutes.LOGIN)
                || path.equals(Routes.API + IdentityRoutes.REFRESH)
                || path.equals(Routes.API + IdentityRoutes.LOGOUT)))
        || SignInPaths.isOpen(method, path)
        || (asking.managementOpen() && RouteGroup.of(path) == RouteGroup.MANAGEMENT);
  }

  private Future<Caller> caller(Checks asking, RoutingContext context) {
    var headers = context.request().headers().getAll("Authorization");
    var said = headers.isEmpty() ? inQuery(context) : headers;
    var credential =
        said.isEmpty() ? ClientCertificates.of(context.request()) : Credential.of(said);
    return asking.authenticator().authenticate(credential, address(context));
  }

  /** A browser sends no headers of a page's own with a WebSocket or for server-sent events. */
  private static List<String> inQuery(RoutingContext context) {
    return context.normalizedPath().startsWith(HubRoutes.BASE)
        ? context.queryParam(HubRoutes.TOKEN_PARAMETER).stream()
            .map(token -> "Bearer " + token)
            .toList()
        : List.of();
  }

  private void admit(Checks asking, RoutingContext context, Caller caller) {
    if (caller instanceof Caller.Anonymous) {
      context.fail(unauthenticated(asking));
    } else {
      context.put(CALLER, caller);
      context.next();
    }
  }

  /** The address of the client behind the trusted proxies; empty when it is not known. */
  String address(RoutingContext context) {
    loop.check();
    var remote = context.request().remoteAddress();
    var address =
        callers.address(remote == null ? null : remote.hostAddress(), context.request().headers());
    return address == null ? "" : address;
  }

  /** The caller of a request to a workflow whose endpoint requires one. */
  Future<Caller> signedIn(RoutingContext context) {
    loop.check();
    var asking = checks;
    if (asking == null) {
      return Future.failedFuture(
          new SkeinException(
              ErrorCode.UNAUTHENTICATED,
              "The endpoint has authorize, and callers cannot sign in here: security.mode is not"
                  + " authenticated"));
    }
    return caller(asking, context)
        .map(caller -> {
          if (caller instanceof Caller.Anonymous) {
            throw unauthenticated(asking);
          }
          return caller;
        });
  }

  private static SkeinException unauthenticated(Checks asking) {
    asking.metrics().refused(Refusal.NO_CREDENTIAL);
    return new SkeinException(ErrorCode.UNAUTHENTICATED, NEEDED);
  }

  /**
   * The action behind the check of permissions; the action itself without authentication.
   *
   * @param needed by the route
   * @param path the whole path of the route
   */
  Action permitted(Requirement needed, String path, Action action) {
    loop.check();
    var asking = checks;
    if (asking == null || needed instanceof Requirement.Nothing) {
      return action;
    }
    if (asking.managementOpen() && RouteGroup.of(path) == RouteGroup.MANAGEMENT) {
      return action;
    }
    return call -> {
      require(call, needed);
      return action.answer(call);
    };
  }

  /**
   * Before the body of a request is read for which there is room for a few: it is for those who may
   * send one, of which the route asks once more.
   */
  void handleLarge(RoutingContext context) {
    loop.check();
    var asking = checks;
    var needed =
        LargeDefinitions.areIn(context)
            ? LargeDefinitions.needed(context)
            : Uploads.areIn(context) ? Uploads.needed(context) : Requirement.NOTHING;
    Caller known = context.get(CALLER);
    try {
      if (asking != null) {
        require(asking, known == null ? Caller.Anonymous.INSTANCE : known, needed);
      }
    } catch (SkeinException e) {
      context.fail(e);
      return;
    }
    context.next();
  }

  /** For a part of what a route does; no check without authentication. */
  void require(Call call, Requirement needed) {
    loop.check();
    var asking = checks;
    if (asking != null) {
      require(asking, call.caller(), needed);
    }
  }

  private static void require(Checks asking, Caller caller, Requirement needed) {
    switch (Authoriser.decide(caller, needed)) {
      case Verdict.Allowed _ -> {}
      case Verdict.Unauthenticated _ -> throw unauthenticated(asking);
      case Verdict.Forbidden(var missing) -> {
        asking.metrics().refused(Refusal.FORBIDDEN);
        throw forbidden(missing);
      }
    }
  }

  static SkeinException forbidden(String missing) {
    return new SkeinException(
        ErrorCode.FORBIDDEN, "The permission " + missing + " is needed, by a role or a scope");
  }
}
