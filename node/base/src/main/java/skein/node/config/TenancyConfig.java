package skein.node.config;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.model.TenantName;

/**
 * Whether there are tenants, and how that of a request is found.
 *
 * @param claim of bearer tokens that names the tenant; empty: none
 * @param header that names the tenant; null: none
 * @param hosts tenants by the names of hosts, in lower case
 * @param allowOffWithTenants whether a node starts without tenants on a database that has them
 */
public record TenancyConfig(
    boolean enabled,
    String claim,
    @Nullable String header,
    Map<String, String> hosts,
    boolean allowOffWithTenants) {
  static TenancyConfig from(Settings s) {
    var enabled = s.flag("tenancy.enabled", "false");
    var claim = s.text("tenancy.claim", "tenant_id");
    var header = s.text("tenancy.header", "");
    var hosts = new HashMap<String, String>();
    s.textMap("tenancy.hosts")
        .forEach((host, tenant) -> {
          s.require(
              TenantName.isValid(tenant),
              "tenancy.hosts: \"" + tenant + "\" is not the name of a tenant");
          hosts.put(host.toLowerCase(Locale.ROOT), tenant);
        });
    s.require(
        header.isEmpty() || header.matches("[A-Za-z0-9-]{1,100}"),
        "tenancy.header: \"" + header + "\" is not the name of a header");
    s.require(
        enabled || (header.isEmpty() && hosts.isEmpty()),
        "tenancy.enabled: is false, and tenancy.header or tenancy.hosts says whose requests are");
    return new TenancyConfig(
        enabled,
        claim,
        header.isEmpty() ? null : header,
        Map.copyOf(hosts),
        s.flag("tenancy.allow-off-with-tenants", "false"));
  }
}
