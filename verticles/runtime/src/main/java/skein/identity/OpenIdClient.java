package skein.identity;

import java.time.Duration;
import java.util.List;

/**
 * What the cluster is to an OpenID provider that signs people in.
 *
 * @param name of the provider, as people see it
 * @param id by which the provider knows the cluster; its tokens are for that audience
 * @param secret empty: the provider knows the cluster as a public client
 * @param scopes what is asked for; {@code openid} among them
 * @param sessionMax after which a person has to sign in there again
 */
public record OpenIdClient(
    String name, String id, String secret, List<String> scopes, Duration sessionMax) {
  public OpenIdClient {
    scopes = List.copyOf(scopes);
  }

  @Override
  public String toString() {
    return "OpenIdClient[name=" + name + ", id=" + id + "]";
  }
}
