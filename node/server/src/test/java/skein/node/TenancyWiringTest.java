package skein.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import skein.execution.Quota;
import skein.node.config.TenancyConfig;

class TenancyWiringTest {
  private static TenancyConfig tenancy(boolean enabled) {
    var limits = new TenancyConfig.Limits(0, Map.of(), 0, Map.of(), 30, Map.of("shop", 10));
    return new TenancyConfig(enabled, "tenant_id", null, Map.of(), false, limits);
  }

  @Test
  void each_tenant_has_its_share_of_script_threads_and_the_default_tenant_no_bound() {
    assertThat(TenancyWiring.scriptShares(tenancy(true)))
        .isEqualTo(new Quota(30, Map.of("shop", 10, "", Quota.NONE)));
  }

  @Test
  void without_tenants_no_share_is_bounded() {
    assertThat(TenancyWiring.scriptShares(tenancy(false))).isEqualTo(Quota.UNLIMITED);
  }
}
