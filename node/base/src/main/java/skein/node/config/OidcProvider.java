package skein.node.config;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import skein.model.DefinitionRef;
import skein.model.TenantName;

/**
 * An OpenID provider whose tokens are taken.
 *
 * @param key by which the configuration names it; empty: the one that has no name
 * @param issuer as its tokens have it
 */
public record OidcProvider(
    String key,
    String issuer,
    String audience,
    Connection connection,
    Claims claims,
    Duration clockSkew,
    Client client) {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Pattern LOOPBACK = Pattern.compile("localhost|127\\..*|\\[::1]");
  private static final String OPENID = "openid";
  private static final String UNNAMED = "security.oidc";
  private static final String NAMED = UNNAMED + ".providers";

  /** No name of a tenant: those begin with a letter or digit. */
  private static final String DEFAULT_TENANT = "_default";

  /**
   * How nodes ask it.
   *
   * @param jwksUrl of its keys; empty: its metadata say it
   * @param caFile authorities in PEM that have signed its certificate; null: those of Java
   */
  public record Connection(String jwksUrl, @Nullable Path caFile) {}

  /**
   * Where its tokens say who the user is and what they may do.
   *
   * @param rolesHere the names that its roles have here
   * @param namePrefix precedes the names that people have there
   * @param tenants that its tokens may name, the default tenant being the empty text; empty: all
   */
  public record Claims(
      String permissions,
      String roles,
      Map<String, String> rolesHere,
      String namePrefix,
      Set<String> tenants) {
    public Claims {
      rolesHere = Map.copyOf(rolesHere);
      tenants = Set.copyOf(tenants);
    }
  }

  /**
   * How people sign in there with a browser.
   *
   * @param id empty: they do not
   * @param secret empty: the provider knows a public client
   * @param name empty: the issuer's host
   * @param sessionMax after which they sign in there again
   */
  public record Client(
      String id, Secret secret, String name, List<String> scopes, Duration sessionMax) {}

  /** The one without a name, if there is one, then those with names in alphabetical order. */
  static List<OidcProvider> from(Settings s) {
    var providers = new ArrayList<OidcProvider>();
    var unnamed = read(s, "", UNNAMED, "");
    unnamed.check(s, UNNAMED);
    if (!unnamed.issuer().isEmpty()) {
      providers.add(unnamed);
    }
    for (var key : s.names(NAMED)) {
      var at = at(key);
      var named = read(s, key, at, key + ":");
      s.require(!named.issuer().isEmpty(), at + ".issuer: is needed, whose tokens are taken");
      named.check(s, at);
      providers.add(named);
    }
    checkIssuers(s, providers);
    return List.copyOf(providers);
  }

  /** The key of a setting of this provider. */
  public String setting(String name) {
    return at(key) + "." + name;
  }

  private static String at(String key) {
    return key.isEmpty() ? UNNAMED : NAMED + "." + key;
  }

  private static String tenant(String item) {
    if (item.equals(DEFAULT_TENANT)) {
      return DefinitionRef.DEFAULT_TENANT;
    }
    if (!TenantName.isValid(item)) {
      throw new IllegalArgumentException(
          "has \"" + item + "\", which is neither the name of a tenant nor " + DEFAULT_TENANT);
    }
    return item;
  }

  private static OidcProvider read(Settings s, String key, String at, String namePrefix) {
    return new OidcProvider(
        key,
        s.uri(at + ".issuer", "", "http", "https").toString(),
        s.text(at + ".audience", ""),
        new Connection(
            s.uri(at + ".jwks-url", "", "http", "https").toString(), s.path(at + ".ca-file")),
        new Claims(
            s.text(at + ".permissions-claim", "permissions"),
            s.text(at + ".roles-claim", "roles"),
            s.textMap(at + ".roles"),
            s.text(at + ".name-prefix", namePrefix),
            Set.copyOf(s.list(at + ".tenants", OidcProvider::tenant))),
        s.duration(at + ".clock-skew", "30s", Duration.ZERO),
        new Client(
            s.text(at + ".client-id", ""),
            s.secretOrFile(at + ".client-secret"),
            s.text(at + ".display-name", ""),
            s.list(at + ".scopes", List.of(OPENID, "profile"), scope -> scope),
            s.duration(at + ".session-max", "12h", SECOND)));
  }

  private void check(Settings s, String at) {
    s.require(
        issuer.isEmpty() || !audience.isBlank(),
        at + ".audience: is needed with " + at + ".issuer");
    s.require(
        connection.caFile() == null || !issuer.isEmpty(),
        at + ".issuer: is needed with " + at + ".ca-file");
    s.require(
        client.id().isEmpty() || !issuer.isEmpty(),
        at + ".issuer: is needed with " + at + ".client-id");
    s.require(
        client.secret().value().isEmpty() || !client.id().isEmpty(),
        at + ".client-id: is needed with " + at + ".client-secret");
    s.require(client.scopes().contains(OPENID), at + ".scopes: openid must be one of them");
    s.require(
        isPrivate(issuer) && isPrivate(connection.jwksUrl()),
        at + ".issuer and " + at + ".jwks-url: must be https, or on this machine");
  }

  /** Its tokens must be able to name the tenants that they are bound to. */
  void check(Settings s, TenancyConfig tenancy) {
    s.require(
        claims.tenants().isEmpty() || (tenancy.enabled() && !tenancy.claim().isEmpty()),
        setting("tenants") + ": is set, and tenancy.enabled is false or tenancy.claim empty");
  }

  /** The issuer of a token identifies its provider, so issuers must differ. */
  private static void checkIssuers(Settings s, List<OidcProvider> providers) {
    var keys = new HashMap<String, String>();
    for (var provider : providers) {
      var other = keys.putIfAbsent(provider.issuer(), provider.key());
      s.require(
          other == null || provider.issuer().isEmpty(),
          NAMED
              + "."
              + provider.key()
              + ".issuer: is the issuer of "
              + at(other == null ? "" : other)
              + ", too: each provider has another one");
    }
  }

  private static boolean isPrivate(String url) {
    if (!url.startsWith("http:")) {
      return true;
    }
    var host = URI.create(url).getHost();
    return host != null && LOOPBACK.matcher(host).matches();
  }
}
