package skein.ingress;

import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import org.jspecify.annotations.Nullable;
import skein.identity.Authenticator;
import skein.identity.Authoriser;
import skein.identity.Authoriser.Verdict;
import skein.identity.Caller;
import skein.identity.Credential;
import skein.loop.EventLoop;
import skein.messages.Addresses;
import skein.messages.Request;
import skein.metrics.SecurityMetrics;
import skein.metrics.SecurityMetrics.Refusal;
import skein.model.ErrorCode;
import skein.model.SkeinException;

/**
 * Finds out whose a message on the event bus is, by its header {@link Addresses#AUTHORIZATION}, and
 * whether they may do what it asks for. It holds services to their permissions that use {@link
 * Addresses} as they are meant; a member that means harm could send what nodes send one another.
 * Confined to one event loop.
 */
final class BusGate {
  /** All messages count as one guesser: the bus does not say which member sent one. */
  private static final String ADDRESS = "event bus";

  private final EventLoop loop;
  private final @Nullable Checks checks;

  private record Checks(Authenticator authenticator, SecurityMetrics metrics, boolean required) {}

  BusGate(BusCallers callers, EventLoop loop) {
    this.loop = loop;
    this.checks =
        switch (callers) {
          case BusCallers.Unknown _ -> null;
          case BusCallers.Known(var identity, var required) ->
              new Checks(identity.authenticator(loop), identity.metrics(), required);
        };
  }

  /**
   * Who asks; {@link Caller.Anonymous} for a message that does not say it, and need not. Fails with
   * {@link ErrorCode#UNAUTHENTICATED}, {@link ErrorCode#FORBIDDEN} or {@link
   * ErrorCode#TOO_MANY_ATTEMPTS}.
   */
  Future<Caller> admit(MultiMap headers, Request request) {
    loop.check();
    var asking = checks;
    if (asking == null) {
      return Future.succeededFuture(Caller.Anonymous.INSTANCE);
    }
    var said = headers.getAll(Addresses.AUTHORIZATION);
    return said.isEmpty() && !asking.required
        ? Future.succeededFuture(Caller.Anonymous.INSTANCE)
        : asking
            .authenticator()
            .authenticate(Credential.of(said), ADDRESS)
            .map(caller -> allowed(asking, caller, request));
  }

  /** The bus is for services of the cluster, which may name instances of any tenant. */
  private static Caller ofDefaultTenant(Caller caller) {
    if (!caller.tenant().isEmpty()) {
      throw new SkeinException(
          ErrorCode.FORBIDDEN, "Callers of a tenant use HTTP: the event bus knows no tenants");
    }
    return caller;
  }

  private static Caller allowed(Checks asking, Caller caller, Request request) {
    return switch (Authoriser.decide(caller, RequestPermissions.of(request))) {
      case Verdict.Allowed _ -> ofDefaultTenant(caller);
      case Verdict.Unauthenticated _ -> {
        asking.metrics().refused(Refusal.NO_CREDENTIAL);
        throw new SkeinException(
            ErrorCode.UNAUTHENTICATED,
            "Say who you are: the header "
                + Addresses.AUTHORIZATION
                + " with Bearer <token>, or ApiKey <key> (security.bus-callers)");
      }
      case Verdict.Forbidden(var missing) -> {
        asking.metrics().refused(Refusal.FORBIDDEN);
        throw new SkeinException(
            ErrorCode.FORBIDDEN, "The permission " + missing + " is needed, by a role or a scope");
      }
    };
  }
}
