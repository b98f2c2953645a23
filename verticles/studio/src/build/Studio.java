import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarOutputStream;
import java.util.regex.Pattern;
import java.util.zip.CRC32;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;

/**
 * Packs Elsa Studio's npm package and the page around it into a jar: java Studio.java SRC WORK JAR.
 * The system property {@code package} names the package as a file; when it is empty, npm fetches
 * it. Its content is compared with the sum below before anything of it is used.
 *
 * <p>Files that the package has compressed are taken compressed, by brotli and by gzip, and as they
 * are otherwise. In the jar: {@code skein/studio/files.txt}, a line for each file with its
 * encodings ({@code bg}: brotli and gzip, {@code g}: gzip, {@code -}: neither), what its content is
 * known by, and its name; and {@code skein/studio/files/}, with {@code .br} or {@code .gz} behind
 * the names.
 */
final class Studio {
  private static final String NAME = "@elsa-workflows/elsa-studio-wasm";
  private static final String VERSION = "3.8.2";
  private static final String SHA_512 =
      "aoyapE8UDCEriuYekGv1CWzLqeNZDUL8nJGmxPXNcvXT"
          + "kGRT8u4QWBqlRwlm02AZcPpG9PU0FZJx3zSAyQVzGg==";

  /** What no screen of Studio asks for. */
  private static final Pattern LEFT_OUT =
      Pattern.compile(
          "package\\.json|index\\.html|.*\\.map|.*/login_background_.*"
              + "|_content/Radzen\\.Blazor/css/(?!material-base\\.css).*"
              + "|_content/Microsoft\\.AspNetCore\\.Components\\.WebAssembly\\.Authentication/.*"
              + "|.*/vs/assets/(css|html)\\.worker-.*"
              + "|.*/vs/nls\\.messages\\..*");

  /** Languages of Monaco, each in a file of its own beside the editor. */
  private static final Pattern LANGUAGE =
      Pattern.compile(".*/vs/([a-z0-9-]+?)-[A-Za-z0-9_-]{8}\\.js");

  private static final List<String> NEEDED =
      List.of("javascript", "typescript", "liquid", "sql", "html", "xml", "python", "csharp", "markdown");

  private static final Pattern PROGRAM =
      Pattern.compile(
          ".*/vs/(_commonjsHelpers|cssMode|htmlMode|jsonMode|tsMode|lspLanguageFeatures|workers"
              + "|editor\\.api)-[A-Za-z0-9_-]{8}\\.js");

  private record File(byte[] plain, byte[] gzip, byte[] brotli) {}

  private Studio() {}

  public static void main(String[] args) throws Exception {
    var source = Path.of(args[0]);
    var work = Files.createDirectories(Path.of(args[1]));
    var jar = Path.of(args[2]).normalize();
    var files = files(archive(work));
    try (var own = Files.list(source.resolve("main/host"))) {
      for (var file : own.sorted().toList()) {
        files.put(file.getFileName().toString(), own(Files.readAllBytes(file)));
      }
    }
    Files.createDirectories(jar.getParent());
    var next = work.resolve("skein-studio.jar");
    write(next, files, source.resolve("supply"));
    Files.move(next, jar, StandardCopyOption.REPLACE_EXISTING);
    System.out.printf("%s: %d files, %,d bytes%n", jar, files.size(), Files.size(jar));
  }

  private static byte[] archive(Path work) throws Exception {
    var named = System.getProperty("package", "");
    var file = named.isEmpty() ? fetched(work) : Path.of(named);
    var bytes = Files.readAllBytes(file);
    var sum = Base64.getEncoder().encodeToString(digest("SHA-512", bytes));
    if (!sum.equals(SHA_512)) {
      throw new IOException(file + " is not " + NAME + " " + VERSION + ": its SHA-512 is " + sum);
    }
    return bytes;
  }

  private static Path fetched(Path work) throws Exception {
    var file = work.resolve("elsa-workflows-elsa-studio-wasm-" + VERSION + ".tgz");
    if (!Files.exists(file)) {
      var npm =
          new ProcessBuilder("npm", "pack", "--silent", NAME + "@" + VERSION)
              .directory(work.toFile())
              .inheritIO()
              .start();
      if (npm.waitFor() != 0) {
        throw new IOException(
            "npm could not fetch " + NAME + "; name a copy with -Dskein.studio.package=FILE");
      }
    }
    return file;
  }

  private static Map<String, File> files(byte[] archive) throws IOException {
    var entries = new TreeMap<String, byte[]>();
    try (var in =
        new BufferedInputStream(
            new GZIPInputStream(new ByteArrayInputStream(archive), 1 << 16))) {
      var header = new byte[512];
      while (in.readNBytes(header, 0, 512) == 512 && header[0] != 0) {
        var name = text(header, 345, 155);
        name = (name.isEmpty() ? "" : name + "/") + text(header, 0, 100);
        var size = Integer.parseInt(text(header, 124, 12).strip(), 8);
        var content = in.readNBytes(size);
        if (content.length < size) {
          throw new EOFException(name);
        }
        in.skipNBytes((512 - size % 512) % 512);
        var type = header[156];
        if (type == 'x' || type == 'g' || type == 'L') {
          throw new IOException("A long name, which is not expected here: " + name);
        }
        if (type == '0' || type == 0) {
          entries.put(name.substring(name.indexOf('/') + 1), content);
        }
      }
    }
    var files = new TreeMap<String, File>();
    entries.forEach((name, content) -> {
      boolean compressed = name.endsWith(".br") || name.endsWith(".gz");
      if (!compressed && isNeeded(name)) {
        files.put(name, new File(content, entries.get(name + ".gz"), entries.get(name + ".br")));
      }
    });
    return files;
  }

  private static boolean isNeeded(String name) {
    if (LEFT_OUT.matcher(name).matches()) {
      return false;
    }
    var language = LANGUAGE.matcher(name);
    return !language.matches()
        || PROGRAM.matcher(name).matches()
        || NEEDED.contains(language.group(1));
  }

  private static String text(byte[] header, int from, int length) {
    var end = from;
    while (end < from + length && header[end] != 0) {
      end++;
    }
    return new String(header, from, end - from, StandardCharsets.UTF_8);
  }

  private static File own(byte[] plain) throws IOException {
    var out = new ByteArrayOutputStream();
    try (var gzip = new GZIPOutputStream(out)) {
      gzip.write(plain);
    }
    return new File(plain, out.toByteArray(), null);
  }

  private static void write(Path jar, Map<String, File> files, Path supply) throws Exception {
    try (var out = new JarOutputStream(Files.newOutputStream(jar))) {
      put(
          out,
          "META-INF/MANIFEST.MF",
          ("Manifest-Version: 1.0\nImplementation-Title: Elsa Studio\nImplementation-Version: "
                  + VERSION
                  + "\n")
              .getBytes(StandardCharsets.UTF_8));
      try (var notices = Files.list(supply)) {
        for (var notice : notices.sorted().toList()) {
          put(
              out,
              "META-INF/skein/studio/" + notice.getFileName(),
              Files.readAllBytes(notice));
        }
      }
      put(
          out,
          "META-INF/skein/studio/LICENSE.txt",
          Files.readAllBytes(supply.resolve("../../../../LICENSE").normalize()));
      var list = new ArrayList<String>();
      for (var entry : files.entrySet()) {
        var file = entry.getValue();
        var name = "skein/studio/files/" + entry.getKey();
        var encodings = "";
        if (file.brotli() != null) {
          put(out, name + ".br", file.brotli());
          encodings += "b";
        }
        if (file.gzip() != null) {
          put(out, name + ".gz", file.gzip());
          encodings += "g";
        } else {
          put(out, name, file.plain());
        }
        var known = HexFormat.of().formatHex(digest("SHA-256", file.plain())).substring(0, 16);
        list.add((encodings.isEmpty() ? "-" : encodings) + " " + known + " " + entry.getKey());
      }
      put(
          out,
          "skein/studio/files.txt",
          (String.join("\n", list) + "\n").getBytes(StandardCharsets.UTF_8));
    }
  }

  /** As it is: nearly all of it is compressed. Without a date, so that the jar is the same again. */
  private static void put(JarOutputStream out, String name, byte[] content) throws IOException {
    var entry = new ZipEntry(name);
    entry.setTimeLocal(LocalDateTime.of(1980, 1, 1, 0, 0));
    entry.setMethod(ZipEntry.STORED);
    entry.setSize(content.length);
    var sum = new CRC32();
    sum.update(content);
    entry.setCrc(sum.getValue());
    out.putNextEntry(entry);
    out.write(content);
    out.closeEntry();
  }

  private static byte[] digest(String algorithm, byte[] bytes) throws Exception {
    return MessageDigest.getInstance(algorithm).digest(bytes);
  }
}
