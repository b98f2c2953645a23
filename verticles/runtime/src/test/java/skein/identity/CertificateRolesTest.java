package skein.identity;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import skein.storage.Database;
import skein.storage.RoleStore;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CertificateRolesTest {
  private static final Duration SOON = Duration.ofSeconds(1);
  private static final InstantSource CLOCK = InstantSource.system();

  private final Vertx vertx = Vertx.vertx();

  @AfterAll
  void stop() {
    vertx.close().await();
  }

  /** The role is built in, so that the database is not asked: no server listens there. */
  private CertificateRoles roles() {
    var database =
        new Database(
            vertx,
            new Database.Options(
                new Database.Login("postgresql://postgres@127.0.0.1:1/postgres"),
                "none",
                new Database.PoolLimits(1, 10),
                new Database.Timeouts(SOON, SOON),
                new Database.Reads(1, 10, 1 << 20)));
    var permissions = new RolePermissions(new RoleStore(database));
    return new CertificateRoles(Map.of("billing", "task-user"), permissions, CLOCK, SOON);
  }

  @Test
  void a_program_with_a_certificate_is_no_application_of_its_name() {
    var certificate = new Credential.Certificate("billing", CLOCK.instant().plusSeconds(60));

    var caller = roles().verify(certificate).await().caller();

    var namesake = new Caller.Application("billing", List.of("task-user"), caller.permissions());
    assertThat(caller.taskUser())
        .isEqualTo("certificate:billing")
        .isNotEqualTo(namesake.taskUser());
    assertThat(caller.label()).isEqualTo("certificate:billing").isNotEqualTo(namesake.label());
    assertThat(caller.roles()).containsExactly("task-user");
    assertThat(caller.permissions().allows("write:user-tasks")).isTrue();
    assertThat(caller.tenant()).isEmpty();
  }
}
