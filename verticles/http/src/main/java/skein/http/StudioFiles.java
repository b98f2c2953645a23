package skein.http;

import io.vertx.core.buffer.Buffer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/**
 * The files of Elsa's designer, which are in a jar of their own beside the server's. The list of
 * them is read once; a file is read of the jar each time it is sent, as a browser that has it asks
 * for few again. Immutable.
 */
public final class StudioFiles {
  /** The path of the page, below which all files are. */
  static final String BASE = "/studio";

  static final String PAGE = "index.html";

  private static final String FOLDER = "skein/studio/";
  private static final String LIST = FOLDER + "files.txt";

  private static final Map<String, String> TYPES =
      Map.ofEntries(
          Map.entry("html", Answer.HTML),
          Map.entry("js", "text/javascript; charset=utf-8"),
          Map.entry("css", "text/css; charset=utf-8"),
          Map.entry("json", Answer.JSON),
          Map.entry("webmanifest", "application/manifest+json"),
          Map.entry("wasm", "application/wasm"),
          Map.entry("png", "image/png"),
          Map.entry("ico", "image/x-icon"),
          Map.entry("svg", "image/svg+xml"),
          Map.entry("ttf", "font/ttf"),
          Map.entry("woff2", "font/woff2"));

  /** Names that change with the content. */
  private static final Pattern HASHED =
      Pattern.compile(
          "_framework/.*\\.[a-z0-9]{10}\\.[a-z]+|.*/monaco-editor/.*-[A-Za-z0-9_-]{8}\\.[a-z0-9]+");

  /** How a file is stored. */
  enum Encoding {
    NONE("", null),
    GZIP(".gz", "gzip"),
    BROTLI(".br", "br");

    private final String suffix;
    private final @Nullable String coding;

    Encoding(String suffix, @Nullable String coding) {
      this.suffix = suffix;
      this.coding = coding;
    }

    /** As headers name it; null for none. */
    @Nullable String coding() {
      return coding;
    }
  }

  /**
   * @param tag names the content
   * @param gzip stored compressed by gzip, and in no other way but brotli
   * @param brotli stored compressed by brotli, too
   */
  record File(String name, String tag, boolean gzip, boolean brotli) {
    String type() {
      return TYPES.getOrDefault(
          name.substring(name.lastIndexOf('.') + 1), "application/octet-stream");
    }

    boolean isHashed() {
      return HASHED.matcher(name).matches();
    }
  }

  private final ClassLoader loader;
  private final Map<String, File> files;

  private StudioFiles(ClassLoader loader, Map<String, File> files) {
    this.loader = loader;
    this.files = files;
  }

  /** Whether the jar is beside that of the server. */
  public static boolean arePresent() {
    return StudioFiles.class.getClassLoader().getResource(LIST) != null;
  }

  /** Those beside the server's jar; throws {@code IllegalStateException} when they are missing. */
  public static StudioFiles read() {
    return read(StudioFiles.class.getClassLoader());
  }

  /** Those that the loader finds. */
  static StudioFiles read(ClassLoader loader) {
    var files = new LinkedHashMap<String, File>();
    new String(bytes(loader, LIST), StandardCharsets.UTF_8)
        .lines()
        .forEach(line -> {
          var parts = line.split(" ", 3);
          var name = parts[2];
          files.put(
              name,
              new File(name, '"' + parts[1] + '"', parts[0].contains("g"), parts[0].contains("b")));
        });
    return new StudioFiles(loader, Map.copyOf(files));
  }

  /** Null for a name that is not one of them. */
  @Nullable File find(String name) {
    return files.get(name);
  }

  /** {@code encoding}: one that it is stored in, or {@code NONE}. Blocks. */
  Buffer content(File file, Encoding encoding) {
    if (encoding != Encoding.NONE || !file.gzip()) {
      return Buffer.buffer(bytes(loader, FOLDER + "files/" + file.name() + encoding.suffix));
    }
    var compressed = bytes(loader, FOLDER + "files/" + file.name() + Encoding.GZIP.suffix);
    try (var in = new GZIPInputStream(new ByteArrayInputStream(compressed))) {
      return Buffer.buffer(in.readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] bytes(ClassLoader loader, String name) {
    try (var found = loader.getResourceAsStream(name)) {
      if (found == null) {
        throw new IllegalStateException(name + " is not on the class path: skein-studio.jar");
      }
      return found.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static boolean isBelow(String path) {
    return path.equals(BASE) || path.startsWith(BASE + "/");
  }
}
