package skein.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeModel;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.ProtectionDomain;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.jspecify.annotations.Nullable;

/**
 * Lets a node tell the others another port of its event bus than the one it listens at, which no
 * setting does: that of the proxy before it. Runs inside the node, as an agent of its JVM.
 */
public final class BusPortAgent implements ClassFileTransformer {
  private static final String OPTIONS = "io/vertx/core/eventbus/EventBusOptions";
  private static final String METHOD = "getClusterPublicPort";

  private final int port;

  private BusPortAgent(int port) {
    this.port = port;
  }

  /** What the JVM calls before main; the argument is the port. */
  public static void premain(String argument, Instrumentation instrumentation) {
    instrumentation.addTransformer(new BusPortAgent(Integer.parseInt(argument)));
  }

  @Override
  public byte @Nullable [] transform(
      Module module,
      @Nullable ClassLoader loader,
      String name,
      @Nullable Class<?> redefined,
      @Nullable ProtectionDomain domain,
      byte[] bytes) {
    if (!OPTIONS.equals(name)) {
      return null;
    }
    var file = ClassFile.of();
    return file.transformClass(
        file.parse(bytes),
        ClassTransform.transformingMethods(
            method -> method.methodName().equalsString(METHOD),
            (method, element) -> {
              if (element instanceof CodeModel) {
                method.withCode(code -> code.loadConstant(port).ireturn());
              } else {
                method.with(element);
              }
            }));
  }

  /** Writes the jar that {@code -javaagent} takes. */
  static void writeJar(Path jar) {
    var manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest
        .getMainAttributes()
        .put(new Attributes.Name("Premain-Class"), BusPortAgent.class.getName());
    var entry = BusPortAgent.class.getName().replace('.', '/') + ".class";
    try (var out = new JarOutputStream(Files.newOutputStream(jar), manifest);
        var in = BusPortAgent.class.getClassLoader().getResourceAsStream(entry)) {
      if (in == null) {
        throw new IllegalStateException("No class file " + entry);
      }
      out.putNextEntry(new JarEntry(entry));
      in.transferTo(out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
