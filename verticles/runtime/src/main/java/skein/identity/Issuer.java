package skein.identity;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Somebody else whose tokens are taken: an OpenID provider.
 *
 * @param name as its tokens have it, {@code iss}
 * @param audience one of {@code aud}
 * @param permissionsClaim where permissions are listed; others than Skein's mean nothing
 * @param rolesClaim where roles or groups are listed, as {@code realm_access.roles}
 * @param roles what is listed there, and which role it is here; what is not in it stands for the
 *     role of the same name, if there is one
 * @param nameClaims where a user's name is, the first that is there
 * @param skew by which clocks may differ
 */
public record Issuer(
    String name,
    String audience,
    String permissionsClaim,
    String rolesClaim,
    Map<String, String> roles,
    List<String> nameClaims,
    Duration skew) {
  public static final List<String> NAME_CLAIMS =
      List.of("preferred_username", "name", "client_id", "azp", "sub");

  public Issuer {
    roles = Map.copyOf(roles);
    nameClaims = List.copyOf(nameClaims);
  }

  /** The same of tokens that are for somebody else. */
  Issuer withAudience(String other) {
    return new Issuer(name, other, permissionsClaim, rolesClaim, roles, nameClaims, skew);
  }
}
