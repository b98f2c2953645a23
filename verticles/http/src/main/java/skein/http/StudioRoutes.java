package skein.http;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import skein.http.StudioFiles.Encoding;
import skein.model.ErrorCode;
import skein.model.SkeinException;
import skein.openapi.Operation;
import skein.openapi.Tag;

/**
 * Serves Elsa's designer: its files as they are stored, and one page around it for every address
 * below {@code workflows/}. The same on every node, and open to all clients, since its data comes
 * from the API.
 */
final class StudioRoutes {
  private static final String BASE = StudioFiles.BASE;

  /**
   * Of this server alone. The designer is WebAssembly, sets styles of elements, embeds small images
   * and fonts, and starts the editor's workers from texts.
   */
  private static final String POLICY =
      "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline';"
          + " img-src 'self' data:; font-src 'self' data:; connect-src 'self';"
          + " worker-src 'self' blob:; object-src 'none'; base-uri 'self'; form-action 'none';"
          + " frame-ancestors 'none'";

  private static final String IMMUTABLE = "public, max-age=31536000, immutable";

  private final StudioFiles files;
  private final Buffer page;
  private final String pageTag;

  /** {@code baseUrl}: where clients find the server; its path is before that of the designer. */
  StudioRoutes(StudioFiles files, URI baseUrl) {
    this.files = files;
    var path = baseUrl.getPath() == null ? "" : baseUrl.getPath();
    var prefix = path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    var given = file(StudioFiles.PAGE);
    page =
        Buffer.buffer(
            files
                .content(given, Encoding.NONE)
                .toString(StandardCharsets.UTF_8)
                .replace("{base}", ResumePage.escaped(prefix + BASE + "/")));
    pageTag = "\"%08x-%d\"".formatted(page.hashCode(), page.length());
  }

  void addTo(Routes routes) {
    var view =
        Operation.of(Tag.CONSOLE, "showStudio", "Shows Elsa's designer")
            .answersWith("text/html", "The page");
    routes
        .always(BASE, view, this::page)
        .always(
            BASE + "/*",
            view.as("getStudioFile")
                .answersWith("*/*", "A file of the designer")
                .answersNothing(304, "It has not changed"),
            this::below);
  }

  private Future<Answer> below(Call call) {
    var name = call.context().normalizedPath().substring(BASE.length() + 1);
    return name.isEmpty() || name.equals(StudioFiles.PAGE) || name.startsWith("workflows/")
        ? page(call)
        : file(call, file(name));
  }

  private Future<Answer> page(Call call) {
    var headers = new LinkedHashMap<String, String>();
    headers.put("Cache-Control", "no-cache");
    headers.put("ETag", pageTag);
    headers.put("Content-Security-Policy", POLICY);
    headers.put("Referrer-Policy", "no-referrer");
    headers.put("Cross-Origin-Opener-Policy", "same-origin");
    return Future.succeededFuture(
        pageTag.equals(call.header("If-None-Match"))
            ? new Answer(304, headers, null, Buffer.buffer())
            : new Answer(200, headers, Answer.HTML, page));
  }

  private Future<Answer> file(Call call, StudioFiles.File file) {
    var headers = new LinkedHashMap<String, String>();
    headers.put("Cache-Control", file.isHashed() ? IMMUTABLE : "no-cache");
    headers.put("ETag", file.tag());
    headers.put("Vary", "Accept-Encoding");
    if (file.tag().equals(call.header("If-None-Match"))) {
      return Future.succeededFuture(new Answer(304, headers, null, Buffer.buffer()));
    }
    var encoding = encoding(call, file);
    if (encoding.coding() != null) {
      headers.put("Content-Encoding", encoding.coding());
    }
    return call.onWorker(() -> files.content(file, encoding))
        .map(content -> new Answer(200, headers, file.type(), content));
  }

  private static Encoding encoding(Call call, StudioFiles.File file) {
    if (file.brotli() && takes(call, "br")) {
      return Encoding.BROTLI;
    }
    return file.gzip() && takes(call, "gzip") ? Encoding.GZIP : Encoding.NONE;
  }

  private static boolean takes(Call call, String coding) {
    var accepted = call.header("Accept-Encoding");
    return accepted != null
        && accepted.matches("(?i).*\\b" + coding + "\\b(?!\\s*;\\s*q=0(\\.0*)?\\s*(,|$)).*");
  }

  private StudioFiles.File file(String name) {
    var found = files.find(name);
    if (found == null) {
      throw new SkeinException(ErrorCode.NOT_FOUND, "The designer has no file " + name);
    }
    return found;
  }
}
