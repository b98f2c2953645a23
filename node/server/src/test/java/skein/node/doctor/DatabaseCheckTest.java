package skein.node.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import skein.node.config.NodeConfig;
import skein.node.config.Settings;
import skein.node.doctor.Diagnosis.Grade;
import skein.storage.DatabaseProbe.Facts;
import skein.storage.DatabaseProbe.Rights;
import skein.storage.DatabaseProbe.Schema;
import skein.storage.DatabaseProbe.Server;
import skein.storage.Migrations;

/** What cannot be had from a real database in a test: clocks, standbys, old servers. */
class DatabaseCheckTest {
  private static final Server SERVER = new Server("17.2", 17, null, 100, 5);
  private static final Rights RIGHTS = new Rights(true, true, true, true);

  private static Facts facts(
      Server server,
      boolean standby,
      Duration ahead,
      List<String> unsafe,
      Rights rights,
      int version) {
    var schema = new Schema(version, false);
    return new Facts(server, standby, ahead, Duration.ofMillis(2), unsafe, rights, schema);
  }

  private static List<Diagnosis> wrong(Facts facts, String url) {
    return wrong(facts, Map.of("database.url", url));
  }

  private static void assertOnly(Facts facts, Grade grade, String check, String cure) {
    assertOnly(wrong(facts, "postgresql://127.0.0.1/elsa"), grade, check, cure);
  }

  private static void assertOnly(
      List<Diagnosis> found, Grade grade, String check, @Nullable String cure) {
    assertThat(found).extracting(Diagnosis::check).containsExactly(check);
    assertThat(found.getFirst().grade()).isEqualTo(grade);
    assertThat(found.getFirst().cure()).contains(cure);
  }

  private static Facts sound() {
    return facts(SERVER, false, Duration.ZERO, List.of(), RIGHTS, Migrations.NEWEST);
  }

  @Test
  void a_sound_database_has_nothing_wrong() {
    assertThat(wrong(sound(), "postgresql://127.0.0.1/elsa")).isEmpty();
  }

  @Test
  void tenants_that_are_switched_off_are_refused_or_if_that_is_allowed_a_warning() {
    var there = new Schema(Migrations.NEWEST, true);
    var facts =
        new Facts(SERVER, false, Duration.ZERO, Duration.ofMillis(2), List.of(), RIGHTS, there);

    assertOnly(facts, Grade.FAILED, "tenants", "tenancy.allow-off-with-tenants");
    assertThat(wrong(facts, Map.of("tenancy.allow-off-with-tenants", "true")))
        .extracting(Diagnosis::check, Diagnosis::grade)
        .containsExactly(tuple("tenants", Grade.WARNING));
    assertThat(wrong(facts, Map.of("tenancy.enabled", "true"))).isEmpty();
  }

  private static List<Diagnosis> wrong(Facts facts, Map<String, String> more) {
    var all = new HashMap<>(more);
    all.putIfAbsent("database.url", "postgresql://127.0.0.1/elsa");
    var settings = new Settings(null, Map.of(), all);
    return new DatabaseCheck(NodeConfig.from(settings), _ -> facts)
        .all().stream().filter(found -> found.grade() != Grade.OK).toList();
  }

  @Test
  void clocks_that_differ_by_more_than_a_second_and_the_round_trip_are_named() {
    for (var ahead : List.of(Duration.ofMillis(1_200), Duration.ofSeconds(-90))) {
      assertOnly(
          facts(SERVER, false, ahead, List.of(), RIGHTS, Migrations.NEWEST),
          Grade.WARNING,
          "clock",
          "NTP");
    }
    assertThat(
            wrong(
                facts(
                    SERVER, false, Duration.ofMillis(1_001), List.of(), RIGHTS, Migrations.NEWEST),
                "postgresql://127.0.0.1/elsa"))
        .isEmpty();
  }

  @Test
  void a_standby_takes_nothing() {
    assertOnly(
        facts(SERVER, true, Duration.ZERO, List.of(), RIGHTS, Migrations.NEWEST),
        Grade.FAILED,
        "database",
        "primary");
  }

  @Test
  void an_old_server_and_one_that_forgets_are_refused() {
    assertOnly(
        facts(
            new Server("11.9", 11, null, 100, 5),
            false,
            Duration.ZERO,
            List.of(),
            RIGHTS,
            Migrations.NEWEST),
        Grade.FAILED,
        "database",
        "upgrade PostgreSQL");
    assertOnly(
        facts(SERVER, false, Duration.ZERO, List.of("fsync"), RIGHTS, Migrations.NEWEST),
        Grade.FAILED,
        "durability",
        "ALTER SYSTEM SET fsync = on");
  }

  @Test
  void too_few_connections_are_named() {
    assertOnly(
        facts(
            new Server("17.2", 17, null, 20, 15),
            false,
            Duration.ZERO,
            List.of(),
            RIGHTS,
            Migrations.NEWEST),
        Grade.WARNING,
        "connections",
        "max_connections");
  }

  @Test
  void a_role_that_may_not_use_or_update_the_schema_is_told_what_to_grant() {
    assertOnly(
        facts(
            SERVER,
            false,
            Duration.ZERO,
            List.of(),
            new Rights(true, false, false, false),
            Migrations.NEWEST),
        Grade.FAILED,
        "rights",
        "GRANT USAGE ON SCHEMA");
    assertOnly(
        facts(SERVER, false, Duration.ZERO, List.of(), new Rights(true, true, false, true), 3),
        Grade.FAILED,
        "rights",
        "skein migrate");
  }

  @Test
  void a_connection_to_another_machine_in_plain_text_is_a_warning() {
    assertOnly(
        wrong(sound(), "postgresql://192.0.2.1/elsa?sslmode=prefer"),
        Grade.WARNING,
        "database TLS",
        "sslmode=verify-full");
  }

  @Test
  void little_room_and_little_memory_are_named() {
    assertThat(FilesCheck.disk("/data", 50L << 20, "logging.file").grade()).isEqualTo(Grade.FAILED);
    assertThat(FilesCheck.disk("/data", 500L << 20, null).grade()).isEqualTo(Grade.WARNING);
    assertThat(FilesCheck.disk("/data", 5_000L << 20, null).grade()).isEqualTo(Grade.OK);
    assertThat(MachineCheck.memory(512L << 20, 600L << 20).cure()).contains("-Xmx400m");
    assertThat(MachineCheck.memory(512L << 20, 2_000L << 20).grade()).isEqualTo(Grade.OK);
  }
}
