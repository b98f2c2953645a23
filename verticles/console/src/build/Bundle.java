import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.jar.JarFile;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/**
 * Makes, while the module is built, what is served of the console. Run as a source file, on the
 * class path of the module:
 *
 * <pre>java [-Desbuild=PATH] Bundle.java SOURCES WORK_FOLDER OUTPUT_FOLDER</pre>
 *
 * <p>Libraries and esbuild come from webjars on the class path, so nothing is downloaded but what
 * Maven downloads. Scripts and styles get names with a hash of their content; everything is
 * compressed; {@code files.txt} lists it. The same sources give the same bytes.
 */
final class Bundle {
  /** What a first visit loads, compressed. */
  private static final long BYTES_MAX = 300_000;

  private static final String WEBJARS = "META-INF/resources/webjars/";
  private static final List<String> LIBRARIES = List.of("preact", "qr-creator", "uplot");

  private final Path sources;
  private final Path work;
  private final Path output;

  /** From the name under which it is served to its bytes. */
  private final TreeMap<String, byte[]> files = new TreeMap<>();

  private Bundle(Path sources, Path work, Path output) {
    this.sources = sources;
    this.work = work;
    this.output = output;
  }

  public static void main(String[] arguments) throws Exception {
    var bundle =
        new Bundle(Path.of(arguments[0]), Path.of(arguments[1]), Path.of(arguments[2]));
    delete(bundle.work);
    delete(bundle.output);
    bundle.unpackLibraries();
    bundle.run();
    bundle.collect();
    bundle.write();
  }

  /** To where esbuild looks for them: beside the sources, of which it gets a copy. */
  private void unpackLibraries() throws IOException {
    for (var library : LIBRARIES) {
      var start = WEBJARS + library + "/";
      try (var jar = new JarFile(onClassPath(library).toFile())) {
        for (var entry : jar.stream().filter(one -> one.getName().startsWith(start)).toList()) {
          var name = entry.getName().substring(start.length());
          int version = name.indexOf('/');
          if (!entry.isDirectory() && version > 0 && !name.endsWith(".map")) {
            var file = work.resolve("node_modules").resolve(library + name.substring(version));
            Files.createDirectories(file.getParent());
            Files.write(file, jar.getInputStream(entry).readAllBytes());
          }
        }
      }
    }
    try (var all = Files.walk(sources)) {
      for (var file : all.filter(Files::isRegularFile).toList()) {
        var copy = work.resolve("src").resolve(sources.relativize(file).toString());
        Files.createDirectories(copy.getParent());
        Files.copy(file, copy);
      }
    }
  }

  private static Path onClassPath(String start) {
    for (var element : System.getProperty("java.class.path").split(File.pathSeparator)) {
      if (Path.of(element).getFileName().toString().startsWith(start + "-")) {
        return Path.of(element);
      }
    }
    throw new IllegalStateException(start + " is not on the class path");
  }

  private Path esbuild() throws IOException {
    var given = System.getProperty("esbuild", "");
    if (!given.isEmpty() && !given.startsWith("${")) {
      return Path.of(given);
    }
    for (var element : System.getProperty("java.class.path").split(File.pathSeparator)) {
      if (Path.of(element).getFileName().toString().startsWith("esbuild__")) {
        try (var jar = new JarFile(element)) {
          var binary =
              jar.stream().filter(one -> one.getName().endsWith("/bin/esbuild")).findFirst();
          var file = work.resolve("esbuild");
          Files.write(file, jar.getInputStream(binary.orElseThrow()).readAllBytes());
          if (!file.toFile().setExecutable(true)) {
            throw new IllegalStateException(file + " cannot be made executable");
          }
          return file;
        }
      }
    }
    throw new IllegalStateException(
        "There is no esbuild for this machine among the dependencies: install one, for example"
            + " by npm, and name it with -Desbuild=PATH");
  }

  private void run() throws IOException, InterruptedException {
    var command =
        List.of(
            esbuild().toAbsolutePath().toString(),
            "src/ts/main.tsx",
            "src/ts/style.css",
            "--bundle",
            "--minify",
            "--format=esm",
            "--target=es2022",
            "--jsx=automatic",
            "--jsx-import-source=preact",
            "--charset=utf8",
            "--legal-comments=none",
            "--entry-names=[name]-[hash]",
            "--log-level=warning",
            "--outdir=out");
    int exit = new ProcessBuilder(command).directory(work.toFile()).inheritIO().start().waitFor();
    if (exit != 0) {
      throw new IllegalStateException("esbuild ended with " + exit);
    }
  }

  private void collect() throws IOException {
    String script = null;
    String style = null;
    try (var made = Files.list(work.resolve("out"))) {
      for (var file : made.sorted().toList()) {
        var name = file.getFileName().toString();
        files.put("assets/" + name, Files.readAllBytes(file));
        script = name.endsWith(".js") ? name : script;
        style = name.endsWith(".css") ? name : style;
      }
    }
    if (script == null || style == null) {
      throw new IllegalStateException("esbuild made no script or no style");
    }
    var page = Files.readString(sources.resolve("index.html"));
    files.put(
        "index.html",
        page.replace("STYLE", style).replace("SCRIPT", script).getBytes(StandardCharsets.UTF_8));
    files.put("assets/icon.svg", Files.readAllBytes(sources.resolve("icon.svg")));
  }

  private void write() throws IOException {
    var list = new ArrayList<String>();
    long total = 0;
    for (var entry : files.entrySet()) {
      var file = output.resolve(entry.getKey() + ".gz");
      Files.createDirectories(file.getParent());
      try (var compressing = gzip(Files.newOutputStream(file))) {
        compressing.write(entry.getValue());
      }
      list.add(entry.getKey());
      total += Files.size(file);
    }
    if (total > BYTES_MAX) {
      throw new IllegalStateException(
          "The console has " + total + " bytes, compressed: more than " + BYTES_MAX);
    }
    Files.writeString(output.resolve("files.txt"), String.join("\n", list) + "\n");
    System.out.println("The console has " + total + " bytes, compressed");
  }

  private static OutputStream gzip(OutputStream to) throws IOException {
    return new GZIPOutputStream(to) {
      {
        def.setLevel(Deflater.BEST_COMPRESSION);
      }
    };
  }

  private static void delete(Path folder) throws IOException {
    if (Files.exists(folder)) {
      try (var all = Files.walk(folder)) {
        all.sorted(Comparator.reverseOrder()).forEach(Bundle::deleteOne);
      }
    }
  }

  private static void deleteOne(Path file) {
    try {
      Files.delete(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
