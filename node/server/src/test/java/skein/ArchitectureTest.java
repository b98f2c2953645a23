package skein;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;

/**
 * Who may import whom where modules do not say it already; the table of packages in the README of
 * verticles names each rule.
 */
@AnalyzeClasses(packages = "skein", importOptions = WithoutTests.class)
class ArchitectureTest {
  private static final String[] INTERPRETER = {
    "skein.expressions..", "skein.graph..", "skein.activities..", "skein.burst.."
  };

  @ArchTest
  static final ArchRule packages_form_no_cycle =
      slices().matching("skein.(**)").should().beFreeOfCycles();

  /**
   * The commit session's own are distinguished by the committer beside it, and seen by no other
   * class.
   */
  @ArchTest
  static final ArchRule exceptions_end_in_exception =
      classes()
          .that()
          .areAssignableTo(Exception.class)
          .and()
          .haveNameNotMatching("skein\\.storage\\.CommitSession\\$.*")
          .should()
          .haveSimpleNameEndingWith("Exception");

  @ArchTest
  static final ArchRule the_model_is_plain_java =
      classes()
          .that()
          .resideInAPackage("skein.model")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage("skein.model", "java..", "org.jspecify..");

  @ArchTest
  static final ArchRule figures_are_plain_java =
      classes()
          .that()
          .resideInAPackage("skein.metrics")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage("skein.metrics", "skein.model", "java..", "org.jspecify..");

  @ArchTest
  static final ArchRule encryption_is_that_of_the_jdk =
      classes()
          .that()
          .resideInAPackage("skein.encryption")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "skein.encryption", "skein.model", "java..", "javax.crypto..", "org.jspecify..");

  @ArchTest
  static final ArchRule messages_are_plain_java =
      classes()
          .that()
          .resideInAPackage("skein.messages")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage("skein.messages", "skein.model", "java..", "org.jspecify..");

  @ArchTest
  static final ArchRule loops_know_vertx_alone =
      classes()
          .that()
          .resideInAPackage("skein.loop")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage("skein.loop", "java..", "io.vertx..", "io.netty..", "org.jspecify..");

  /** What is simulated must not reach for the time or the threads of the machine. */
  @ArchTest
  static final ArchRule commands_run_on_loops_and_their_clock =
      noClasses()
          .that()
          .resideInAnyPackage("skein.execution", "skein.ingress", "skein.cluster", "skein.events")
          .and()
          .haveSimpleNameNotEndingWith("Verticle")
          .and()
          .doNotHaveSimpleName("Nodes")
          .should()
          .callMethod(System.class, "nanoTime")
          .orShould()
          .callMethod(System.class, "currentTimeMillis")
          .orShould()
          .callMethod("io.vertx.core.Vertx", "setTimer", "long", "io.vertx.core.Handler")
          .orShould()
          .callMethod("io.vertx.core.Vertx", "setPeriodic", "long", "io.vertx.core.Handler")
          .orShould()
          .callMethod("io.vertx.core.Vertx", "timer", "long", "java.util.concurrent.TimeUnit")
          .orShould()
          .callMethod("io.vertx.core.Vertx", "timer", "long");

  @ArchTest
  static final ArchRule custom_activities_need_java_alone =
      classes()
          .that()
          .resideInAPackage("skein.spi")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage("skein.spi", "java..", "org.jspecify..");

  @ArchTest
  static final ArchRule the_interpreter_does_no_io =
      noClasses()
          .that()
          .resideInAnyPackage(INTERPRETER)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "java.net..",
              "java.nio.channels..",
              "java.sql..",
              "java.security..",
              "java.util.concurrent.locks..");

  @ArchTest
  static final ArchRule the_interpreter_has_no_clock_and_no_chance =
      noClasses()
          .that()
          .resideInAnyPackage(
              "skein.graph..", "skein.activities..", "skein.burst..", "skein.decisions..")
          .should()
          .callMethod(java.time.Instant.class, "now")
          .orShould()
          .callMethod(System.class, "currentTimeMillis")
          .orShould()
          .callMethod(System.class, "nanoTime")
          .orShould()
          .callMethod(Math.class, "random")
          .orShould()
          .callMethod(java.util.UUID.class, "randomUUID")
          .orShould()
          .dependOnClassesThat()
          .haveFullyQualifiedName("java.util.Random");

  /** Scripts draw from the seed of their burst, so that it can be computed again; no secret is. */
  @ArchTest
  static final ArchRule what_is_random_cannot_be_guessed =
      noClasses()
          .that()
          .resideOutsideOfPackages("skein.node.bench..", "skein.node.dev..")
          .and()
          .doNotHaveFullyQualifiedName("skein.burst.RunState")
          .should()
          .dependOnClassesThat()
          .belongToAnyOf(SplittableRandom.class, ThreadLocalRandom.class)
          .orShould()
          .callConstructor(Random.class)
          .orShould()
          .callConstructor(Random.class, long.class)
          .orShould()
          .callMethod(Math.class, "random")
          .orShould()
          .callMethod(RandomGenerator.class, "getDefault")
          .orShould()
          .callMethod(RandomGenerator.class, "of", String.class);

  @ArchTest
  static final ArchRule decisions_do_no_io =
      noClasses()
          .that()
          .resideInAnyPackage("skein.decisions..", "skein.testkit..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("java.net..", "java.nio.channels..", "java.sql..");

  @ArchTest
  static final ArchRule pacing_is_plain_java =
      classes()
          .that()
          .resideInAPackage("skein.pacing")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage("skein.pacing", "java..", "org.jspecify..");

  @ArchTest
  static final ArchRule forms_are_plain_java =
      classes()
          .that()
          .resideInAPackage("skein.forms")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "skein.forms",
              "skein.pacing",
              "skein.codecs",
              "java..",
              "com.google.re2j..",
              "org.jspecify..");

  /** What end users send is matched by nothing that may take more than linear time. */
  @ArchTest
  static final ArchRule patterns_of_definitions_are_in_forms =
      noClasses()
          .that()
          .resideOutsideOfPackage("skein.forms")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("com.google.re2j..");

  @ArchTest
  static final ArchRule identity_knows_nothing_of_http =
      classes()
          .that()
          .resideInAPackage("skein.identity")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "skein.identity",
              "skein.storage",
              "skein.loop",
              "skein.metrics",
              "skein.codecs",
              "skein.model",
              "java..",
              "javax.crypto..",
              "io.vertx.core",
              "io.vertx.core.json",
              "io.vertx.ext.auth..",
              "org.slf4j..",
              "org.jspecify..");

  @ArchTest
  static final ArchRule verticles_speak_only_in_messages =
      slices()
          .matching("skein.(execution|timers|http)..")
          .should()
          .notDependOnEachOther()
          .allowEmptyShould(true);

  @ArchTest
  static final ArchRule storage_sees_only_the_ground_floor =
      classes()
          .that()
          .resideInAPackage("skein.storage")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "skein.storage",
              "skein.encryption",
              "skein.postgres",
              "skein.loop",
              "skein.metrics",
              "skein.model",
              "skein.codecs",
              "java..",
              "io.vertx..",
              "org.slf4j..",
              "org.jspecify..");

  /** The statements of the engine; work has those of definitions, bench looks on from outside. */
  @ArchTest
  static final ArchRule sql_is_in_storage =
      noClasses()
          .that()
          .resideOutsideOfPackages(
              "skein.storage", "skein.postgres", "skein.work", "skein.node.bench")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("io.vertx.sqlclient..", "io.vertx.pgclient..");

  @ArchTest
  static final ArchRule requests_come_in_through_http_and_go_out_as_work =
      noClasses()
          .that()
          .resideOutsideOfPackages("skein.http", "skein.work")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.vertx.core.http..");

  @ArchTest
  static final ArchRule workers_know_nothing_of_instances =
      classes()
          .that()
          .resideInAPackage("skein.work")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "skein.work",
              "skein.metrics",
              "skein.postgres",
              "skein.activities",
              "skein.expressions",
              "skein.codecs",
              "skein.model",
              "skein.spi",
              "java..",
              "io.vertx..",
              "org.slf4j..",
              "org.jspecify..");

  @ArchTest
  static final ArchRule scripts_are_in_expressions =
      noClasses()
          .that()
          .resideOutsideOfPackages("skein.expressions", "skein.scripts")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("skein.scripts", "com.dylibso.chicory..");

  @ArchTest
  static final ArchRule the_clusters_own_locks_are_not_used =
      noClasses()
          .should()
          .dependOnClassesThat()
          .haveFullyQualifiedName("io.vertx.core.shareddata.SharedData");
}
