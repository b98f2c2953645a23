package skein.node.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EffectiveSettingTest {
  @TempDir Path folder;

  private static Map<String, EffectiveSetting> of(Settings settings) {
    assertThat(NodeConfig.from(settings)).isNotNull(); // has read them
    return settings.effective().stream()
        .collect(Collectors.toMap(EffectiveSetting::key, setting -> setting));
  }

  private static String value(Map<String, EffectiveSetting> found, String key) {
    return Objects.requireNonNull(found.get(key), key).value();
  }

  @Test
  void every_setting_says_where_it_is_written() throws IOException {
    var file = Files.writeString(folder.resolve("skein.yaml"), "http:\n  port: 6001\n");
    var environment = Map.of("SKEIN_NODE_NAME", "n7");
    var flags = Map.of("logging.levels.skein.timers", "debug");

    var found = of(new Settings(file, environment, flags).withDefault("http.host", "::1", "dev"));

    assertThat(found.get("http.port"))
        .isNotNull()
        .satisfies(port -> assertThat(port.value()).isEqualTo("6001"))
        .satisfies(port -> assertThat(port.origin()).contains("skein.yaml", "2"));
    assertThat(found)
        .containsEntry(
            "node.name", new EffectiveSetting("node.name", "n7", "environment SKEIN_NODE_NAME"))
        .containsEntry(
            "logging.levels.skein.timers",
            new EffectiveSetting("logging.levels.skein.timers", "debug", "command line"))
        .containsEntry("http.host", new EffectiveSetting("http.host", "::1", "dev"))
        .containsEntry(
            "database.pool-size", new EffectiveSetting("database.pool-size", "8", "default"))
        .hasSizeGreaterThan(200);
  }

  @Test
  void what_is_secret_is_told_to_be_set_and_no_more() {
    var environment =
        Map.ofEntries(
            Map.entry("SKEIN_DATABASE_URL", "postgresql://me:canary1@db/elsa?password=canary2"),
            Map.entry("SKEIN_DATABASE_PASSWORD", "canary3"),
            Map.entry("SKEIN_MAIL_PASSWORD", "canary4"),
            Map.entry("SKEIN_SECURITY_ADMIN_PASSWORD", "canary5-long-enough"),
            Map.entry("SKEIN_SECURITY_SIGNING_KEY", "canary6".repeat(8)),
            Map.entry("SKEIN_DATA_SOURCES", "crm"),
            Map.entry("SKEIN_DATA_SOURCES_CRM_URL", "postgresql://you:canary7@db/crm"),
            Map.entry("SKEIN_DATA_SOURCES_CRM_PASSWORD", "canary8"),
            Map.entry("SKEIN_EXPRESSIONS_CONFIGURATION", "Key=canary9"));

    var found = of(new Settings(null, environment, Map.of()));

    assertThat(found.values()).noneMatch(setting -> setting.value().contains("canary"));
    for (var key :
        new String[] {
          "database.password",
          "mail.password",
          "security.admin-password",
          "security.signing-key",
          "data-sources.crm.url",
          "data-sources.crm.password",
          "expressions.configuration"
        }) {
      assertThat(value(found, key)).as(key).isEqualTo(EffectiveSetting.HIDDEN);
    }
    assertThat(value(found, "database.url")).isEqualTo("postgresql://***@db/elsa?password=***");
  }

  @Test
  void the_password_of_a_connection_string_is_not_told() {
    var text = "Host=db;Port=5433;Database=elsa;Username=me;Password=canary;Timeout=5";
    var environment = Map.of("CONNECTIONSTRINGS__POSTGRESQL", text);

    var found = of(new Settings(null, environment, Map.of()));

    assertThat(found.values()).noneMatch(setting -> setting.value().contains("canary"));
    assertThat(value(found, "database.url")).contains("Host=db", "Password=***", "Timeout=5");
  }
}
