package skein.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Every node executes what it receives, so that nodes meet at the locks of the database. */
@ExtendWith(TestClusters.class)
@Tag("long")
class PostgresLocksClusterIT {
  @Test
  void of_many_who_resume_an_instance_at_once_on_three_nodes_one_does(TestPostgres postgres)
      throws Exception {
    var settings = Map.of("cluster.locks", "postgresql", "cluster.routing", "local");
    try (var cluster = TestClusters.another(postgres, "pglocks", 3, settings)) {
      cluster.startAll();

      new ResumeRace(cluster, "resume race with locks of PostgreSQL", true).run();

      assertThat(cluster.logged("Distributed lock acquisition by "))
          .hasSize(3)
          .allMatch(line -> line.startsWith("postgresql"));
    }
  }
}
