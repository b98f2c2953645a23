package skein.identity;

import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.auth.JWTOptions;
import io.vertx.ext.auth.jwt.JWTAuth;
import io.vertx.ext.auth.jwt.JWTAuthOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import skein.model.ErrorCode;
import skein.model.SkeinException;
import skein.model.TenantName;

/**
 * Tokens of an {@link Issuer}. Its public keys are read when they are first needed, again when a
 * token names another one, and when they are old. While it does not answer, those that were read
 * last are used, and a token that names another one is neither right nor wrong. Only signatures
 * with public keys count: a key of an issuer is not a shared secret. Thread-safe.
 */
public final class IssuerTokens {
  private static final Logger log = LoggerFactory.getLogger(IssuerTokens.class);
  static final Set<String> ALGORITHMS =
      Set.of("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512");
  private static final Set<String> KEY_TYPES = Set.of("RSA", "EC");

  /** Tokens with invented key ids cause no more reads than this. */
  static final Duration REREAD_MIN = Duration.ofSeconds(10);

  /** The same after a read that has failed. */
  static final Duration RETRY_MIN = Duration.ofSeconds(2);

  static final Duration KEYS_AGE_MAX = Duration.ofHours(1);
  private static final int KEYS_MAX = 100;

  private final Vertx vertx;
  private final Issuer issuer;
  private final KeySource source;
  private final RolePermissions roles;
  private final Set<String> foreignPrefixes;
  private final LongSupplier nanoTime;
  private final Recheck recheck;
  private @Nullable Keys keys;
  private @Nullable Future<Keys> reading;

  /** Why the last read has failed; null: it has not. */
  private @Nullable Throwable unread;

  /** When the last read began, or failed. */
  private long readAt;

  private boolean asked;

  /**
   * @param names of those that have one
   * @param complete whether each has a name
   */
  private record Keys(JWTAuth verifier, Set<String> names, boolean complete) {
    /** Whether the key of this id may be one of them; null: the token names none. */
    boolean fit(@Nullable String keyId) {
      return keyId == null || !complete || names.contains(keyId);
    }
  }

  /**
   * @param foreignPrefixes of names that people of other issuers have here
   * @param recheck of what their roles allow, and of the keys
   */
  IssuerTokens(
      Vertx vertx,
      Issuer issuer,
      KeySource source,
      RolePermissions roles,
      Set<String> foreignPrefixes,
      LongSupplier nanoTime,
      Recheck recheck) {
    this.vertx = vertx;
    this.issuer = issuer;
    this.source = source;
    this.roles = roles;
    this.foreignPrefixes = foreignPrefixes;
    this.nanoTime = nanoTime;
    this.recheck = recheck;
  }

  String issuer() {
    return issuer.name();
  }

  boolean isOf(TokenShape shape) {
    return issuer.name().equals(shape.issuer());
  }

  /** It fails for a token that is not valid here and now. */
  Future<Validated> verify(String token, TokenShape shape) {
    return verified(token, shape).compose(this::validated);
  }

  /**
   * Its claims; it fails for a token that is not valid here and now, and with {@link
   * ErrorCode#NOT_READY} where the keys that decide it cannot be read.
   */
  Future<VerifiedToken> verified(String token, TokenShape shape) {
    return keysFor(shape.keyId()).compose(found -> VerifiedToken.by(found.verifier(), token));
  }

  private Future<Keys> keysFor(@Nullable String keyId) {
    Future<Keys> read;
    synchronized (this) {
      var known = keys;
      boolean fits = known != null && known.fit(keyId);
      read = reading == null && isDue(fits) ? begun() : reading;
      if (fits) {
        return Future.succeededFuture(known);
      }
    }
    return read == null ? former(keyId) : read.recover(_ -> former(keyId));
  }

  /** After a read that failed, tokens with other keys are not kept waiting for long. */
  private boolean isDue(boolean fits) {
    var since = Duration.ofNanos(nanoTime.getAsLong() - readAt);
    boolean wanted = !fits || unread != null || since.compareTo(KEYS_AGE_MAX) > 0;
    var min = unread == null || fits ? REREAD_MIN : RETRY_MIN;
    return wanted && (!asked || since.compareTo(min) > 0);
  }

  /** A read that may have ended already. */
  private Future<Keys> begun() {
    asked = true;
    readAt = nanoTime.getAsLong();
    var read = read();
    reading = read;
    read.onComplete(this::done);
    return read;
  }

  private synchronized void done(AsyncResult<Keys> read) {
    reading = null;
    unread = read.cause();
    if (read.succeeded()) {
      keys = read.result();
    } else {
      readAt = nanoTime.getAsLong();
    }
  }

  /**
   * Those that were read last. After a read that failed they do not say whether the issuer has a
   * key that is not among them.
   */
  private synchronized Future<Keys> former(@Nullable String keyId) {
    var known = keys;
    return known != null && (unread == null || known.fit(keyId))
        ? Future.succeededFuture(known)
        : Future.failedFuture(unreadable(unread));
  }

  private SkeinException unreadable(@Nullable Throwable cause) {
    return new SkeinException(
        ErrorCode.NOT_READY,
        "The keys of " + issuer.name() + " cannot be read: try again when it answers",
        List.of(),
        cause);
  }

  private Future<Keys> read() {
    return Future.succeededFuture()
        .compose(_ -> source.keys())
        .map(this::keys)
        .onFailure(e ->
            log.atWarn()
                .addKeyValue("issuer", issuer.name())
                .addKeyValue("cause", e.getMessage())
                .log("issuer.keysUnreadable"));
  }

  private Keys keys(List<JsonObject> published) {
    var usable = published.stream().filter(IssuerTokens::isUsable).limit(KEYS_MAX).toList();
    if (usable.isEmpty()) {
      throw new IllegalArgumentException("The issuer publishes no key for signatures");
    }
    var options =
        new JWTAuthOptions()
            .setJWTOptions(
                new JWTOptions()
                    .setIssuer(issuer.name())
                    .addAudience(issuer.audience())
                    .setLeeway((int) issuer.skew().toSeconds()));
    var names = new HashSet<String>();
    for (var key : usable) {
      options.addJwk(withAlgorithm(key));
      if (key.getValue("kid") instanceof String name) {
        names.add(name);
      }
    }
    var verifier = JWTAuth.create(vertx, options);
    log.atInfo()
        .addKeyValue("issuer", issuer.name())
        .addKeyValue("keys", usable.size())
        .log("issuer.keysRead");
    return new Keys(verifier, names, names.size() == usable.size());
  }

  private static boolean isUsable(JsonObject key) {
    var use = key.getValue("use");
    var algorithm = key.getValue("alg");
    return key.getValue("kty") instanceof String type
        && KEY_TYPES.contains(type)
        && (use == null || "sig".equals(use))
        && (algorithm == null || ALGORITHMS.contains(String.valueOf(algorithm)));
  }

  /** A key need not say it; that of a curve follows from the curve. */
  private static JsonObject withAlgorithm(JsonObject key) {
    if (key.containsKey("alg")) {
      return key;
    }
    var curve = String.valueOf(key.getValue("crv"));
    var algorithm =
        switch (curve) {
          case "P-256" -> "ES256";
          case "P-384" -> "ES384";
          case "P-521" -> "ES512";
          default -> "RS256";
        };
    return key.copy().put("alg", algorithm);
  }

  private Future<Validated> validated(VerifiedToken token) {
    var person = person(token);
    return roles
        .of(person.roles())
        .map(found -> {
          var caller =
              new Caller.User(
                  person.name(),
                  person.roles(),
                  found.permissions().plus(person.permissions()),
                  person.tenant());
          return new Validated(caller, recheck.until(token.expiresAt().plus(issuer.skew())));
        });
  }

  /**
   * The user that the claims name, with the roles that theirs map to here, and permissions beside
   * those.
   *
   * @throws IllegalArgumentException they name no user, or an invalid tenant
   * @throws ForeignNameException people of another issuer, or programs, have such names here
   * @throws ForeignTenantException this issuer may not name the tenant
   */
  Caller.User person(VerifiedToken token) {
    var claims = issuer.claims();
    var name = claims.names().stream().map(token::text).filter(n -> n != null).findFirst();
    if (name.isEmpty()) {
      throw new IllegalArgumentException("The token names no user");
    }
    var named = new ArrayList<String>();
    token
        .texts(claims.roles())
        .forEach(role -> named.add(claims.rolesHere().getOrDefault(role, role)));
    var own = new HashSet<String>();
    token.texts(claims.permissions()).stream().filter(Permissions::isName).forEach(own::add);
    return new Caller.User(nameHere(name.get()), named, new Permissions(own), tenantHere(token));
  }

  private String tenantHere(VerifiedToken token) {
    var tenants = issuer.claims().tenants();
    var tenant = tenant(token, tenants.claim());
    if (!tenants.allows(tenant)) {
      throw new ForeignTenantException(tenant);
    }
    return tenant;
  }

  /**
   * Whose the people of a token are.
   *
   * @param claim empty: there is none
   * @return empty, the default tenant's, only where the token has no such claim
   * @throws IllegalArgumentException it has, but no name of a tenant
   */
  static String tenant(VerifiedToken token, String claim) {
    if (claim.isEmpty() || !token.has(claim)) {
      return "";
    }
    var named = token.text(claim);
    if (named == null) {
      throw new IllegalArgumentException("The claim " + claim + " is not a valid tenant name");
    }
    return TenantName.check(named);
  }

  /** A name that is not for people of this issuer. */
  static final class ForeignNameException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    private ForeignNameException(String whose, String name) {
      super(whose + " have names like " + name);
    }
  }

  /** A tenant that this issuer may not name. */
  static final class ForeignTenantException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    private ForeignTenantException(String tenant) {
      super(
          "This provider may not sign in people of "
              + (tenant.isEmpty() ? "the default tenant" : "the tenant " + tenant));
    }
  }

  /**
   * People may choose their names at their provider, but not one that another provider gives, or
   * that programs have.
   */
  private String nameHere(String name) {
    var prefix = issuer.claims().namePrefix();
    var here = prefix + name;
    if (ReservedNames.isOfProgram(here)) {
      throw new ForeignNameException("Programs", here);
    }
    for (var foreign : foreignPrefixes) {
      if (foreign.length() > prefix.length() && here.startsWith(foreign)) {
        throw new ForeignNameException("People of another issuer", here);
      }
    }
    return here;
  }
}
