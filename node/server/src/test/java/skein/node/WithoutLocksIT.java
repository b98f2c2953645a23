package skein.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Every node executes what it receives, without a lock: the database alone decides. */
@ExtendWith(TestClusters.class)
@Tag("long")
class WithoutLocksIT {
  @Test
  void without_locks_and_owners_one_resume_of_many_still_commits(TestPostgres postgres)
      throws Exception {
    var settings = Map.of("cluster.locks", "none", "cluster.routing", "local");
    try (var cluster = TestClusters.another(postgres, "nolocks", 3, settings)) {
      cluster.startAll();
      new ResumeRace(cluster, "resume race without locks", false).run();

      try (var verify = VerifyIT.start(cluster)) {
        assertThat(verify.awaitEnd()).isEqualTo(1);
        assertThat(verify.output())
            .anyMatch(line -> line.contains("Locks are off on n1, n2, n3 (cluster.locks: none)"))
            .filteredOn(line -> line.startsWith("FAILED "))
            .hasSize(1);
      }
    }
  }
}
