package skein.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import skein.node.config.NodeConfig;
import skein.node.config.Settings;

class InstanceCountsTest {
  private static final Map<String, String> NOTHING_NEEDS_THEM =
      Map.of(
          "metrics.enabled", "false",
          "execution.instances-per-definition-max", "0",
          "tenancy.enabled", "true",
          "security.mode", "open");

  private static boolean needed(String... flags) {
    var all = new HashMap<>(NOTHING_NEEDS_THEM);
    for (int i = 0; i < flags.length; i += 2) {
      all.put(flags[i], flags[i + 1]);
    }
    return InstanceCounts.areNeeded(NodeConfig.from(new Settings(null, Map.of(), all)));
  }

  @Test
  void without_metrics_and_limits_nothing_is_counted() {
    assertThat(needed()).isFalse();
    assertThat(needed("metrics.enabled", "true")).isTrue();
  }

  @Test
  void limits_need_counts_whether_metrics_are_served_or_not() {
    assertThat(needed("execution.instances-per-definition-max", "5")).isTrue();
    assertThat(needed("tenancy.instances-max", "5")).isTrue();
    assertThat(needed("tenancy.instances-max-of", "shop=5")).isTrue();
    assertThat(needed("tenancy.starts-per-second", "5")).isFalse();
    assertThat(needed("tenancy.instances-max", "5", "tenancy.enabled", "false")).isFalse();
  }

  @Test
  void limits_are_those_of_nodes_that_execute_or_import() {
    for (var role : new String[] {"http", "execution"}) {
      assertThat(needed("execution.instances-per-definition-max", "5", "node.roles", role))
          .as(role)
          .isTrue();
    }
    assertThat(needed("node.roles", "http")).isFalse();
    assertThat(needed("tenancy.instances-max", "5", "node.roles", "http")).isTrue();
    assertThat(needed("tenancy.instances-max", "5", "node.roles", "execution")).isTrue();
    assertThat(needed("metrics.enabled", "true", "node.roles", "http")).isTrue();
  }
}
