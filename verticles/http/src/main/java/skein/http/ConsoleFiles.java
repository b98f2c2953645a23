package skein.http;

import io.vertx.core.buffer.Buffer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/**
 * The files of the console, which the build bundles and compresses: read once from the class path,
 * some hundred kilobytes. Immutable.
 */
final class ConsoleFiles {
  static final String BASE = "/console";

  static final String PAGE = "index.html";

  private static final String FOLDER = "/skein/console/";

  private static final Map<String, String> TYPES =
      Map.of(
          "html", Answer.HTML,
          "js", "text/javascript; charset=utf-8",
          "css", "text/css; charset=utf-8",
          "svg", "image/svg+xml");

  /**
   * @param compressed by gzip, for clients that accept it
   * @param plain for other clients
   */
  record File(String type, Buffer compressed, Buffer plain) {
    /** Names the content. */
    String tag() {
      return "\"%08x-%d\"".formatted(plain.hashCode(), plain.length());
    }
  }

  /** Read when it is first asked for. */
  private static final class Holder {
    static final ConsoleFiles FILES = read();
  }

  private final Map<String, File> files;

  private ConsoleFiles(Map<String, File> files) {
    this.files = files;
  }

  static ConsoleFiles get() {
    return Holder.FILES;
  }

  /** Null for a name that is not one of them. */
  @Nullable File find(String name) {
    return files.get(name);
  }

  private static ConsoleFiles read() {
    var files = new LinkedHashMap<String, File>();
    var list = new String(bytes("files.txt"), StandardCharsets.UTF_8);
    list.lines()
        .forEach(name -> {
          var compressed = bytes(name + ".gz");
          files.put(
              name,
              new File(type(name), Buffer.buffer(compressed), Buffer.buffer(plain(compressed))));
        });
    return new ConsoleFiles(Map.copyOf(files));
  }

  private static String type(String name) {
    var type = TYPES.get(name.substring(name.lastIndexOf('.') + 1));
    if (type == null) {
      throw new IllegalStateException("The type of " + name + " is not known");
    }
    return type;
  }

  private static byte[] bytes(String name) {
    try (var found = ConsoleFiles.class.getResourceAsStream(FOLDER + name)) {
      if (found == null) {
        throw new IllegalStateException(FOLDER + name + " is not on the class path");
      }
      return found.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] plain(byte[] compressed) {
    try (var in = new GZIPInputStream(new ByteArrayInputStream(compressed))) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The console is the same for all users: its data comes from the API. */
  static boolean isBelow(String path) {
    return path.equals(BASE) || path.startsWith(BASE + "/");
  }
}
