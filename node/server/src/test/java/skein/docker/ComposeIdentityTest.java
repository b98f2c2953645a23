package skein.docker;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import skein.node.config.NodeConfig;
import skein.node.config.OidcProvider;
import skein.node.config.Settings;

/** The profile {@code identity} of {@code docker/compose.yaml}: nodes and Keycloak agree. */
class ComposeIdentityTest {
  private static final List<String> NODES =
      List.of("elsa-node1", "elsa-node2", "elsa-node3", "elsa-studio");
  private static final String KEYCLOAK = "keycloak.test";
  private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{([A-Z0-9_]+)}");

  private final Map<String, Object> services =
      Yaml.map(ComposeTest.file("compose.yaml").get("services"));
  private final Map<String, String> keycloak = environment(KEYCLOAK);
  private final String text = Yaml.read(Yaml.docker("identity/realm.json"));
  private final JsonObject realm =
      new JsonObject(PLACEHOLDER.matcher(text).replaceAll(match -> variable(match.group(1))));

  private Map<String, Object> service(String name) {
    return Yaml.map(services.get(name));
  }

  private Map<String, String> environment(String service) {
    var environment = new TreeMap<String, String>();
    Yaml.map(service(service).get("environment"))
        .forEach((variable, value) -> environment.put(variable, String.valueOf(value)));
    return environment;
  }

  /** As Keycloak has it. */
  private String variable(String name) {
    return Objects.requireNonNull(keycloak.get(name), name);
  }

  private NodeConfig node(String service) {
    var environment = environment(service);
    environment.putAll(NodeImage.settings());
    environment.put("SKEIN_SECURITY_MODE", "authenticated");
    return NodeConfig.from(new Settings(null, environment, Map.of()));
  }

  private OidcProvider provider() {
    return node(NODES.getFirst()).security().providers().getFirst();
  }

  private JsonObject client() {
    return realm.getJsonArray("clients").getJsonObject(0);
  }

  private static Stream<JsonObject> objects(JsonArray array) {
    return array.stream().map(JsonObject.class::cast);
  }

  @Test
  void the_issuer_has_one_name_for_nodes_and_browsers() {
    var issuer = URI.create(provider().issuer());
    var port = String.valueOf(issuer.getPort());

    assertThat(issuer)
        .hasScheme("https")
        .hasHost(KEYCLOAK)
        .hasPath("/realms/" + realm.getString("realm"));
    assertThat(keycloak)
        .containsEntry("KC_HOSTNAME", "https://" + KEYCLOAK + ":" + port)
        .containsEntry("KC_HTTPS_PORT", port)
        .containsEntry("KC_HTTP_ENABLED", "false");
    assertThat(Yaml.texts(service(KEYCLOAK), "ports"))
        .containsExactly("127.0.0.1:" + port + ":" + port);
    assertThat(Yaml.read(Yaml.docker("identity/certificate.sh"))).contains("san=dns:" + KEYCLOAK);
  }

  @Test
  void nodes_trust_the_certificate_that_is_made_and_cannot_read_its_key() {
    var caFile = Objects.requireNonNull(provider().connection().caFile());
    var made = Yaml.texts(service("keycloak-certificate"), "volumes");

    assertThat(caFile).hasFileName("ca.pem");
    assertThat(made).contains("keycloak-ca:/ca", "keycloak-key:/key");
    assertThat(Path.of(variable("KC_HTTPS_KEY_STORE_FILE"))).hasFileName("keycloak.p12");
    assertThat(environment("keycloak-certificate"))
        .containsEntry("STORE_PASSWORD", variable("KC_HTTPS_KEY_STORE_PASSWORD"));
    assertThat(NODES)
        .allSatisfy(name ->
            assertThat(Yaml.texts(service(name), "volumes"))
                .contains("keycloak-ca:" + caFile.getParent() + ":ro")
                .noneMatch(mount -> mount.startsWith("keycloak-key")));
  }

  @Test
  void the_client_is_that_of_the_nodes_and_sends_browsers_back_to_them() {
    var client = client();
    var own = provider().client();

    assertThat(own.id()).isEqualTo(client.getString("clientId"));
    assertThat(client.getBoolean("publicClient")).isTrue();
    assertThat(own.secret().value()).isEmpty();
    assertThat(client.getJsonObject("attributes").getString("pkce.code.challenge.method"))
        .isEqualTo("S256");
    assertThat(NODES)
        .allSatisfy(name -> {
          var base = node(name).http().baseUrl();
          assertThat(client.getJsonArray("redirectUris"))
              .contains(base + "/elsa/api/identity/oidc/callback");
          assertThat(
                  client
                      .getJsonObject("attributes")
                      .getString("post.logout.redirect.uris")
                      .split("##", -1))
              .contains(base + "/console");
        });
  }

  @Test
  void groups_are_roles_and_tokens_name_groups_and_audience() {
    var groups =
        objects(realm.getJsonArray("groups")).map(group -> group.getString("name")).toList();
    var mappers = new TreeMap<String, JsonObject>();
    objects(client().getJsonArray("protocolMappers"))
        .forEach(mapper -> mappers.put(mapper.getString("name"), mapper.getJsonObject("config")));

    assertThat(provider().claims().rolesHere())
        .containsOnlyKeys(groups)
        .containsValues("viewer", "operator", "admin");
    assertThat(Objects.requireNonNull(mappers.get("groups")).getString("claim.name"))
        .isEqualTo(provider().claims().roles());
    assertThat(
            Objects.requireNonNull(mappers.get("audience")).getString("included.custom.audience"))
        .isEqualTo(provider().audience());
    assertThat(objects(realm.getJsonArray("users")))
        .extracting(this::role)
        .containsExactly("viewer", "operator", "admin");
  }

  private String role(JsonObject user) {
    var group = user.getJsonArray("groups").getString(0).substring(1);
    return Objects.requireNonNull(provider().claims().rolesHere().get(group), group);
  }

  @Test
  void passwords_come_from_a_variable() {
    assertThat(text).contains("\"value\": \"${USER_PASSWORD}\"");
    assertThat(objects(realm.getJsonArray("users")))
        .extracting(user -> user.getJsonArray("credentials").getJsonObject(0).getString("value"))
        .containsOnly(variable("KC_BOOTSTRAP_ADMIN_PASSWORD"));
    assertThat(Yaml.read(Yaml.docker("compose.yaml")))
        .contains("USER_PASSWORD: ${KEYCLOAK_PASSWORD:-");
  }
}
