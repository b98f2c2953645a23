package skein.docker;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
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
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What is given to Kubernetes at once, as its types; a member that they do not have is an error.
 */
record Manifests(List<HasMetadata> all) {
  /** The image of what runs nodes and commands. */
  private static final String IMAGE = "skein:";

  private static final Map<String, Class<? extends HasMetadata>> TYPES =
      Map.ofEntries(
          Map.entry("v1 Namespace", Namespace.class),
          Map.entry("v1 ServiceAccount", ServiceAccount.class),
          Map.entry("v1 ConfigMap", ConfigMap.class),
          Map.entry("v1 Secret", Secret.class),
          Map.entry("v1 Service", Service.class),
          Map.entry("v1 Pod", Pod.class),
          Map.entry("apps/v1 Deployment", Deployment.class),
          Map.entry("autoscaling/v2 HorizontalPodAutoscaler", HorizontalPodAutoscaler.class),
          Map.entry("batch/v1 CronJob", CronJob.class),
          Map.entry("networking.k8s.io/v1 Ingress", Ingress.class),
          Map.entry("networking.k8s.io/v1 NetworkPolicy", NetworkPolicy.class),
          Map.entry("policy/v1 PodDisruptionBudget", PodDisruptionBudget.class),
          Map.entry("monitoring.coreos.com/v1 PodMonitor", PodMonitor.class));

  /** Without the members in which the types would keep what they do not know. */
  private static final ObjectMapper STRICT =
      new ObjectMapper()
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .setAnnotationIntrospector(
              new JacksonAnnotationIntrospector() {
                private static final long serialVersionUID = 1;

                @Override
                public @Nullable Boolean hasAnySetter(Annotated annotated) {
                  return false;
                }
              });

  static Manifests of(List<Map<String, Object>> documents) {
    return new Manifests(documents.stream().map(Manifests::parse).toList());
  }

  static Manifests overlay(String name) {
    return of(Kustomization.render(Path.of("../../docker/kubernetes/overlays", name)));
  }

  static HasMetadata parse(Map<String, Object> document) {
    var type = TYPES.get(document.get("apiVersion") + " " + document.get("kind"));
    if (type == null) {
      throw new IllegalArgumentException("Of no kind that is known here: " + document);
    }
    return STRICT.convertValue(document, type);
  }

  <T extends HasMetadata> List<T> each(Class<T> type) {
    return all.stream().filter(type::isInstance).map(type::cast).toList();
  }

  <T extends HasMetadata> T get(Class<T> type, String name) {
    return each(type).stream()
        .filter(one -> one.getMetadata().getName().equals(name))
        .findFirst()
        .orElseThrow(() -> new AssertionError("No " + type.getSimpleName() + " " + name));
  }

  List<String> names() {
    return all.stream().map(one -> one.getKind() + " " + one.getMetadata().getName()).toList();
  }

  /** All pods that any of it makes. */
  List<PodSpec> pods() {
    return Stream.of(
            each(Deployment.class).stream().map(one -> one.getSpec().getTemplate().getSpec()),
            each(CronJob.class).stream()
                .map(one -> one.getSpec().getJobTemplate().getSpec().getTemplate().getSpec()),
            each(Pod.class).stream().map(Pod::getSpec))
        .flatMap(pods -> pods)
        .toList();
  }

  /** The only container of the nodes of a Deployment. */
  static Container node(Deployment deployment) {
    var containers = deployment.getSpec().getTemplate().getSpec().getContainers();
    if (containers.size() != 1 || !containers.getFirst().getImage().startsWith(IMAGE)) {
      throw new AssertionError(deployment.getMetadata().getName() + " has other containers");
    }
    return containers.getFirst();
  }

  /**
   * What its node sees, what the image sets included, with a text in place of what comes from
   * secrets and fields.
   */
  Map<String, String> environment(Deployment deployment) {
    var environment = new LinkedHashMap<>(NodeImage.settings());
    var container = node(deployment);
    for (var from : container.getEnvFrom()) {
      environment.putAll(get(ConfigMap.class, from.getConfigMapRef().getName()).getData());
    }
    for (var variable : container.getEnv()) {
      environment.put(variable.getName(), Objects.requireNonNullElse(variable.getValue(), "x"));
    }
    return environment;
  }

  /** The ports that policies let in, or out to, as numbers. */
  List<Integer> policyPorts() {
    var ports = new ArrayList<Integer>();
    for (var policy : each(NetworkPolicy.class)) {
      policy.getSpec().getIngress().stream()
          .flatMap(rule -> rule.getPorts().stream())
          .forEach(port -> ports.add(port.getPort().getIntVal()));
    }
    return ports;
  }
}
