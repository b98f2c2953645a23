package skein.node;

import io.vertx.core.Vertx;
import io.vertx.core.net.TrustOptions;
import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import skein.http.IssuerKeys;
import skein.http.IssuerMetadata;
import skein.http.Security;
import skein.identity.ClientSecret;
import skein.identity.Identity;
import skein.identity.Issuer;
import skein.identity.OpenIdClient;
import skein.identity.RenewedClientSecret;
import skein.identity.Throttle;
import skein.ingress.BusCallers;
import skein.metrics.SecurityMetrics;
import skein.node.config.NodeConfig;
import skein.node.config.NodeConfig.Role;
import skein.node.config.OidcProvider;
import skein.node.config.SecurityConfig;
import skein.node.config.SecurityConfig.Mode;
import skein.node.config.TenancyConfig;
import skein.peers.ClientTls;
import skein.peers.UnusableTlsException;
import skein.storage.Database;

/** Authentication, as the configuration of a node says. */
final class SecurityWiring {
  private static final Duration START_MAX = Duration.ofSeconds(60);

  private SecurityWiring() {}

  /** Other machines could reach the API, and callers are not authenticated. */
  static final class UnprotectedException extends RuntimeException {
    UnprotectedException(String host) {
      super(
          "The API would be open on "
              + host
              + " for every client that reaches it, to read and change everything: authenticate"
              + " callers (security.mode: authenticated), or let only this machine connect"
              + " (http.host: 127.0.0.1). If only a proxy that knows its users can reach it,"
              + " security.mode: open starts this node as it is");
    }
  }

  /**
   * @throws UnprotectedException the node would serve other machines without authentication, and
   *     the configuration does not allow it explicitly
   */
  static void requireProtected(NodeConfig config) {
    var host = config.http().host();
    if (config.node().has(Role.HTTP)
        && config.security().mode() == Mode.LOOPBACK
        && !Loopback.isOnly(host)) {
      throw new UnprotectedException(host);
    }
  }

  /**
   * Where people sign in it creates the first administrator, too, if there are no users.
   *
   * @throws Identity.NobodyException no user could sign in
   * @throws UnusableTlsException the authorities of a provider cannot be read
   */
  static Security start(
      NodeConfig config, Vertx vertx, Database database, SecurityMetrics metrics) {
    var security = config.security();
    if (security.mode() != Mode.AUTHENTICATED) {
      return Security.OPEN;
    }
    var options = options(security, config.cluster().name());
    var externals =
        security.providers().stream()
            .map(provider -> external(provider, config.tenancy(), vertx))
            .toList();
    var started = Identity.start(vertx, database, options, externals, metrics);
    var identity = Await.result(started, START_MAX);
    if (servesHttp(config)) {
      var admin = security.admin();
      Await.result(identity.ensureAdmin(admin.name(), admin.password().value()), START_MAX);
    }
    return new Security.Authenticated(identity, security.managementOpen());
  }

  /** Its API, or health and metrics at a port of their own. */
  static boolean servesHttp(NodeConfig config) {
    return config.node().has(Role.HTTP) || config.http().portOptions().managementPort() != 0;
  }

  /** The callers that may send requests on the event bus. */
  static BusCallers busCallers(NodeConfig config, Security security) {
    return switch (security) {
      case Security.Open _ -> BusCallers.UNKNOWN;
      case Security.Authenticated(var identity, _) ->
          new BusCallers.Known(
              identity, config.security().busCallers() == SecurityConfig.BusCallers.AUTHENTICATED);
    };
  }

  private static Identity.Options options(SecurityConfig security, String cluster) {
    var lifetimes = security.lifetimes();
    var passwords = security.passwords();
    var guesses = security.guesses();
    return new Identity.Options(
        cluster,
        security.signingKey().value().isEmpty() ? null : security::signingKeys,
        new Identity.Lifetimes(lifetimes.access(), lifetimes.refresh(), lifetimes.apiKeyRecheck()),
        security.rememberedMax(),
        new Identity.Hashing(passwords.iterations(), passwords.threads(), passwords.queueMax()),
        new Throttle.Options(
            guesses.free(),
            guesses.delay(),
            guesses.delayMax(),
            guesses.forget(),
            guesses.knownMax(),
            guesses.atOnceMax()),
        security.certificateRoles());
  }

  /** As tokens of this provider are verified. */
  static Issuer issuer(OidcProvider provider, TenancyConfig tenancy) {
    var claims = provider.claims();
    var tenants =
        tenancy.enabled()
            ? new Issuer.Tenants(tenancy.claim(), claims.tenants())
            : Issuer.Tenants.DEFAULT_ONLY;
    return new Issuer(
        provider.issuer(),
        provider.audience(),
        new Issuer.Claims(
            claims.permissions(),
            claims.roles(),
            claims.rolesHere(),
            Issuer.Claims.NAMES,
            claims.namePrefix(),
            tenants),
        provider.clockSkew());
  }

  private static Identity.External external(
      OidcProvider provider, TenancyConfig tenancy, Vertx vertx) {
    var issuer = issuer(provider, tenancy);
    var metadata = metadata(provider, vertx);
    return new Identity.External(
        issuer,
        new IssuerKeys(metadata, provider.connection().jwksUrl()),
        browsers(provider, metadata, vertx));
  }

  /**
   * What asks this provider.
   *
   * @throws UnusableTlsException its authorities cannot be read
   */
  static IssuerMetadata metadata(OidcProvider provider, Vertx vertx) {
    var caFile = provider.connection().caFile();
    var trust = caFile == null ? null : TrustOptions.wrap(ClientTls.trustManager(caFile));
    return new IssuerMetadata(vertx, provider.issuer(), trust);
  }

  private static Identity.@Nullable Provider browsers(
      OidcProvider provider, IssuerMetadata metadata, Vertx vertx) {
    var client = provider.client();
    if (client.id().isEmpty()) {
      return null;
    }
    return new Identity.Provider(
        new OpenIdClient(
            provider.key(),
            client.name().isEmpty() ? URI.create(provider.issuer()).getHost() : client.name(),
            client.id(),
            clientSecret(provider, vertx),
            client.scopes(),
            client.sessionMax()),
        metadata);
  }

  /** One in a file may be replaced. */
  private static ClientSecret clientSecret(OidcProvider provider, Vertx vertx) {
    var secret = provider.client().secret();
    return secret.file() == null
        ? ClientSecret.fixed(secret.value())
        : new RenewedClientSecret(
            vertx, provider.setting("client-secret-file"), secret.value(), secret::now);
  }
}
