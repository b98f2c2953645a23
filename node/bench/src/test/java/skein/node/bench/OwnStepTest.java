package skein.node.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import skein.spi.CustomActivity;

class OwnStepTest {
  @TempDir Path folder;

  @Test
  void its_jar_has_all_that_a_node_needs() throws Exception {
    OwnStep.writeJar(folder);

    var jars = new URL[] {folder.resolve("bench-step.jar").toUri().toURL()};
    try (var loader = new URLClassLoader(jars, new WithoutBench())) {
      var found = ServiceLoader.load(CustomActivity.class, loader).findFirst().orElseThrow();

      assertThat(found.type()).isEqualTo("Bench.Step");
      assertThat(found.getClass().getClassLoader()).isSameAs(loader);
      assertThat(found.inputs().getClassLoader()).isSameAs(loader);
    }
  }

  /** As a node has it whose jar lacks the bench. */
  private static final class WithoutBench extends ClassLoader {
    WithoutBench() {
      super(OwnStepTest.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (name.startsWith("skein.node.bench.")) {
        throw new ClassNotFoundException(name);
      }
      return super.loadClass(name, resolve);
    }
  }
}
