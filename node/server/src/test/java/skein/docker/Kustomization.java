package skein.docker;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Renders a folder as Kustomize does, as far as ours need it: resources, components, and patches of
 * JSON (RFC 6902) with a target. Anything else in a kustomization is an error.
 */
final class Kustomization {
  private static final Set<String> MEMBERS =
      Set.of("apiVersion", "kind", "resources", "components", "patches");

  private final List<Map<String, Object>> resources = new ArrayList<>();

  private Kustomization() {}

  static List<Map<String, Object>> render(Path folder) {
    var kustomization = new Kustomization();
    kustomization.add(folder);
    return kustomization.resources;
  }

  private void add(Path folder) {
    var file = folder.resolve("kustomization.yaml");
    var document = Yaml.map(Yaml.value(Yaml.read(file)));
    if (!MEMBERS.containsAll(document.keySet())) {
      throw new IllegalStateException(file + " has members that are not rendered here");
    }
    for (var resource : Yaml.texts(document, "resources")) {
      var path = folder.resolve(resource);
      if (Files.isDirectory(path)) {
        add(path);
      } else {
        resources.addAll(Yaml.documents(Yaml.read(path)));
      }
    }
    Yaml.texts(document, "components").forEach(component -> add(folder.resolve(component)));
    for (var patch : Yaml.list(document.getOrDefault("patches", List.of()))) {
      patch(Yaml.map(patch));
    }
  }

  private void patch(Map<String, Object> patch) {
    var target = Yaml.map(patch.get("target"));
    var found =
        resources.stream()
            .filter(one -> Objects.equals(one.get("kind"), target.get("kind")))
            .filter(one -> Objects.equals(name(one), target.get("name")))
            .toList();
    if (found.size() != 1) {
      throw new IllegalStateException(found.size() + " resources are " + target);
    }
    for (var operation : Yaml.list(Yaml.value(String.valueOf(patch.get("patch"))))) {
      apply(Yaml.map(operation), found.getFirst());
    }
  }

  private static @Nullable Object name(Map<String, Object> resource) {
    return Yaml.map(resource.get("metadata")).get("name");
  }

  private static void apply(Map<String, Object> operation, Map<String, Object> resource) {
    var path = String.valueOf(operation.get("path"));
    var steps = List.of(path.substring(1).split("/"));
    @Nullable Object at = resource;
    for (var step : steps.subList(0, steps.size() - 1)) {
      at = at instanceof List<?> list ? list.get(Integer.parseInt(step)) : Yaml.map(at).get(step);
    }
    var last = steps.getLast();
    var value = operation.get("value");
    var op = String.valueOf(operation.get("op"));
    if (at instanceof List<?> list && op.equals("add") && last.equals("-")) {
      Yaml.list(list).add(value);
    } else if (at instanceof Map<?, ?> map && op.equals("add") != map.containsKey(last)) {
      Yaml.map(map).put(last, value);
    } else {
      throw new IllegalStateException("Not applied: " + operation);
    }
  }
}
