package skein.identity;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import skein.loop.EventLoop;
import skein.loop.VertxDelays;
import skein.metrics.SecurityMetrics;
import skein.storage.ApplicationStore;
import skein.storage.Database;
import skein.storage.RoleStore;
import skein.storage.SessionStore;
import skein.storage.SigningKeyStore;
import skein.storage.UserStore;

/** All that a node has to know who asks, made once for it. Thread-safe. */
public final class Identity {
  private static final Logger log = LoggerFactory.getLogger(Identity.class);

  private final Options options;
  private final Passwords passwords;
  private final UserStore users;
  private final RoleStore roleStore;
  private final ApplicationStore applications;
  private final RolePermissions roles;
  private final AccessTokens tokens;
  private final ApiKeys apiKeys;
  private final SignIn signIn;
  private final SignIn.Guard guard;
  private final Map<String, IssuerTokens> issuers;
  private final BrowserSignIns browserSignIns;
  private final ReservedNames reservedNames;
  private final InstantSource clock;

  /**
   * @param cluster whose tokens these are
   * @param signingKeys of which only the nodes know; null: one is kept in the database
   * @param rememberedMax credentials, of one event loop
   * @param certificateRoles of programs with a certificate, by the common name of its subject
   */
  public record Options(
      String cluster,
      @Nullable SigningKeys signingKeys,
      Lifetimes lifetimes,
      int rememberedMax,
      Hashing hashing,
      Throttle.Options throttle,
      Map<String, String> certificateRoles) {
    @Override
    public String toString() {
      return "Identity.Options[cluster=" + cluster + "]";
    }
  }

  /**
   * For how long results are trusted.
   *
   * @param access of access tokens
   * @param refresh after which a session ends that is not prolonged
   * @param apiKeyRecheck for how long a deleted API key, or a role as it was, may still be taken
   */
  public record Lifetimes(Duration access, Duration refresh, Duration apiKeyRecheck) {}

  /** As {@link Passwords} takes them. */
  public record Hashing(int iterations, int threads, int queueMax) {
    public static final Hashing DEFAULT = new Hashing(Passwords.ITERATIONS_DEFAULT, 2, 100);
  }

  /**
   * Tokens of another issuer, and where their keys are.
   *
   * @param provider where people sign in with a browser; null: nowhere
   */
  public record External(Issuer issuer, KeySource keys, @Nullable Provider provider) {
    /** An issuer whose tokens are accepted, and nothing else. */
    public External(Issuer issuer, KeySource keys) {
      this(issuer, keys, null);
    }
  }

  /** How the cluster signs people in at an OpenID provider. */
  public record Provider(OpenIdClient client, ProviderCalls calls) {}

  /** No user could sign in, and none could be created. */
  public static final class NobodyException extends RuntimeException {
    NobodyException() {
      super(
          "security.mode is authenticated, and no user could sign in: there is none. Name the first"
              + " administrator (security.admin-name, security.admin-password-file), or an issuer of"
              + " tokens (security.oidc.issuer)");
    }
  }

  private Identity(
      Vertx vertx,
      Database database,
      Options options,
      AccessTokens tokens,
      List<External> externals,
      SecurityMetrics metrics) {
    this.options = options;
    this.clock = InstantSource.system();
    var hashing = options.hashing();
    this.passwords =
        new Passwords(vertx, hashing.iterations(), hashing.threads(), hashing.queueMax());
    this.users = new UserStore(database);
    this.roleStore = new RoleStore(database);
    this.applications = new ApplicationStore(database);
    this.roles = new RolePermissions(roleStore);
    this.tokens = tokens;
    this.apiKeys = new ApiKeys(applications, roles, clock, options.lifetimes().apiKeyRecheck());
    this.guard =
        new SignIn.Guard(
            new Throttle(options.throttle(), System::nanoTime), new VertxDelays(vertx), metrics);
    var prefixes =
        externals.stream()
            .map(external -> external.issuer().claims().namePrefix())
            .filter(prefix -> !prefix.isEmpty())
            .collect(Collectors.toUnmodifiableSet());
    this.reservedNames = new ReservedNames(prefixes);
    this.signIn =
        new SignIn(
            new SignIn.Accounts(users, passwords, reservedNames),
            new SessionStore(database),
            roles,
            tokens,
            guard,
            options.lifetimes().refresh());
    this.issuers =
        externals.stream()
            .collect(
                Collectors.toUnmodifiableMap(
                    external -> external.issuer().name(),
                    external -> verifier(vertx, external, external.issuer(), prefixes)));
    var sealed = new SealedTexts(tokens::keys, options.cluster());
    var providers = new ArrayList<BrowserSignIn>();
    for (var external : externals) {
      if (external.provider() != null) {
        providers.add(browserSignIn(vertx, external, external.provider(), sealed, prefixes));
      }
    }
    this.browserSignIns = new BrowserSignIns(providers, signIn, sealed);
  }

  private IssuerTokens verifier(
      Vertx vertx, External external, Issuer issuer, Set<String> prefixes) {
    var recheck = new Recheck(clock, options.lifetimes().apiKeyRecheck());
    return new IssuerTokens(
        vertx, issuer, external.keys(), roles, prefixes, System::nanoTime, recheck);
  }

  private BrowserSignIn browserSignIn(
      Vertx vertx, External external, Provider provider, SealedTexts sealed, Set<String> prefixes) {
    var client = provider.client();
    var people = external.issuer().withAudience(client.id());
    return new BrowserSignIn(
        client,
        new KnownProvider(provider.calls(), people.name(), client.name(), System::nanoTime),
        provider.calls(),
        new IdTokens(verifier(vertx, external, people, prefixes), client, roles),
        signIn,
        sealed,
        clock);
  }

  /** {@code externals}: none takes no tokens but the cluster's own; of each issuer one. */
  public static Future<Identity> start(
      Vertx vertx,
      Database database,
      Options options,
      List<External> externals,
      SecurityMetrics metrics) {
    return tokens(vertx, database, options)
        .map(tokens -> new Identity(vertx, database, options, tokens, externals, metrics));
  }

  private static Future<AccessTokens> tokens(Vertx vertx, Database database, Options options) {
    var lifetime = options.lifetimes().access();
    var given = options.signingKeys();
    if (given == null) {
      return new SigningKeyStore(database)
          .keyOr(Secrets.random())
          .map(key -> new AccessTokens(vertx, List.of(key), options.cluster(), lifetime));
    }
    return vertx
        .executeBlocking(given::now, false)
        .map(keys -> {
          var known = Objects.requireNonNull(keys);
          var tokens = new AccessTokens(vertx, known, options.cluster(), lifetime);
          RenewedKeys.watch(vertx, tokens, given);
          return tokens;
        });
  }

  /**
   * Makes the first user, an administrator, unless there are users. Fails with {@link
   * NobodyException} when there are no users, and no issuer either.
   *
   * @param password null or empty: none is made
   */
  public Future<Void> ensureAdmin(String name, @Nullable String password) {
    return users
        .isEmpty()
        .compose(empty -> {
          if (!empty) {
            return Future.succeededFuture();
          }
          if (password == null || password.isEmpty()) {
            return issuers.isEmpty()
                ? Future.failedFuture(new NobodyException())
                : Future.succeededFuture();
          }
          return makeAdmin(name, password);
        });
  }

  private Future<Void> makeAdmin(String name, String password) {
    return passwords
        .hash(password)
        .compose(hash ->
            users.insertFirst(
                new UserStore.User(
                    Ids.random(), name, hash, List.of(BuiltInRole.ADMIN.wireName()))))
        .onSuccess(made -> {
          if (made) {
            log.atInfo().addKeyValue("user", name).log("security.adminMade");
          }
        })
        .mapEmpty();
  }

  public Authenticator authenticator(EventLoop loop) {
    var remembered = LruMaps.<Validated>map(options.rememberedMax());
    var certificates =
        new CertificateRoles(
            options.certificateRoles(), roles, clock, options.lifetimes().apiKeyRecheck());
    var programs = new Authenticator.Programs(apiKeys, certificates);
    return new Authenticator(loop, tokens, issuers, programs, guard, clock, remembered);
  }

  public SignIn signIn() {
    return signIn;
  }

  /** Without any people sign in with a password, or not at all. */
  public BrowserSignIns browserSignIns() {
    return browserSignIns;
  }

  public Passwords passwords() {
    return passwords;
  }

  public UserStore users() {
    return users;
  }

  /** That no user with a password may have. */
  public ReservedNames reservedNames() {
    return reservedNames;
  }

  public RoleStore roleStore() {
    return roleStore;
  }

  public RolePermissions roles() {
    return roles;
  }

  /**
   * What a caller may do by now. An access token says what its user could do when it was issued;
   * one who was deleted since may do nothing. Of other credentials it is what they say.
   */
  public Future<Permissions> permissionsNow(Caller caller) {
    if (!(caller instanceof Caller.User user) || user.userId() == null) {
      return Future.succeededFuture(caller.permissions());
    }
    return users
        .findById(user.userId())
        .compose(found ->
            found == null
                ? Future.succeededFuture(Permissions.NONE)
                : roles.of(found.roles()).map(RolePermissions.Found::permissions));
  }

  public ApplicationStore applications() {
    return applications;
  }

  public ApiKeys apiKeys() {
    return apiKeys;
  }

  public SecurityMetrics metrics() {
    return guard.metrics();
  }
}
