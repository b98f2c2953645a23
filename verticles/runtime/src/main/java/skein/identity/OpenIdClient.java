package skein.identity;

import java.time.Duration;
import java.util.List;

/**
 * The cluster as a client of an OpenID provider that signs people in.
 *
 * @param key of the provider in the configuration; empty: of the one that has none
 * @param name of the provider, as people see it
 * @param id by which the provider knows the cluster; its tokens are for that audience
 * @param secret with which it authenticates itself
 * @param scopes what is asked for; {@code openid} among them
 * @param sessionMax after which a person has to sign in there again
 */
public record OpenIdClient(
    String key,
    String name,
    String id,
    ClientSecret secret,
    List<String> scopes,
    Duration sessionMax) {
  public OpenIdClient {
    scopes = List.copyOf(scopes);
  }

  /** A setting of this provider. */
  String setting(String name) {
    return key.isEmpty() ? "security.oidc." + name : "security.oidc.providers." + key + "." + name;
  }

  @Override
  public String toString() {
    return "OpenIdClient[name=" + name + ", id=" + id + "]";
  }
}
