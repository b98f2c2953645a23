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
 * @param limits what each tenant may use
 */
public record TenancyConfig(
    boolean enabled,
    String claim,
    @Nullable String header,
    Map<String, String> hosts,
    boolean allowOffWithTenants,
    Limits limits) {
  private static final int STARTS_MAX = 1_000_000;
  private static final int INSTANCES_MAX = 1_000_000_000;

  /**
   * 0 is any number of starts and instances.
   *
   * @param startsPerSecond of a tenant, on a node
   * @param startsPerSecondOf by tenant, where it is another number
   * @param instancesMax unfinished instances of a tenant, in the cluster
   * @param instancesMaxOf by tenant, where it is another number
   * @param scriptShare percent of the time of script threads that a tenant has at most while others
   *     wait, from 1 to 100
   * @param scriptShareOf by tenant, where it is another number
   */
  public record Limits(
      int startsPerSecond,
      Map<String, Integer> startsPerSecondOf,
      int instancesMax,
      Map<String, Integer> instancesMaxOf,
      int scriptShare,
      Map<String, Integer> scriptShareOf) {
    static Limits from(Settings s) {
      return new Limits(
          s.integer("tenancy.starts-per-second", "0", 0, STARTS_MAX),
          numbers(s, "tenancy.starts-per-second-of", 0, STARTS_MAX),
          s.integer("tenancy.instances-max", "0", 0, INSTANCES_MAX),
          numbers(s, "tenancy.instances-max-of", 0, INSTANCES_MAX),
          s.integer("tenancy.script-share", "100", 1, 100),
          numbers(s, "tenancy.script-share-of", 1, 100));
    }

    private static Map<String, Integer> numbers(Settings s, String key, int min, int max) {
      var numbers = new HashMap<String, Integer>();
      s.textMap(key)
          .forEach((tenant, text) -> {
            s.require(
                TenantName.isValid(tenant),
                key + ": \"" + tenant + "\" is not the name of a tenant");
            long number = text.matches("[0-9]{1,10}") ? Long.parseLong(text) : -1;
            boolean isNumber = number >= min && number <= max;
            s.require(
                isNumber, key + ": \"" + text + "\" is not a number from " + min + " to " + max);
            if (isNumber) {
              numbers.put(tenant, Integer.parseInt(text));
            }
          });
      return Map.copyOf(numbers);
    }
  }

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
        s.flag("tenancy.allow-off-with-tenants", "false"),
        Limits.from(s));
  }
}
