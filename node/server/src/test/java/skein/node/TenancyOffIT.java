package skein.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tenants are switched off on a database that has them. */
@ExtendWith(TestClusters.class)
class TenancyOffIT {
  private static final Duration REFUSED_MAX = Duration.ofSeconds(60);

  @Test
  void a_node_ends_with_what_to_do_and_starts_when_they_are_gone(TestPostgres postgres) {
    try (var cluster = TestClusters.another(postgres, "tenancyoff", 1, Map.of())) {
      cluster.startAll();
      cluster
          .sql()
          .rows(
              "insert into identity_users (id, name, password, roles, tenant_id)"
                  + " values ('u1', 'kim', 'x', '{}', 'acme')");
      cluster.killAll();
      var node = cluster.node(0);

      node.start();

      assertThat(node.awaitExit(REFUSED_MAX)).isEqualTo(1);
      assertThat(node.output())
          .anyMatch(line ->
              line.contains("TENANTS_THERE") && line.contains("tenancy.allow-off-with-tenants"));
      cluster.sql().rows("delete from identity_users");
      cluster.startAll();
      assertThat(node.isReady()).isTrue();
    }
  }
}
