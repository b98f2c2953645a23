package skein.identity;

import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Map;
import skein.loop.EventLoop;
import skein.metrics.SecurityMetrics.Refusal;
import skein.model.ErrorCode;
import skein.model.SkeinException;

/**
 * Says whose a credential is. Those that were found right are remembered for a while, which is
 * never longer than they are valid; those that are not take longer and longer to be refused.
 * Confined to one event loop.
 */
public final class Authenticator {
  private final EventLoop loop;
  private final AccessTokens own;
  private final Map<String, IssuerTokens> issuers;
  private final Programs programs;
  private final SignIn.Guard guard;
  private final InstantSource clock;
  private final Map<String, Validated> right;

  /** How programs say who they are. */
  record Programs(ApiKeys keys, CertificateRoles certificates) {}

  /**
   * @param issuers others whose tokens are taken, by their names
   * @param right an empty map of bounded size, for the credentials that are remembered; its keys
   *     have hashes of tokens and API keys, not these themselves
   */
  Authenticator(
      EventLoop loop,
      AccessTokens own,
      Map<String, IssuerTokens> issuers,
      Programs programs,
      SignIn.Guard guard,
      InstantSource clock,
      Map<String, Validated> right) {
    this.loop = loop;
    this.own = own;
    this.issuers = Map.copyOf(issuers);
    this.programs = programs;
    this.guard = guard;
    this.clock = clock;
    this.right = right;
  }

  /**
   * Anonymous without a credential, or with a certificate that has no role here; it fails with
   * {@link ErrorCode#UNAUTHENTICATED} for one that is not right, and with {@link
   * ErrorCode#TOO_MANY_ATTEMPTS}.
   *
   * @param address of the caller
   */
  public Future<Caller> authenticate(Credential credential, String address) {
    loop.check();
    return switch (credential) {
      case Credential.None _ -> Future.succeededFuture(Caller.Anonymous.INSTANCE);
      case Credential.Unusable _ ->
          Future.failedFuture(
              refusal(Refusal.NO_CREDENTIAL, "Authorization must be one Bearer or ApiKey"));
      case Credential.Bearer(var token) ->
          known("B " + own.version() + " " + hash(token), () -> bearer(token, address));
      case Credential.ApiKey(var key) -> known("K " + hash(key), () -> apiKey(key, address));
      case Credential.Certificate known when programs.certificates().knows(known) ->
          known(
              "C " + known.end() + " " + known.name(),
              () ->
                  programs
                      .certificates()
                      .verify(known)
                      .recover(e -> refused(e, address, Refusal.CERTIFICATE)));
      case Credential.Certificate _ -> Future.succeededFuture(Caller.Anonymous.INSTANCE);
    };
  }

  /** So that the memory of a node, or a dump of it, contains no credentials. */
  private static String hash(String secret) {
    return Base64.getEncoder().encodeToString(Secrets.sha256(secret));
  }

  private interface Check {
    Future<Validated> run();
  }

  private Future<Caller> known(String credential, Check check) {
    var before = right.get(credential);
    if (before != null) {
      if (clock.instant().isBefore(before.until())) {
        return Future.succeededFuture(before.caller());
      }
      right.remove(credential);
    }
    return loop.bring(check.run())
        .map(found -> {
          right.put(credential, found);
          return found.caller();
        });
  }

  /** Verified without a wait, even while the address guesses: that costs little. */
  private Future<Validated> bearer(String token, String address) {
    return verified(token)
        .recover(e -> {
          if (!isOfCredential(e)) {
            return Future.failedFuture(e);
          }
          return guard.throttle().enter(address)
              ? refused(e, address, Refusal.BEARER).onComplete(_ -> guard.throttle().leave(address))
              : Future.failedFuture(guard.tooMany());
        });
  }

  private Future<Validated> verified(String token) {
    var ours = TokenShape.of(token, AccessTokens.ALGORITHMS);
    if (ours != null && AccessTokens.ISSUER.equals(ours.issuer())) {
      return own.verify(token);
    }
    var theirs = TokenShape.of(token, IssuerTokens.ALGORITHMS);
    var named = theirs == null ? null : theirs.issuer();
    var issuer = named == null ? null : issuers.get(named);
    return theirs == null || issuer == null
        ? Future.failedFuture(new IllegalArgumentException("No token that is taken here"))
        : issuer.verify(token, theirs);
  }

  /** The database is asked for each: of an address with many refusals for a few at once. */
  private Future<Validated> apiKey(String key, String address) {
    if (guard.throttle().delay(address, null).isZero()) {
      return programs.keys().verify(key).recover(e -> refused(e, address, Refusal.API_KEY));
    }
    if (!guard.throttle().enter(address)) {
      return Future.failedFuture(guard.tooMany());
    }
    return programs
        .keys()
        .verify(key)
        .recover(e -> refused(e, address, Refusal.API_KEY))
        .onComplete(_ -> guard.throttle().leave(address));
  }

  /** False of a look-up that failed, whatever it failed with: that is no guess of the caller's. */
  private static boolean isOfCredential(Throwable why) {
    return why instanceof IllegalArgumentException;
  }

  /** A wrong credential is answered late; a failed look-up, at once. */
  private Future<Validated> refused(Throwable why, String address, Refusal kind) {
    if (!isOfCredential(why)) {
      return Future.failedFuture(why);
    }
    var delay = guard.throttle().delay(address, null);
    guard.throttle().failed(address, null);
    var refusal = refusal(kind, "The credential is not valid, or not any more: sign in again");
    Future<Void> waited = delay.isZero() ? Future.succeededFuture() : guard.delays().after(delay);
    return waited.compose(_ -> Future.failedFuture(refusal));
  }

  private SkeinException refusal(Refusal kind, String why) {
    guard.metrics().refused(kind);
    return new SkeinException(ErrorCode.UNAUTHENTICATED, why);
  }
}
