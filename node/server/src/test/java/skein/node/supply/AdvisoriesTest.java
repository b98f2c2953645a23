package skein.node.supply;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import skein.node.supply.Advisories.Advisory;
import skein.node.supply.Advisories.Component;
import skein.node.supply.Advisories.Decision;

/** No library with a vulnerability known here is used without a written justification. */
class AdvisoriesTest {
  private static final Path FILE = Path.of("..", "..", ".mvn", "advisories.json");
  private static final Set<String> SEVERITIES =
      Set.of("low", "medium", "high", "critical", "unrated");

  private static Advisories list = new Advisories(LocalDate.EPOCH, List.of());
  private static List<Component> used = List.of();

  @BeforeAll
  static void read() throws Exception {
    list = Advisories.read(FILE);
    used = Components.used();
  }

  @Test
  void what_is_used_has_no_known_hole_without_a_decision() {
    long days = ChronoUnit.DAYS.between(list.asOf(), LocalDate.now(ZoneOffset.UTC));
    System.out.printf(
        "%d advisories of %s, %d days ago, compared with %d components%n",
        list.all().size(), list.asOf(), days, used.size());

    assertThat(list.undecided(used)).isEmpty();
  }

  @Test
  void libraries_and_what_lies_in_them_are_compared() {
    assertThat(used)
        .hasSizeGreaterThan(70)
        .extracting(Component::name)
        .contains(
            "io.netty:netty-codec-http",
            "io.vertx:vertx-core",
            "com.hazelcast:hazelcast",
            "ch.qos.logback:logback-core",
            "quickjs-ng",
            "postgresql",
            "tools.jackson.core:jackson-core");
    assertThat(used).noneMatch(one -> one.version().isEmpty());
  }

  @Test
  void every_decision_is_about_something_that_is_used_and_affected() {
    for (var advisory : list.all()) {
      for (var decision : advisory.decisions()) {
        assertThat(decision.reason()).as(advisory.id()).hasSizeGreaterThan(40);
        if (isOfAnotherPlatform(decision)) {
          continue;
        }
        assertThat(used)
            .as("%s: decision about %s", advisory.id(), decision)
            .anyMatch(one -> advisory.concerns(one) && decision.isAbout(one));
      }
    }
  }

  /** Each platform has a PostgreSQL of its own, with other libraries in it. */
  private static boolean isOfAnotherPlatform(Decision decision) {
    var within = decision.within();
    return within != null
        && within.startsWith("io.zonky.test.postgres:")
        && used.stream().noneMatch(one -> one.name().equals(within));
  }

  @Test
  void every_advisory_is_whole() {
    assertThat(list.all()).hasSizeGreaterThan(20);
    for (var advisory : list.all()) {
      assertThat(advisory.id()).matches("CVE-\\d{4}-\\d{4,}|GHSA(-[0-9a-z]{4}){3}");
      assertThat(advisory.severity()).as(advisory.id()).isIn(SEVERITIES);
      assertThat(advisory.source()).as(advisory.id()).startsWith("https://");
      assertThat(advisory.affected()).as(advisory.id()).isNotEmpty();
      for (var fixed : advisory.fixed()) {
        assertThat(advisory.concerns(new Component(advisory.component(), fixed, null)))
            .as("%s in %s", advisory.id(), fixed)
            .isFalse();
      }
    }
    assertThat(list.all())
        .extracting(advisory -> advisory.id() + " " + advisory.component())
        .doesNotHaveDuplicates();
  }

  @Test
  void an_affected_version_is_told_and_a_decision_is_for_one_version_in_one_place() {
    var decision = new Decision("4.2.9.Final", null, "nothing reaches it");
    var advisory =
        new Advisory(
            "CVE-2000-0001",
            "io.netty:netty-codec-http",
            "high",
            List.of("(,4.1.135.Final)", "[4.2.0.Final,4.2.15.Final)"),
            List.of("4.1.135.Final", "4.2.15.Final"),
            "https://example.org",
            List.of(decision));
    var made = new Advisories(LocalDate.EPOCH, List.of(advisory));

    assertThat(made.undecided(List.of(netty("4.2.8.Final"))))
        .singleElement()
        .asString()
        .contains("io.netty:netty-codec-http 4.2.8.Final has CVE-2000-0001 (high)", "4.2.15.Final");
    assertThat(made.undecided(List.of(netty("4.1.134.Final")))).hasSize(1);
    assertThat(made.undecided(List.of(netty("4.2.9.Final")))).isEmpty();
    assertThat(
            made.undecided(
                List.of(new Component("io.netty:netty-codec-http", "4.2.9.Final", "other:jar"))))
        .hasSize(1);
    assertThat(made.undecided(List.of(netty("4.2.15.Final"), netty("4.1.135.Final")))).isEmpty();
    assertThat(made.undecided(List.of(new Component("io.netty:netty-codec", "4.2.8.Final", null))))
        .isEmpty();
  }

  private static Component netty(String version) {
    return new Component("io.netty:netty-codec-http", version, null);
  }
}
