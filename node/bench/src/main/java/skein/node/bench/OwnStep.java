package skein.node.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import skein.spi.CustomActivity;
import skein.spi.Step;
import skein.spi.WorkContext;

/**
 * A step whose work takes no time, so that what is measured is what a step costs: its attempt is
 * counted before the work, its result is committed before the next step begins.
 */
public final class OwnStep implements CustomActivity<OwnStep.Value, OwnStep.Value> {
  static final String TYPE = "Bench.Step";
  private static final String JAR = "bench-step.jar";

  /** Its inputs and outputs. */
  public record Value(long number) {}

  @Override
  public String type() {
    return TYPE;
  }

  @Override
  public Class<Value> inputs() {
    return Value.class;
  }

  @Override
  public Class<Value> outputs() {
    return Value.class;
  }

  @Override
  public Step<Value> run(Value inputs) {
    return Step.work();
  }

  @Override
  public Step.Done<Value> work(Value inputs, WorkContext context) {
    return new Step.Done<>("Done", inputs);
  }

  /** Makes the jar for the setting {@code activities.directory}. */
  static void writeJar(Path directory) {
    try {
      Files.createDirectories(directory);
      try (var jar = new JarOutputStream(Files.newOutputStream(directory.resolve(JAR)))) {
        write(jar, "META-INF/services/" + CustomActivity.class.getName(), OwnStep.class.getName());
        write(jar, OwnStep.class);
        write(jar, Value.class);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("The activity of the bench cannot be written", e);
    }
  }

  private static void write(JarOutputStream jar, String name, String text) throws IOException {
    jar.putNextEntry(new JarEntry(name));
    jar.write(text.getBytes(StandardCharsets.UTF_8));
    jar.closeEntry();
  }

  private static void write(JarOutputStream jar, Class<?> type) throws IOException {
    var name = type.getName().replace('.', '/') + ".class";
    try (var bytes = OwnStep.class.getClassLoader().getResourceAsStream(name)) {
      jar.putNextEntry(new JarEntry(name));
      Objects.requireNonNull(bytes, name).transferTo(jar);
      jar.closeEntry();
    }
  }
}
