package skein.docker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Probe;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscaler;
import io.fabric8.kubernetes.api.model.batch.v1.CronJob;
import io.fabric8.kubernetes.api.model.networking.v1.Ingress;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.openshift.api.model.monitoring.v1.PodMonitor;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import skein.node.config.NodeConfig;
import skein.node.config.NodeConfig.Role;
import skein.node.config.SchedulerConfig.SchedulerMode;
import skein.node.config.Settings;

/** The manifests of {@code docker/kubernetes}, overlay by overlay. */
class ManifestsTest {
  private static final Duration KILL_MARGIN = Duration.ofSeconds(30);

  /** As the nodes of a Deployment read them; refuses unknown settings and wrong values. */
  static NodeConfig settings(Manifests manifests, Deployment deployment) {
    var settings = new Settings(null, manifests.environment(deployment), Map.of());
    var config = NodeConfig.from(settings);
    assertThat(settings.notes()).as("settings without an effect").isEmpty();
    return config;
  }

  static Map<String, Integer> ports(Deployment deployment) {
    return Manifests.node(deployment).getPorts().stream()
        .collect(Collectors.toMap(ContainerPort::getName, ContainerPort::getContainerPort));
  }

  static void assertRestricted(PodSpec pod) {
    assertThat(pod.getAutomountServiceAccountToken()).isFalse();
    assertThat(pod.getSecurityContext().getRunAsNonRoot()).isTrue();
    assertThat(pod.getSecurityContext().getRunAsUser()).isPositive();
    assertThat(pod.getSecurityContext().getSeccompProfile().getType()).isEqualTo("RuntimeDefault");
    assertThat(pod.getVolumes())
        .allMatch(volume -> volume.getEmptyDir() != null || volume.getSecret() != null);
    assertThat(pod.getContainers())
        .isNotEmpty()
        .allSatisfy(container -> {
          var security = container.getSecurityContext();
          assertThat(security.getAllowPrivilegeEscalation()).isFalse();
          assertThat(security.getReadOnlyRootFilesystem()).isTrue();
          assertThat(security.getCapabilities().getDrop()).containsExactly("ALL");
          assertThat(container.getImage()).matches(".+:[0-9].*");
          for (var bounds :
              List.of(
                  container.getResources().getRequests(), container.getResources().getLimits())) {
            assertThat(bounds).containsOnlyKeys("cpu", "memory");
          }
        });
  }

  @Test
  void a_member_that_kubernetes_does_not_know_is_found() {
    var wrong =
        """
        apiVersion: apps/v1
        kind: Deployment
        spec:
          template:
            spec:
              containers:
                - name: skein
                  readinesProbe: {}
        """;

    assertThatThrownBy(() -> Manifests.of(Yaml.documents(wrong)))
        .hasMessageContaining("readinesProbe");
  }

  @ParameterizedTest
  @ValueSource(strings = {"single", "cluster", "split-roles", "external-scheduler"})
  void nodes_take_the_settings_and_their_ports_are_the_declared_ones(String overlay) {
    var manifests = Manifests.overlay(overlay);

    assertThat(manifests.names()).doesNotHaveDuplicates();
    assertThat(manifests.each(Deployment.class))
        .isNotEmpty()
        .allSatisfy(deployment -> {
          var config = settings(manifests, deployment);
          assertThat(ports(deployment)).isEqualTo(portsOf(config));
          assertThat(config.cluster().host()).isNotEmpty();
          manifests.get(Service.class, config.cluster().serviceDns());
          var pod = deployment.getSpec().getTemplate().getSpec();
          assertThat(Duration.ofSeconds(pod.getTerminationGracePeriodSeconds()))
              .isGreaterThanOrEqualTo(config.node().drainTimeout().plus(KILL_MARGIN));
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"single", "cluster", "split-roles", "external-scheduler"})
  void pods_are_restricted_and_have_no_token(String overlay) {
    var manifests = Manifests.overlay(overlay);

    assertThat(manifests.pods()).isNotEmpty().allSatisfy(ManifestsTest::assertRestricted);
    assertThat(manifests.each(ServiceAccount.class))
        .isNotEmpty()
        .noneMatch(ServiceAccount::getAutomountServiceAccountToken);
  }

  @ParameterizedTest
  @ValueSource(strings = {"single", "cluster", "split-roles", "external-scheduler"})
  void selectors_and_secrets_lead_somewhere(String overlay) {
    var manifests = Manifests.overlay(overlay);
    var secrets = Manifests.of(Yaml.documents(Yaml.read(Yaml.docker("kubernetes/secrets.yaml"))));

    for (var deployment : manifests.each(Deployment.class)) {
      for (var variable : Manifests.node(deployment).getEnv()) {
        var from = variable.getValueFrom();
        if (from != null && from.getSecretKeyRef() != null) {
          var key = from.getSecretKeyRef();
          assertThat(secrets.get(Secret.class, key.getName()).getStringData())
              .containsKey(key.getKey());
        }
      }
      var file = settings(manifests, deployment).cluster().peers().secretFile();
      assertThat(file).isEqualTo(Path.of("/run/skein/cluster/secret"));
      assertThat(secrets.get(Secret.class, "elsa-cluster").getStringData())
          .containsOnlyKeys("secret");
      var volume = deployment.getSpec().getTemplate().getSpec().getVolumes().getFirst().getSecret();
      assertThat(volume.getSecretName()).isEqualTo("elsa-cluster");
      assertThat(volume.getDefaultMode()).isEqualTo(0440);
    }
    for (var service : manifests.each(Service.class)) {
      var selected =
          manifests.each(Deployment.class).stream()
              .filter(one ->
                  labels(one).entrySet().containsAll(service.getSpec().getSelector().entrySet()))
              .toList();
      assertThat(selected).as(service.getMetadata().getName()).isNotEmpty();
      for (var port : service.getSpec().getPorts()) {
        assertThat(selected)
            .allMatch(one -> ports(one).containsKey(port.getTargetPort().getStrVal()));
      }
    }
  }

  private static Map<String, String> labels(Deployment deployment) {
    return deployment.getSpec().getTemplate().getMetadata().getLabels();
  }

  @Test
  void a_cluster_has_three_nodes_that_are_spread_probed_and_replaced_one_by_one() {
    var manifests = Manifests.overlay("cluster");
    var deployment = manifests.get(Deployment.class, "elsa-server");
    var spec = deployment.getSpec();
    var pod = spec.getTemplate().getSpec();
    var node = Manifests.node(deployment);

    assertThat(spec.getReplicas()).isEqualTo(3);
    assertThat(spec.getStrategy().getRollingUpdate().getMaxUnavailable().getIntVal()).isZero();
    assertThat(spec.getStrategy().getRollingUpdate().getMaxSurge().getIntVal()).isOne();
    assertThat(pod.getAffinity().getPodAntiAffinity()).isNotNull();
    assertThat(pod.getTopologySpreadConstraints()).hasSize(1);
    assertThat(Stream.of(node.getStartupProbe(), node.getLivenessProbe(), node.getReadinessProbe()))
        .extracting(ManifestsTest::asked)
        .containsExactly(
            "/health/started management", "/health/live management", "/health/ready management");
    var config = settings(manifests, deployment);
    assertThat(
            node.getStartupProbe().getPeriodSeconds()
                * node.getStartupProbe().getFailureThreshold())
        .isGreaterThan((int) config.database().startWait().toSeconds() + 60);
    var scaler = manifests.get(HorizontalPodAutoscaler.class, "elsa-server").getSpec();
    assertThat(scaler.getMinReplicas()).isEqualTo(spec.getReplicas());
    assertThat(scaler.getScaleTargetRef().getName()).isEqualTo("elsa-server");
    var budget = manifests.get(PodDisruptionBudget.class, "elsa-server").getSpec();
    assertThat(budget.getMaxUnavailable().getIntVal()).isOne();
    assertThat(labels(deployment).entrySet())
        .containsAll(budget.getSelector().getMatchLabels().entrySet());
    var monitor = manifests.get(PodMonitor.class, "elsa-server").getSpec();
    assertThat(ports(deployment))
        .containsKey(monitor.getPodMetricsEndpoints().getFirst().getPort());
  }

  private static String asked(Probe probe) {
    return probe.getHttpGet().getPath() + " " + probe.getHttpGet().getPort().getStrVal();
  }

  @Test
  void members_are_found_before_they_are_ready() {
    var members = Manifests.overlay("cluster").get(Service.class, "elsa-server-members").getSpec();

    assertThat(members.getClusterIP()).isEqualTo("None");
    assertThat(members.getPublishNotReadyAddresses()).isTrue();
  }

  @Test
  void the_ingress_is_the_guides() {
    var manifests = Manifests.overlay("cluster");
    var ingress = manifests.get(Ingress.class, "elsa-ingress");
    var config = settings(manifests, manifests.get(Deployment.class, "elsa-server"));
    var nginx = "nginx.ingress.kubernetes.io/";

    assertThat(ingress.getMetadata().getNamespace()).isEqualTo("elsa-workflows");
    assertThat(ingress.getMetadata().getAnnotations())
        .containsAllEntriesOf(
            Map.of(
                nginx + "ssl-redirect", "true",
                nginx + "limit-rps", "100",
                nginx + "proxy-body-size", "10m",
                nginx + "affinity", "none",
                nginx + "proxy-read-timeout", "300",
                nginx + "proxy-send-timeout", "300",
                nginx + "enable-cors", "true",
                nginx + "cors-allow-origin",
                    String.join(", ", config.http().portOptions().origins()),
                nginx + "cors-allow-methods", "GET, POST, PUT, DELETE, OPTIONS"));
    assertThat(config.http().requestTimeout()).isLessThan(Duration.ofMinutes(5));
    var rule = ingress.getSpec().getRules().getFirst();
    assertThat(config.http().portOptions().hosts()).contains(rule.getHost());
    assertThat(config.http().baseUrl().getHost()).isEqualTo(rule.getHost());
    var backend = rule.getHttp().getPaths().getFirst().getBackend().getService();
    var service = manifests.get(Service.class, backend.getName());
    assertThat(service.getSpec().getPorts().getFirst().getPort())
        .isEqualTo(backend.getPort().getNumber());
    assertThat(config.http().portOptions().hosts()).contains(backend.getName());
  }

  @ParameterizedTest
  @ValueSource(strings = {"single", "cluster", "split-roles", "external-scheduler"})
  void only_nodes_reach_the_ports_between_nodes(String overlay) {
    var manifests = Manifests.overlay(overlay);
    var between = List.of(5701, 15701);

    assertThat(manifests.policyPorts()).contains(5001, 5002).containsAll(between);
    for (var policy : manifests.each(NetworkPolicy.class)) {
      assertThat(manifests.each(Deployment.class))
          .allMatch(one ->
              labels(one)
                  .entrySet()
                  .containsAll(policy.getSpec().getPodSelector().getMatchLabels().entrySet()));
      for (var rule : policy.getSpec().getIngress()) {
        assertThat(rule.getFrom()).isNotEmpty();
        if (rule.getPorts().stream()
            .anyMatch(port -> between.contains(port.getPort().getIntVal()))) {
          assertThat(rule.getFrom()).hasSize(1);
          assertThat(rule.getFrom().getFirst().getNamespaceSelector()).isNull();
          assertThat(rule.getFrom().getFirst().getPodSelector().getMatchLabels())
              .isEqualTo(policy.getSpec().getPodSelector().getMatchLabels());
        }
      }
    }
    assertThat(manifests.get(NetworkPolicy.class, "elsa-server").getSpec().getPolicyTypes())
        .containsExactly("Ingress", "Egress");
  }

  /** Of a node with this configuration; without its role it does not listen for HTTP. */
  static Map<String, Integer> portsOf(NodeConfig config) {
    var ports =
        new HashMap<>(
            Map.of(
                "management", config.http().portOptions().managementPort(),
                "member", config.cluster().port(),
                "bus", config.cluster().busPort()));
    if (config.node().has(Role.HTTP)) {
      ports.put("http", config.http().port());
    }
    return ports;
  }

  @Test
  void roles_are_split_between_workers_and_schedulers() {
    var manifests = Manifests.overlay("split-roles");

    assertThat(settings(manifests, manifests.get(Deployment.class, "elsa-server")).node().roles())
        .containsExactly(Role.HTTP, Role.EXECUTION);
    var scheduler = manifests.get(Deployment.class, "elsa-scheduler");
    assertThat(settings(manifests, scheduler).node().roles()).containsExactly(Role.TIMERS);
    assertThat(scheduler.getSpec().getReplicas()).isEqualTo(2);
    assertThat(manifests.get(Service.class, "elsa-server").getSpec().getSelector())
        .isEqualTo(Map.of("app", "elsa-server"));
  }

  @Test
  void cron_jobs_start_workflows_and_fire_timers_where_no_node_does() {
    var manifests = Manifests.overlay("external-scheduler");
    var config = settings(manifests, manifests.get(Deployment.class, "elsa-server"));

    assertThat(config.scheduler().mode()).isEqualTo(SchedulerMode.NONE);
    assertThat(config.mayLead()).isFalse();
    assertThat(script(manifests, "daily-report-trigger"))
        .contains(
            "curl -X POST http://elsa-server/elsa/api/workflow-instances",
            "-H \"Content-Type: application/json\"",
            "-H \"Idempotency-Key: $JOB_NAME\"",
            "-d '{\"definitionId\": \"DailyReport\", \"input\": {}}'");
    assertThat(manifests.get(CronJob.class, "daily-report-trigger").getSpec().getSchedule())
        .isEqualTo("0 2 * * *");
    assertThat(script(manifests, "elsa-fire-timers"))
        .contains("curl -X POST http://elsa-server/elsa/api/timers/fire", "\"more\":true");
  }

  static String script(Manifests manifests, String name) {
    var job = manifests.get(CronJob.class, name).getSpec().getJobTemplate().getSpec();
    return job.getTemplate().getSpec().getContainers().getFirst().getCommand().getLast();
  }

  /** That the renderer of these tests does what Kustomize does; skipped where there is none. */
  @ParameterizedTest
  @ValueSource(strings = {"single", "cluster", "split-roles", "external-scheduler"})
  void kustomize_renders_the_same(String overlay) throws Exception {
    assumeTrue(isOnPath("kubectl"), "kubectl is not installed");
    var errors = Files.createTempFile("kustomize", ".log");
    var kubectl =
        new ProcessBuilder(
                "kubectl", "kustomize", Yaml.docker("kubernetes/overlays/" + overlay).toString())
            .redirectError(errors.toFile())
            .start();
    var text = new String(kubectl.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(kubectl.waitFor()).as(Files.readString(errors)).isZero();
    assertThat(Manifests.of(Yaml.documents(text)).all())
        .containsExactlyInAnyOrderElementsOf(Manifests.overlay(overlay).all());
    Files.delete(errors);
  }

  static boolean isOnPath(String program) throws IOException {
    return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
  }
}
