package skein.node;

import skein.execution.Quota;
import skein.execution.TenantLimits;
import skein.http.Tenancy;
import skein.node.config.TenancyConfig;

/** What parts of the node know of tenants, from its settings. */
final class TenancyWiring {
  private TenancyWiring() {}

  static Tenancy requests(TenancyConfig tenancy) {
    return tenancy.enabled() ? new Tenancy(true, tenancy.header(), tenancy.hosts()) : Tenancy.OFF;
  }

  static TenantLimits limits(TenancyConfig tenancy) {
    if (!tenancy.enabled()) {
      return TenantLimits.NONE;
    }
    var limits = tenancy.limits();
    return new TenantLimits(
        new Quota(limits.startsPerSecond(), limits.startsPerSecondOf()),
        new Quota(limits.instancesMax(), limits.instancesMaxOf()));
  }
}
