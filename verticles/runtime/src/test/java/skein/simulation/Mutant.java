package skein.simulation;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/**
 * The code with a mistake in it: sources are changed, compiled in memory, and loaded beside the
 * right ones.
 *
 * @param comparesRevisionAlone the mistake is in the statement, which only the model has here
 */
record Mutant(String name, boolean comparesRevisionAlone, List<Edit> edits) {
  /** Of the modules whose code runs in the simulation. */
  private static final List<Path> SOURCES =
      Stream.of("engine", "storage", "runtime")
          .map(module -> Path.of("..", module, "src/main/java/skein"))
          .toList();

  /** {@code file}: below the package {@code skein}. */
  record Edit(String file, String before, String after) {}

  static Mutant of(String name, Edit... edits) {
    return new Mutant(name, false, List.of(edits));
  }

  Mutant comparingRevisionAlone() {
    return new Mutant(name, true, edits);
  }

  /** Loads the code with the mistake. */
  ClassLoader load() throws IOException {
    var sources = new HashMap<String, String>();
    for (var edit : edits) {
      var source = sources.get(edit.file());
      source = source == null ? read(edit.file()) : source;
      if (!source.contains(edit.before())) {
        throw new IllegalStateException(
            name + ": " + edit.file() + " does not say any more: " + edit.before());
      }
      sources.put(edit.file(), source.replace(edit.before(), edit.after()));
    }
    return new Loader(getClass().getClassLoader(), compiled(sources));
  }

  private String read(String file) throws IOException {
    for (var folder : SOURCES) {
      if (Files.exists(folder.resolve(file))) {
        return Files.readString(folder.resolve(file));
      }
    }
    throw new IllegalStateException(name + ": there is no " + file);
  }

  private Map<String, byte[]> compiled(Map<String, String> sources) throws IOException {
    if (sources.isEmpty()) {
      return Map.of();
    }
    var compiler = ToolProvider.getSystemJavaCompiler();
    var classes = new HashMap<String, ByteArrayOutputStream>();
    var units = new ArrayList<JavaFileObject>();
    sources.forEach((file, text) -> units.add(new Source(file, text)));
    var errors = new StringWriter();
    try (var files = new InMemory(compiler.getStandardFileManager(null, null, null), classes)) {
      var options =
          List.of("-proc:none", "-nowarn", "-classpath", System.getProperty("java.class.path"));
      if (!compiler.getTask(errors, files, null, options, null, units).call()) {
        throw new IllegalStateException(name + " does not compile: " + errors);
      }
    }
    var bytes = new HashMap<String, byte[]>();
    classes.forEach((type, stream) -> bytes.put(type, stream.toByteArray()));
    return bytes;
  }

  private static final class Source extends SimpleJavaFileObject {
    private final String text;

    Source(String file, String text) {
      super(URI.create("string:///skein/" + file), Kind.SOURCE);
      this.text = text;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }

  private static final class InMemory extends ForwardingJavaFileManager<JavaFileManager> {
    private final Map<String, ByteArrayOutputStream> classes;

    InMemory(JavaFileManager files, Map<String, ByteArrayOutputStream> classes) {
      super(files);
      this.classes = classes;
    }

    @Override
    public JavaFileObject getJavaFileForOutput(
        Location location, String className, JavaFileObject.Kind kind, FileObject sibling) {
      var bytes = new ByteArrayOutputStream();
      classes.put(className, bytes);
      return new SimpleJavaFileObject(URI.create("bytes:///" + className), kind) {
        @Override
        public OutputStream openOutputStream() {
          return bytes;
        }
      };
    }
  }

  /** Loads all classes of this project again, with the changed one in place of the original. */
  private static final class Loader extends ClassLoader {
    private final Map<String, byte[]> changed;

    Loader(ClassLoader parent, Map<String, byte[]> changed) {
      super(parent);
      this.changed = changed;
    }

    @Override
    protected Class<?> loadClass(String className, boolean resolve) throws ClassNotFoundException {
      if (!className.startsWith("skein.")) {
        return super.loadClass(className, resolve);
      }
      synchronized (getClassLoadingLock(className)) {
        var loaded = findLoadedClass(className);
        return loaded == null ? define(className) : loaded;
      }
    }

    private Class<?> define(String className) throws ClassNotFoundException {
      var bytes = changed.get(className);
      if (bytes == null) {
        try (var in = getParent().getResourceAsStream(className.replace('.', '/') + ".class")) {
          if (in == null) {
            throw new ClassNotFoundException(className);
          }
          bytes = in.readAllBytes();
        } catch (IOException e) {
          throw new ClassNotFoundException(className, e);
        }
      }
      return defineClass(className, bytes, 0, bytes.length);
    }
  }
}
