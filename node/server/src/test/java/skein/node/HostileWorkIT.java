package skein.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import skein.node.dev.Ports;

/** Work that means harm, one kind after the other and all together, beside an honest caller. */
@ExtendWith(TestClusters.class)
@TestInstance(Lifecycle.PER_CLASS)
@Tag("long")
@Tag("alone")
class HostileWorkIT {
  private static final Duration FREED = Duration.ofSeconds(45);

  /** What limits answer; 500 is no such answer. */
  private static final List<Integer> ANSWERS =
      List.of(200, 201, 202, 400, 404, 408, 409, 413, 429, 503);

  private final TestCluster cluster;
  private final int port = Ports.free(1).getFirst();
  private Siege siege;

  HostileWorkIT(TestPostgres postgres) {
    var source = "data-sources." + HostileWork.DATA_SOURCE;
    var url = postgres.uri().replace("@", ":" + postgres.password() + "@");
    var settings = Map.of("data-sources", HostileWork.DATA_SOURCE, source + ".url", url);
    cluster =
        new TestCluster(postgres, TestClusters.folder(), "hostile_work", List.of(port), settings);
  }

  @BeforeAll
  void start() {
    cluster.startAll();
    siege = new Siege(cluster.node(0), port);
  }

  @AfterAll
  void stop() {
    cluster.close();
  }

  @ParameterizedTest
  @EnumSource
  void work_that_others_hardly_notice(HostileWork work) throws Exception {
    withstands(work.toString(), List.of(work));
  }

  /** Not in every build: with 256 MiB of heap, one node in eight was out of memory. */
  @Test
  @EnabledIfSystemProperty(named = "skein.siege.together", matches = "true")
  void all_of_it_together() throws Exception {
    withstands("all of it together", List.of(HostileWork.values()));
  }

  private void withstands(String name, Collection<HostileWork> works) throws Exception {
    works.forEach(work -> work.prepare(cluster.api(0)));
    var floods = new ArrayList<HostileFlood>();
    siege.withstands(
        name,
        FREED,
        () -> {
          floods.add(HostileFlood.begin(port, works));
          return floods.getFirst();
        });

    var flood = floods.getFirst();
    Measured.say("answers to " + name, "%s", flood.answers());
    assertThat(flood.unready()).as("times that the node was not ready").isZero();
    for (var work : works) {
      var answers = flood.answers().getOrDefault(work, Map.of());
      assertThat(ANSWERS).as(work + ": " + answers).containsAll(answers.keySet());
      assertThat(answers.values().stream().mapToInt(Integer::intValue).sum())
          .as("answers to " + work)
          .isGreaterThanOrEqualTo(work.callsMin());
    }
  }
}
