package skein.docker;

import com.marcnuri.helm.Helm;
import com.marcnuri.helm.LintResult;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Our chart, rendered by Helm. From a copy without {@code kubeVersion}, since Helm as a library
 * takes the cluster for an old one, and without the annotations of hooks, which it would leave out.
 */
final class HelmChart {
  private static final Path SOURCE = Yaml.docker("helm/skein");
  private static final String LEFT_OUT = "(?m)^(kubeVersion:|    helm.sh/hook).*\\n";

  private final Path folder;

  private HelmChart(Path folder) {
    this.folder = folder;
  }

  /** A copy in this folder. */
  static HelmChart in(Path folder) {
    try (var files = Files.walk(SOURCE)) {
      for (var file : files.filter(Files::isRegularFile).toList()) {
        var to = folder.resolve(SOURCE.relativize(file).toString());
        Files.createDirectories(to.getParent());
        Files.writeString(to, Files.readString(file).replaceAll(LEFT_OUT, ""));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new HelmChart(folder);
  }

  LintResult lint() {
    return new Helm(folder).lint().strict().call();
  }

  /** With the values of a file. */
  String render(Path values) {
    return new Helm(folder)
        .template()
        .withName("elsa")
        .withNamespace("elsa-workflows")
        .withValuesFile(values)
        .call();
  }

  Manifests manifests(Path values) {
    return Manifests.of(Yaml.documents(render(values)));
  }
}
