package skein.http;

import io.vertx.core.MultiMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.identity.Caller;
import skein.model.ErrorCode;
import skein.model.SkeinException;
import skein.model.TenantName;
import skein.storage.TenantScope;

/**
 * The tenant of a request. A credential of a tenant comes before everything else: no header and no
 * host name changes its caller's tenant. A caller of the default tenant may be allowed to choose;
 * for unauthenticated callers the header counts where a trusted proxy has sent it, else the host
 * name.
 *
 * @param enabled whether there are tenants
 * @param header that names the tenant; null: none
 * @param hosts tenants by the names of hosts, in lower case and without ports
 */
public record Tenancy(boolean enabled, @Nullable String header, Map<String, String> hosts) {
  /** There are no tenants. */
  public static final Tenancy OFF = new Tenancy(false, null, Map.of());

  /** Lets callers of the default tenant name another one in the header. */
  static final String CHOOSE = "choose:tenants";

  public Tenancy {
    hosts = Map.copyOf(hosts);
  }

  /**
   * What a request says beside its credential.
   *
   * @param host that it is addressed to, without a port; null where it does not say
   * @param proxied whether a trusted proxy has sent it
   */
  record Site(MultiMap headers, @Nullable String host, boolean proxied) {}

  /** The scope of a request to the API. Throws {@code INVALID_REQUEST} for an invalid header. */
  TenantScope of(Caller caller, Site site) {
    if (!enabled) {
      return TenantScope.ALL;
    }
    if (caller instanceof Caller.Anonymous) {
      return ofSite(site);
    }
    var own = caller.tenant();
    boolean chooses = own.isEmpty() && caller.permissions().allows(CHOOSE);
    var named = chooses ? named(site) : null;
    return TenantScope.of(named == null ? own : named);
  }

  /**
   * Of a request to a workflow, whatever its caller's tenant is: the site says whose workflows
   * there are.
   */
  TenantScope ofSite(Site site) {
    if (!enabled) {
      return TenantScope.ALL;
    }
    var named = site.proxied() ? named(site) : null;
    return TenantScope.of(named == null ? ofHost(site) : named);
  }

  private @Nullable String named(Site site) {
    if (header == null) {
      return null;
    }
    var given = site.headers().getAll(header);
    if (given.isEmpty()) {
      return null;
    }
    var name = given.getFirst().strip();
    if (given.size() > 1 || !(name.isEmpty() || TenantName.isValid(name))) {
      throw new SkeinException(
          ErrorCode.INVALID_REQUEST, "The header " + header + " does not name one tenant");
    }
    return name;
  }

  private String ofHost(Site site) {
    var host = site.host() == null ? "" : site.host().toLowerCase(Locale.ROOT);
    var name = host.endsWith(".") ? host.substring(0, host.length() - 1) : host;
    return hosts.getOrDefault(name, "");
  }
}
