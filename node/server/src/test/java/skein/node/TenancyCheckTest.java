package skein.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.Future;
import java.util.Map;
import org.junit.jupiter.api.Test;
import skein.node.config.TenancyConfig;

class TenancyCheckTest {
  private static TenancyConfig tenancy(boolean enabled, boolean allowOff) {
    var limits = new TenancyConfig.Limits(0, Map.of(), 0, Map.of(), 100, Map.of());
    return new TenancyConfig(enabled, "tenant_id", null, Map.of(), allowOff, limits);
  }

  private static Future<Void> check(TenancyConfig tenancy, boolean used) {
    return TenancyCheck.of(tenancy, () -> Future.succeededFuture(used));
  }

  @Test
  void a_node_without_tenants_does_not_start_on_a_database_that_has_them() {
    assertThatThrownBy(() -> check(tenancy(false, false), true).await())
        .isInstanceOfSatisfying(
            TenancyCheck.TenantsThereException.class,
            e ->
                assertThat(StartFailure.line(e))
                    .startsWith("TENANTS_THERE: ")
                    .contains("tenancy.enabled to true", "tenancy.allow-off-with-tenants to true"));
  }

  @Test
  void it_starts_where_there_are_none_or_where_that_is_allowed_explicitly() {
    assertThat(check(tenancy(false, false), false).succeeded()).isTrue();
    assertThat(check(tenancy(false, true), true).succeeded()).isTrue();
  }

  @Test
  void a_node_with_tenants_asks_nothing() {
    var checked =
        TenancyCheck.of(
            tenancy(true, false), () -> Future.failedFuture(new IllegalStateException("asked")));

    assertThat(checked.succeeded()).isTrue();
  }
}
