package skein.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import skein.node.StartWarnings.Warning;
import skein.node.config.NodeConfig;
import skein.node.config.Settings;

class StartWarningsTest {
  private static final Map<String, String> EXITS = Map.of(StartWarnings.EXIT_FLAG, "true");

  private static List<Warning> warnings(Map<String, String> jvm, Map<String, String> more) {
    var settings = new HashMap<>(Map.of("http.host", "127.0.0.1"));
    settings.putAll(more);
    var config = NodeConfig.from(new Settings(null, Map.of(), settings));
    return StartWarnings.all(config, jvm::get);
  }

  private static void assertUrl(String url, String host, String mode) {
    var facts =
        Map.of(
            "host",
            host,
            "sslmode",
            mode,
            "cure",
            "what is sent between here and there can be read and changed on the way: add"
                + " sslmode=verify-full to database.url");
    assertThat(warnings(EXITS, Map.of("database.url", url)))
        .as(url)
        .containsExactly(new Warning("database.unencrypted", facts));
  }

  @ParameterizedTest
  @CsvSource({
    "postgresql://192.0.2.1/elsa, disable",
    "postgresql://192.0.2.1/elsa?sslmode=disable, disable",
    "postgresql://192.0.2.1/elsa?sslmode=allow, allow",
    "postgresql://192.0.2.1/elsa?sslmode=prefer, prefer",
    "Server=192.0.2.1;Database=elsa;SSL Mode=Prefer, prefer",
    "'postgresql://127.0.0.1,192.0.2.1/elsa', disable",
  })
  void a_database_elsewhere_that_may_be_spoken_to_in_plain_text_is_told_once(
      String url, String mode) {
    assertUrl(url, "192.0.2.1", mode);
  }

  @ParameterizedTest
  @CsvSource({
    "postgresql://localhost/elsa",
    "postgresql://127.0.0.1:5433/elsa",
    "postgresql://[::1]/elsa?sslmode=prefer",
    "postgresql://192.0.2.1/elsa?sslmode=require",
    "postgresql://192.0.2.1/elsa?sslmode=verify-ca",
    "postgresql://192.0.2.1/elsa?sslmode=verify-full",
    "Server=192.0.2.1;Database=elsa;ssl=true",
  })
  void one_on_this_machine_and_one_that_is_encrypted_is_not(String url) {
    assertThat(warnings(EXITS, Map.of("database.url", url))).isEmpty();
  }

  @Test
  void of_several_providers_those_that_may_name_any_tenant_are_told() {
    var settings =
        new HashMap<>(
            Map.of(
                "security.mode", "authenticated",
                "tenancy.enabled", "true",
                "security.oidc.providers.a.issuer", "https://a.example.com",
                "security.oidc.providers.a.audience", "skein"));
    assertThat(warnings(EXITS, settings)).as("one provider has all tenants").isEmpty();

    settings.put("security.oidc.providers.b.issuer", "https://b.example.com");
    settings.put("security.oidc.providers.b.audience", "skein");
    settings.put("security.oidc.providers.b.tenants", "shop");
    var facts =
        Map.of(
            "issuer",
            "https://a.example.com",
            "cure",
            "its tokens may name the tenant of any other provider: list its own in"
                + " security.oidc.providers.a.tenants");
    assertThat(warnings(EXITS, settings))
        .containsExactly(new Warning("tenancy.providerUnbound", facts));

    settings.put("security.oidc.providers.a.tenants", "_default");
    assertThat(warnings(EXITS, settings)).isEmpty();
  }

  @Test
  void data_sources_are_looked_at_too() {
    var found =
        warnings(
            EXITS,
            Map.of(
                "data-sources.a.url", "postgresql://192.0.2.2/a",
                "data-sources.b.url", "postgresql://192.0.2.2/b?sslmode=verify-full",
                "data-sources.c.url", "postgresql://127.0.0.1/c"));

    assertThat(found)
        .singleElement()
        .satisfies(warning -> {
          assertThat(warning.event()).isEqualTo("database.unencrypted");
          assertThat(warning.facts())
              .containsEntry("host", "192.0.2.2")
              .extractingByKey("cure")
              .asString()
              .contains("data-sources.a.url");
        });
  }

  @Test
  void an_api_that_other_machines_reach_is_told_with_its_address() {
    assertThat(warnings(EXITS, Map.of("http.host", "0.0.0.0")))
        .singleElement()
        .satisfies(warning -> {
          assertThat(warning.event()).isEqualTo("http.open");
          assertThat(warning.facts()).containsEntry("address", "0.0.0.0:5001");
          assertThat(warning.facts().get("cure")).contains("http.host", "proxy");
        });
    assertThat(warnings(EXITS, Map.of("http.host", "192.0.2.1", "http.api-port", "5002")))
        .extracting(warning -> warning.facts().get("address"))
        .containsExactly("192.0.2.1:5002");
    assertThat(warnings(EXITS, Map.of("http.host", "0.0.0.0", "node.roles", "execution")))
        .isEmpty();
    assertThat(warnings(EXITS, Map.of("http.host", "::1"))).isEmpty();
  }

  @Test
  void a_jvm_that_goes_on_without_memory_is_told_which_flag_ends_it() {
    var neither = Map.of("ExitOnOutOfMemoryError", "false", "CrashOnOutOfMemoryError", "false");
    assertThat(warnings(neither, Map.of()))
        .singleElement()
        .satisfies(warning -> {
          assertThat(warning.event()).isEqualTo("jvm.staysWithoutMemory");
          assertThat(warning.facts().get("cure"))
              .contains("-XX:+ExitOnOutOfMemoryError", "JAVA_TOOL_OPTIONS");
        });
    assertThat(
            warnings(
                Map.of("ExitOnOutOfMemoryError", "false", "CrashOnOutOfMemoryError", "true"),
                Map.of()))
        .isEmpty();
    assertThat(warnings(Map.of(), Map.of())).isEmpty(); // another JVM
  }
}
