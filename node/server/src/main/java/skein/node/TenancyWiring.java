package skein.node;

import java.util.HashMap;
import skein.execution.Quota;
import skein.execution.TenantLimits;
import skein.http.Tenancy;
import skein.model.DefinitionRef;
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

  /** Percent of script threads by tenant; the default tenant has no bound. */
  static Quota scriptShares(TenancyConfig tenancy) {
    if (!tenancy.enabled()) {
      return Quota.UNLIMITED;
    }
    var shares = new HashMap<>(tenancy.limits().scriptShareOf());
    shares.put(DefinitionRef.DEFAULT_TENANT, Quota.NONE);
    return new Quota(tenancy.limits().scriptShare(), shares);
  }
}
