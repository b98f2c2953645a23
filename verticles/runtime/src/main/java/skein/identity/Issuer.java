package skein.identity;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * An external issuer whose tokens are accepted: an OpenID provider.
 *
 * @param name as its tokens have it, {@code iss}
 * @param audience one of {@code aud}
 * @param skew by which clocks may differ
 */
public record Issuer(String name, String audience, Claims claims, Duration skew) {
  /**
   * What its tokens say about a user, and where.
   *
   * @param permissions where they are listed; others than Skein's mean nothing
   * @param roles where roles or groups are listed, as {@code realm_access.roles}
   * @param rolesHere what is listed there, and which role it is here; what is not in it stands for
   *     the role of the same name, if there is one
   * @param names where a user's name is, the first that is there
   * @param namePrefix precedes the name here, so that people of different issuers differ
   */
  public record Claims(
      String permissions,
      String roles,
      Map<String, String> rolesHere,
      List<String> names,
      String namePrefix,
      Tenants tenants) {
    public static final List<String> NAMES =
        List.of("preferred_username", "name", "client_id", "azp", "sub");

    public Claims {
      rolesHere = Map.copyOf(rolesHere);
      names = List.copyOf(names);
    }

    /** The claims of people of the default tenant. */
    public Claims(
        String permissions,
        String roles,
        Map<String, String> rolesHere,
        List<String> names,
        String namePrefix) {
      this(permissions, roles, rolesHere, names, namePrefix, Tenants.DEFAULT_ONLY);
    }
  }

  /**
   * The tenants of its people.
   *
   * @param claim where the name of a tenant is; empty: nowhere, and all are of the default tenant
   * @param allowed tenants that its tokens may name, the default tenant being the empty text; a
   *     token of any other tenant is refused; empty: all are allowed
   */
  public record Tenants(String claim, Set<String> allowed) {
    /** The claims name no tenants. */
    public static final Tenants DEFAULT_ONLY = new Tenants("", Set.of());

    public Tenants {
      allowed = Set.copyOf(allowed);
    }

    /** Tokens may name every tenant in this claim. */
    public static Tenants of(String claim) {
      return new Tenants(claim, Set.of());
    }

    boolean allows(String tenant) {
      return allowed.isEmpty() || allowed.contains(tenant);
    }
  }

  /** The same for tokens of another audience. */
  Issuer withAudience(String other) {
    return new Issuer(name, other, claims, skew);
  }
}
