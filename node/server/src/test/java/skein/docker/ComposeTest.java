package skein.docker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import skein.node.HealthProbe;
import skein.node.config.NodeConfig;
import skein.node.config.NodeConfig.Role;
import skein.node.config.Settings;

/** {@code docker/compose.yaml}, and what its profile {@code observability} mounts. */
class ComposeTest {
  private static final List<String> NODES = List.of("elsa-node1", "elsa-node2", "elsa-node3");
  private static final String STUDIO = "elsa-studio";
  private static final List<String> IDENTITY = List.of("keycloak-certificate", "keycloak.test");
  private static final List<String> OBSERVING = List.of("prometheus", "alertmanager", "grafana");

  /** Of the specification of Compose, what is used here. */
  private static final Set<String> MEMBERS =
      Set.of(
          "build",
          "cap_drop",
          "command",
          "depends_on",
          "entrypoint",
          "environment",
          "healthcheck",
          "hostname",
          "image",
          "mem_limit",
          "ports",
          "profiles",
          "read_only",
          "restart",
          "security_opt",
          "stop_grace_period",
          "tmpfs",
          "user",
          "volumes");

  /** {@code ${NAME:-default}}. */
  private static final Pattern VARIABLE = Pattern.compile("\\$\\{[A-Z0-9_]+:?-([^}]*)}");

  private final Map<String, Object> file = file("compose.yaml");
  private final Map<String, Object> services = Yaml.map(file.get("services"));

  /** With the defaults of its variables. */
  static Map<String, Object> file(String path) {
    return merged(Yaml.map(Yaml.value(withDefaults(Yaml.read(Yaml.docker(path))))));
  }

  private static String withDefaults(String text) {
    return VARIABLE.matcher(text).replaceAll("$1");
  }

  /** With what {@code <<} brings, which is YAML 1.1. */
  private static Map<String, Object> merged(Map<String, Object> map) {
    var result = new LinkedHashMap<String, Object>();
    var common = map.get("<<");
    if (common != null) {
      result.putAll(merged(Yaml.map(common)));
    }
    map.forEach((name, value) -> {
      if (!name.equals("<<")) {
        result.put(name, value instanceof Map<?, ?> ? merged(Yaml.map(value)) : value);
      }
    });
    return result;
  }

  private Map<String, Object> service(String name) {
    return Yaml.map(services.get(name));
  }

  @Test
  void every_service_has_members_that_compose_knows_and_no_privilege() {
    assertThat(file).containsOnlyKeys("name", "x-node", "x-environment", "services", "volumes");
    var volumes = Yaml.map(withoutNulls(file.get("volumes")));
    assertThat(services)
        .hasSize(11)
        .allSatisfy((name, value) -> {
          var service = Yaml.map(value);
          assertThat(MEMBERS).containsAll(service.keySet());
          assertThat(String.valueOf(service.get("image")))
              .matches("skein|(docker|quay)\\.io/[a-z]+/[a-z]+:v?[0-9.]+(-alpine)?");
          assertThat(Yaml.texts(service, "ports"))
              .allMatch(port -> port.matches("127\\.0\\.0\\.1:\\d+:\\d+"));
          assertThat(Yaml.texts(service, "depends_on")).allMatch(services::containsKey);
          for (var mount : Yaml.texts(service, "volumes")) {
            var parts = mount.split(":", -1);
            if (parts[0].startsWith("./")) {
              assertThat(Yaml.docker(parts[0])).exists();
              assertThat(parts).as("only to read").hasSize(3).endsWith("ro");
            } else if (parts[0].startsWith("../")) { // a jar of another build
              assertThat(name).isEqualTo(STUDIO);
              assertThat(mount)
                  .isEqualTo("../node/target/skein-studio.jar:/opt/skein/skein-studio.jar:ro");
            } else {
              assertThat(volumes).containsKey(parts[0]);
            }
          }
          if (!name.equals("postgres")) { // whose start needs some, to become an ordinary user
            assertThat(Yaml.texts(service, "cap_drop")).containsExactly("ALL");
            assertThat(Yaml.texts(service, "security_opt"))
                .containsExactly("no-new-privileges:true");
          }
        });
  }

  private static Map<String, Object> withoutNulls(@Nullable Object map) {
    var result = new LinkedHashMap<String, Object>();
    Yaml.map(map).keySet().forEach(name -> result.put(name, ""));
    return result;
  }

  @Test
  void nodes_and_database_are_always_there_and_the_rest_by_profile() {
    var profiles = new TreeMap<String, List<String>>();
    services.forEach((name, value) -> {
      var chosen = String.join(" ", Yaml.texts(Yaml.map(value), "profiles"));
      profiles.computeIfAbsent(chosen, _ -> new ArrayList<>()).add(name);
    });

    assertThat(profiles.remove(""))
        .containsExactlyInAnyOrder("elsa-node1", "elsa-node2", "elsa-node3", "postgres");
    assertThat(profiles)
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                "ha",
                List.of("haproxy"),
                "identity",
                IDENTITY,
                "observability",
                OBSERVING,
                "studio",
                List.of(STUDIO)));
  }

  @Test
  void nodes_take_the_settings_and_have_the_time_that_they_need_to_stop() {
    assertThat(Stream.concat(NODES.stream(), Stream.of(STUDIO)))
        .allSatisfy(name -> {
          var environment = new TreeMap<String, String>();
          Yaml.map(service(name).get("environment"))
              .forEach((variable, value) -> environment.put(variable, String.valueOf(value)));
          environment.putAll(NodeImage.settings());
          var settings = new Settings(null, environment, Map.of());
          var config = NodeConfig.from(settings);

          assertThat(settings.notes()).as("settings without an effect").isEmpty();
          assertThat(config.http().port()).isEqualTo(nodePort());
          assertThat(config.http().baseUrl().getPort()).isEqualTo(published(name));
          assertThat(service(name).get("stop_grace_period")).isEqualTo("40s");
          assertThat(config.node().drainTimeout().toSeconds()).isLessThan(40);
          assertThat(config.studio().enabled()).isEqualTo(name.equals(STUDIO));
          assertThat(config.node().has(Role.EXECUTION)).isEqualTo(!name.equals(STUDIO));
        });
  }

  /** Within the network of Compose. */
  private static int nodePort() {
    return Integer.parseInt(NodeImage.settings().getOrDefault("SKEIN_HTTP_PORT", "0"));
  }

  private int published(String service) {
    return Integer.parseInt(Yaml.texts(service(service), "ports").getFirst().split(":", -1)[1]);
  }

  /** {@code docker/test.sh} adds that mode, since the file publishes ports to other machines. */
  @Test
  void the_guides_own_file_needs_nothing_but_the_image_and_a_mode_of_security() {
    var guide = Yaml.map(file("guide-compose.yaml").get("services"));

    assertThat(guide.keySet()).containsAll(NODES);
    assertThat(NODES)
        .allSatisfy(name -> {
          var environment = new TreeMap<>(NodeImage.settings());
          for (var variable : Yaml.texts(Yaml.map(guide.get(name)), "environment")) {
            var parts = variable.split("=", 2);
            environment.put(parts[0], parts[1]);
          }
          environment.put("SKEIN_SECURITY_MODE", "open");
          var config = NodeConfig.from(new Settings(null, environment, Map.of()));

          assertThat(Yaml.texts(Yaml.map(guide.get(name)), "ports"))
              .allMatch(port -> port.endsWith(":" + config.http().port()));
          assertThat(config.cluster().meetsInDatabase()).isTrue();
        });
  }

  @Test
  void the_health_of_a_node_is_asked_without_a_shell() {
    assertThat(NODES)
        .allSatisfy(name -> {
          var check = Yaml.texts(Yaml.map(service(name).get("healthcheck")), "test");
          assertThat(check).startsWith("CMD", "/opt/java/bin/java");
          assertThat(check)
              .endsWith(
                  "/opt/skein/skein.jar", HealthProbe.class.getName(), String.valueOf(nodePort()));
        });
  }

  @Test
  void prometheus_collects_from_the_nodes_by_the_rules_and_tells_alertmanager() {
    var config = file("observability/prometheus/compose.yaml");
    var other = file("observability/prometheus/prometheus.yaml");
    var job = Yaml.map(Yaml.list(config.get("scrape_configs")).getFirst());
    var alerting = Yaml.map(config.get("alerting"));

    assertThat(config.get("global")).isEqualTo(other.get("global"));
    assertThat(config.get("rule_files")).isEqualTo(other.get("rule_files"));
    assertThat(job.get("job_name")).isEqualTo("skein");
    assertThat(targets(job))
        .containsExactlyElementsOf(NODES.stream().map(name -> name + ":" + nodePort()).toList());
    assertThat(targets(Yaml.map(Yaml.list(alerting.get("alertmanagers")).getFirst())))
        .containsExactly("alertmanager:" + published("alertmanager"));
    assertThat(Yaml.texts(service("prometheus"), "command"))
        .contains("--config.file=/etc/prometheus/compose.yaml");
    assertThat(Yaml.texts(service("prometheus"), "volumes"))
        .contains("./observability/prometheus:/etc/prometheus:ro");
  }

  private static List<String> targets(Map<String, Object> from) {
    return Yaml.texts(Yaml.map(Yaml.list(from.get("static_configs")).getFirst()), "targets");
  }

  @Test
  void alertmanager_knows_the_alerts_that_it_holds_back() {
    var alerts =
        Observability.alerts().stream().map(alert -> String.valueOf(alert.get("alert"))).toList();
    var named = Pattern.compile("^alertname (=|=~) \"(.+)\"$");
    for (var value : Yaml.list(file("observability/alertmanager.yaml").get("inhibit_rules"))) {
      var rule = Yaml.map(value);
      assertThat(rule).containsOnlyKeys("source_matchers", "target_matchers", "equal");
      for (var member : List.of("source_matchers", "target_matchers")) {
        assertThat(Yaml.texts(rule, member))
            .hasSize(1)
            .allSatisfy(matcher -> {
              var found = named.matcher(matcher);
              assertThat(found.matches()).as(matcher).isTrue();
              assertThat(alerts).anyMatch(alert -> alert.matches(found.group(2)));
            });
      }
    }
  }

  @Test
  void grafana_is_given_the_data_source_and_the_dashboards() {
    var folder = "observability/provisioning/";
    var sources = file(folder + "datasources/prometheus.yaml");
    var providers = file(folder + "dashboards/skein.yaml");
    var source = Yaml.map(Yaml.list(sources.get("datasources")).getFirst());
    var provider = Yaml.map(Yaml.list(providers.get("providers")).getFirst());
    var mounts = Yaml.texts(service("grafana"), "volumes");
    var home =
        String.valueOf(
            Yaml.map(service("grafana").get("environment"))
                .get("GF_DASHBOARDS_DEFAULT_HOME_DASHBOARD_PATH"));
    var global = Yaml.map(file("observability/prometheus/compose.yaml").get("global"));

    assertThat(sources)
        .containsOnlyKeys("apiVersion", "datasources")
        .containsEntry("apiVersion", 1);
    assertThat(source)
        .containsOnlyKeys(
            "name", "uid", "type", "access", "url", "isDefault", "editable", "jsonData")
        .containsEntry("type", "prometheus")
        .containsEntry("isDefault", true)
        .containsEntry("url", "http://prometheus:" + published("prometheus"));
    assertThat(Yaml.map(source.get("jsonData")))
        .isEqualTo(Map.of("timeInterval", global.get("scrape_interval")));
    assertThat(providers)
        .containsOnlyKeys("apiVersion", "providers")
        .containsEntry("apiVersion", 1);
    assertThat(provider)
        .containsOnlyKeys(
            "name",
            "folder",
            "type",
            "disableDeletion",
            "allowUiUpdates",
            "updateIntervalSeconds",
            "options")
        .containsEntry("type", "file");
    var path = String.valueOf(Yaml.map(provider.get("options")).get("path"));
    assertThat(mounts)
        .containsExactlyInAnyOrder(
            "./observability/provisioning:/etc/grafana/provisioning:ro",
            "./observability/grafana:" + path + ":ro");
    assertThat(home).startsWith(path + "/");
    assertThat(Yaml.docker("observability/grafana").resolve(home.substring(path.length() + 1)))
        .isRegularFile();
  }

  @Test
  void ports_of_this_machine_are_those_of_one_service_each() {
    var taken = new TreeSet<Integer>();
    var without = Set.of("postgres", "keycloak-certificate");
    var published = services.keySet().stream().filter(name -> !without.contains(name)).toList();

    assertThat(published).allMatch(name -> taken.add(published(name)));
    assertThat(taken)
        .containsExactlyInAnyOrder(5000, 5001, 5002, 5003, 5004, 9090, 9093, 3000, 8443);
  }

  /** Skipped where there are neither promtool nor amtool. */
  @Test
  void prometheus_and_alertmanager_take_their_configurations() throws Exception {
    assumeTrue(
        ManifestsTest.isOnPath("promtool") && ManifestsTest.isOnPath("amtool"),
        "promtool and amtool are not installed");

    assertThat(
            said("promtool", "check", "config", "observability/prometheus/compose.yaml")
                + said("amtool", "check-config", "observability/alertmanager.yaml"))
        .contains("is valid prometheus config file syntax", "alertmanager.yaml'  SUCCESS");
  }

  private static String said(String... command) throws Exception {
    var words = new ArrayList<>(List.of(command));
    words.set(words.size() - 1, Yaml.docker(words.getLast()).toString());
    var process = new ProcessBuilder(words).redirectErrorStream(true).start();
    var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    return said;
  }
}
