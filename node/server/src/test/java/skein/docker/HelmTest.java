package skein.docker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscaler;
import io.fabric8.kubernetes.api.model.batch.v1.CronJob;
import io.fabric8.kubernetes.api.model.networking.v1.Ingress;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.openshift.api.model.monitoring.v1.PodMonitor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import skein.node.config.ClusterConfig.LockProvider;
import skein.node.config.NodeConfig;
import skein.node.config.NodeConfig.Role;
import skein.node.config.SchedulerConfig.SchedulerMode;
import skein.node.config.Settings;

/** The chart of {@code docker/helm}, rendered by Helm with the values in its folder {@code ci}. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@DisabledOnOs(OS.WINDOWS)
class HelmTest {
  private static final Path CI = Yaml.docker("helm/skein/ci");

  /** For {@code docker/kubernetes/drill.sh --manifests}, where Helm itself is not installed. */
  private static final Path RENDERED = Path.of("target", "helm");

  private HelmChart chart;

  @BeforeAll
  void copy(@TempDir Path folder) {
    chart = HelmChart.in(folder.resolve("skein"));
  }

  private Manifests manifests(String values) {
    return chart.manifests(CI.resolve(values + "-values.yaml"));
  }

  private static NodeConfig settings(Manifests manifests, String name) {
    return ManifestsTest.settings(manifests, manifests.get(Deployment.class, name));
  }

  @Test
  void helm_finds_no_fault_in_the_chart() {
    var found = chart.lint();

    assertThat(found.isFailed()).as(found.getMessages().toString()).isFalse();
    assertThat(found.getMessages()).allMatch(message -> message.contains("icon is recommended"));
  }

  @Test
  void every_file_of_values_is_rendered_here() throws IOException {
    try (var files = Files.list(CI)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrder(
              "cluster-values.yaml",
              "external-scheduler-values.yaml",
              "guide-values.yaml",
              "single-values.yaml",
              "split-roles-values.yaml",
              "tls-values.yaml");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"cluster", "single", "split-roles", "external-scheduler", "guide", "tls"})
  void what_is_rendered_is_known_to_kubernetes_and_taken_by_nodes(String values)
      throws IOException {
    var rendered = chart.render(CI.resolve(values + "-values.yaml"));
    var manifests = Manifests.of(Yaml.documents(rendered));
    Files.createDirectories(RENDERED);
    Files.writeString(RENDERED.resolve(values + ".yaml"), rendered);

    assertThat(manifests.names()).doesNotHaveDuplicates();
    assertThat(manifests.pods()).isNotEmpty().allSatisfy(ManifestsTest::assertRestricted);
    assertThat(manifests.each(Deployment.class))
        .isNotEmpty()
        .allSatisfy(deployment -> {
          var config =
              NodeConfig.from(new Settings(null, manifests.environment(deployment), Map.of()));
          assertThat(ManifestsTest.ports(deployment)).isEqualTo(ManifestsTest.portsOf(config));
          manifests.get(Service.class, config.cluster().serviceDns());
          assertThat(
                  deployment.getSpec().getTemplate().getSpec().getTerminationGracePeriodSeconds())
              .isGreaterThanOrEqualTo(config.node().drainTimeout().toSeconds() + 30);
        });
  }

  @Test
  void the_cluster_is_that_of_the_kustomize_overlay() {
    var chart = manifests("cluster");
    var overlay = Manifests.overlay("cluster");
    var ours = chart.get(Deployment.class, "elsa-server").getSpec();
    var theirs = overlay.get(Deployment.class, "elsa-server").getSpec();

    assertThat(comparable(ours.getTemplate().getSpec()))
        .isEqualTo(comparable(theirs.getTemplate().getSpec()));
    assertThat(ours.getTemplate().getMetadata().getLabels())
        .isEqualTo(theirs.getTemplate().getMetadata().getLabels());
    assertThat(ours.getStrategy()).isEqualTo(theirs.getStrategy());
    assertThat(ours.getSelector()).isEqualTo(theirs.getSelector());
    for (var name : List.of("elsa-server", "elsa-server-internet")) {
      assertThat(chart.get(NetworkPolicy.class, name).getSpec())
          .isEqualTo(overlay.get(NetworkPolicy.class, name).getSpec());
    }
    for (var name : List.of("elsa-server", "elsa-server-members")) {
      assertThat(chart.get(Service.class, name).getSpec())
          .isEqualTo(overlay.get(Service.class, name).getSpec());
    }
    assertThat(chart.get(PodDisruptionBudget.class, "elsa-server").getSpec())
        .isEqualTo(overlay.get(PodDisruptionBudget.class, "elsa-server").getSpec());
    assertThat(chart.get(HorizontalPodAutoscaler.class, "elsa-server").getSpec())
        .isEqualTo(overlay.get(HorizontalPodAutoscaler.class, "elsa-server").getSpec());
    assertThat(chart.get(PodMonitor.class, "elsa-server").getSpec())
        .isEqualTo(overlay.get(PodMonitor.class, "elsa-server").getSpec());
    var ingress = chart.get(Ingress.class, "elsa-server");
    assertThat(ingress.getSpec()).isEqualTo(overlay.get(Ingress.class, "elsa-ingress").getSpec());
    assertThat(ingress.getMetadata().getAnnotations())
        .isEqualTo(overlay.get(Ingress.class, "elsa-ingress").getMetadata().getAnnotations());
    assertThat(settings(chart, "elsa-server")).isEqualTo(settings(overlay, "elsa-server"));
    assertThat(chart.get(ConfigMap.class, "elsa-server").getData())
        .containsAllEntriesOf(overlay.get(ConfigMap.class, "elsa-server").getData());
  }

  /** The overlay mounts the whole Secret of the cluster, the chart the one key that it is told. */
  private static PodSpec comparable(PodSpec pod) {
    pod.getVolumes().getFirst().getSecret().setItems(List.of());
    return pod;
  }

  @Test
  void secrets_are_made_or_those_that_are_there_are_used() {
    var made = manifests("single");
    var used = manifests("tls");

    assertThat(made.get(Secret.class, "elsa-skein-database").getStringData())
        .containsEntry("user", "elsa")
        .containsEntry("password", "for-trying-out");
    assertThat(made.get(Secret.class, "elsa-skein-cluster").getStringData().get("secret"))
        .hasSizeGreaterThan(31);
    assertThat(secretOf(made, "SKEIN_DATABASE_PASSWORD")).isEqualTo("elsa-skein-database password");
    assertThat(used.each(Secret.class)).isEmpty();
    assertThat(secretOf(used, "SKEIN_DATABASE_USER")).isEqualTo("elsa-database username");
    var volume =
        used.get(Deployment.class, "elsa-skein").getSpec().getTemplate().getSpec().getVolumes();
    assertThat(volume.getFirst().getSecret().getItems().getFirst().getKey())
        .isEqualTo("cluster-secret");
  }

  private static String secretOf(Manifests manifests, String variable) {
    return Manifests.node(manifests.get(Deployment.class, "elsa-skein")).getEnv().stream()
        .filter(one -> one.getName().equals(variable))
        .map(EnvVar::getValueFrom)
        .map(from -> from.getSecretKeyRef().getName() + " " + from.getSecretKeyRef().getKey())
        .findFirst()
        .orElseThrow();
  }

  @Test
  void what_is_switched_off_is_not_there() {
    var single = manifests("single");

    assertThat(single.get(Deployment.class, "elsa-skein").getSpec().getReplicas()).isOne();
    assertThat(single.each(HorizontalPodAutoscaler.class)).isEmpty();
    assertThat(single.each(PodDisruptionBudget.class)).isEmpty();
    assertThat(single.each(Ingress.class)).isEmpty();
    assertThat(single.each(NetworkPolicy.class)).isEmpty();
    assertThat(single.each(PodMonitor.class)).isEmpty();
    assertThat(single.each(Pod.class)).isEmpty();
    assertThat(manifests("cluster").get(Deployment.class, "elsa-server").getSpec().getReplicas())
        .as("the autoscaler's")
        .isNull();
  }

  @Test
  void roles_are_split_and_schedulers_are_no_members_of_the_service() {
    var split = manifests("split-roles");

    assertThat(settings(split, "elsa-server").node().roles())
        .containsExactly(Role.HTTP, Role.EXECUTION);
    assertThat(settings(split, "elsa-server-scheduler").node().roles())
        .containsExactly(Role.TIMERS);
    assertThat(split.get(PodDisruptionBudget.class, "elsa-server-scheduler")).isNotNull();
    assertThat(split.get(Service.class, "elsa-server").getSpec().getSelector())
        .isEqualTo(Map.of("app", "elsa-server"));
  }

  @Test
  void cron_jobs_stand_in_for_the_scheduler() {
    var external = manifests("external-scheduler");

    assertThat(settings(external, "elsa-server").scheduler().mode()).isEqualTo(SchedulerMode.NONE);
    assertThat(external.each(CronJob.class)).hasSize(2);
    assertThat(ManifestsTest.script(external, "daily-report-trigger"))
        .contains(
            "http://elsa-server:80/elsa/api/workflow-instances",
            "-H \"Idempotency-Key: $JOB_NAME\"",
            "-d '{\"definitionId\":\"DailyReport\",\"input\":{}}'");
    assertThat(ManifestsTest.script(external, "elsa-server-fire-timers"))
        .isEqualTo(
            ManifestsTest.script(Manifests.overlay("external-scheduler"), "elsa-fire-timers")
                .replace("http://elsa-server/", "http://elsa-server:80/"));
  }

  @Test
  void the_values_of_the_guide_become_settings_or_are_named_as_not_needed() {
    var guide = manifests("guide");
    var deployment = guide.get(Deployment.class, "elsa-skein");
    var settings = new Settings(null, guide.environment(deployment), Map.of());
    var config = NodeConfig.from(settings);

    assertThat(config.cluster().locks()).isEqualTo(LockProvider.HAZELCAST);
    assertThat(settings.notes()).anyMatch(note -> note.contains("locks are Hazelcast's"));
    assertThat(config.execution().lockExpiry()).isEqualTo(Duration.ofSeconds(60));
    assertThat(config.database().pool().size()).isEqualTo(100);
    assertThat(guide.get(ConfigMap.class, "elsa-skein").getData().toString())
        .doesNotContain("redis", "rabbitmq", "QUARTZ");
    assertThat(Manifests.node(deployment).getStartupProbe().getFailureThreshold()).isEqualTo(40);
    assertThat(deployment.getSpec().getReplicas()).isEqualTo(3);
  }

  @Test
  void settings_are_given_by_their_keys() {
    var tls = settings(manifests("tls"), "elsa-skein");

    assertThat(tls.retention().enabled()).isTrue();
    assertThat(tls.http().bodyBytesMax()).isEqualTo(2 << 20);
    assertThat(tls.logging().levels()).containsOnlyKeys("skein.execution");
    assertThat(tls.scheduler().shards()).isEqualTo(16);
    assertThat(Optional.ofNullable(tls.cluster().peers().secretFile())).isPresent();
  }

  @Test
  void helm_test_runs_the_guides_checklist_on_every_node() {
    var cluster = manifests("cluster");
    var pod = cluster.get(Pod.class, "elsa-server-verify");
    var policy = cluster.get(NetworkPolicy.class, "elsa-server-callers").getSpec();

    assertThat(Yaml.read(Yaml.docker("helm/skein/templates/tests/verify.yaml")))
        .contains("helm.sh/hook: test");
    assertThat(pod.getSpec().getContainers().getFirst().getArgs())
        .containsExactly(
            "cluster",
            "verify",
            "--service",
            "http://elsa-server-members:5001",
            "--management-port",
            "5002");
    assertThat(pod.getMetadata().getLabels().entrySet())
        .containsAll(
            policy
                .getIngress()
                .getFirst()
                .getFrom()
                .getFirst()
                .getPodSelector()
                .getMatchLabels()
                .entrySet());
    assertThat(policy.getIngress().getFirst().getPorts())
        .extracting(port -> port.getPort().getIntVal())
        .containsExactly(5001, 5002);
  }

  @Test
  void helm_test_asks_no_node_that_only_schedules() {
    var split = manifests("split-roles");
    var servers = split.get(Service.class, "elsa-server-servers").getSpec();
    var pods = split.get(Deployment.class, "elsa-server").getSpec().getTemplate();

    assertThat(split.get(Pod.class, "elsa-server-verify").getSpec().getContainers().getFirst())
        .extracting(Container::getArgs, InstanceOfAssertFactories.LIST)
        .contains("http://elsa-server-servers:5001");
    assertThat(servers.getClusterIP()).isEqualTo("None");
    assertThat(servers.getPublishNotReadyAddresses()).isTrue();
    assertThat(pods.getMetadata().getLabels()).containsAllEntriesOf(servers.getSelector());
    assertThat(
            split
                .get(Deployment.class, "elsa-server-scheduler")
                .getSpec()
                .getTemplate()
                .getMetadata()
                .getLabels())
        .doesNotContainEntry("app", servers.getSelector().get("app"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{replicas: 3}",
        "{replicaCount: 0}",
        "{locking: {provider: Zookeeper}}",
        "{cluster: {secret: short}}",
        "{settings: {SKEIN_HTTP_PORT: 1}}",
        "{drain: {timeout: 30}}",
        "{scheduler: {mode: quartz}}"
      })
  void values_that_cannot_be_meant_are_refused(String values, @TempDir Path folder)
      throws IOException {
    var file = Files.writeString(folder.resolve("values.yaml"), values);

    assertThatThrownBy(() -> chart.render(file))
        .hasMessageContaining("values don't meet the specifications of the schema");
  }

  @Test
  void without_secrets_helm_says_what_is_missing(@TempDir Path folder) throws IOException {
    var file = Files.writeString(folder.resolve("values.yaml"), "{}");

    assertThatThrownBy(() -> chart.render(file))
        .hasMessageContaining("database.existingSecret, or database.user and database.password");
  }

  @Test
  void every_value_is_described_by_the_schema() {
    var values = Yaml.map(Yaml.value(Yaml.read(Yaml.docker("helm/skein/values.yaml"))));
    var schema = Yaml.map(Yaml.value(Yaml.read(Yaml.docker("helm/skein/values.schema.json"))));
    var described = new TreeSet<>(Yaml.map(schema.get("properties")).keySet());
    described.remove("global"); // Helm's own

    assertThat(values.keySet()).containsExactlyInAnyOrderElementsOf(described);
  }
}
