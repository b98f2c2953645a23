package skein.http;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.Map;
import skein.model.ErrorCode;
import skein.model.SkeinException;
import skein.openapi.Operation;
import skein.openapi.Tag;

/**
 * Serves the console. Every view has an address of its own, which is answered with the one page;
 * what the page loads has names that change with the content and may be kept for ever.
 */
final class ConsoleRoutes {

  /** Only from this server, and no inline code in a page. */
  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
          + " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none';"
          + " require-trusted-types-for 'script'";

  private static final Map<String, String> PAGE_HEADERS =
      Map.of(
          "Content-Security-Policy",
          POLICY,
          "Referrer-Policy",
          "no-referrer",
          "Cross-Origin-Opener-Policy",
          "same-origin");

  private static final String IMMUTABLE = "public, max-age=31536000, immutable";

  private final ConsoleFiles files;

  ConsoleRoutes(ConsoleFiles files) {
    this.files = files;
  }

  void addTo(Routes routes) {
    var view = Operation.of(Tag.CONSOLE, "showConsole", "Shows the console");
    view = view.answersWith("text/html", "The page");
    routes
        .always(
            ConsoleFiles.BASE + "/assets/:name",
            view.as("getConsoleFile").answersNothing(304, "It has not changed"),
            this::asset)
        .always(ConsoleFiles.BASE, view, this::page)
        .always(ConsoleFiles.BASE + "/:view", view.as("showConsoleView"), this::page)
        .always(ConsoleFiles.BASE + "/:view/:id", view.as("showConsoleItem"), this::page);
  }

  private Future<Answer> page(Call call) {
    var answer = answer(call, file(ConsoleFiles.PAGE), "no-cache");
    for (var header : PAGE_HEADERS.entrySet()) {
      answer = answer.with(header.getKey(), header.getValue());
    }
    return Future.succeededFuture(answer);
  }

  private Future<Answer> asset(Call call) {
    var name = call.path("name");
    boolean hashed = !name.equals("icon.svg");
    return Future.succeededFuture(
        answer(call, file("assets/" + name), hashed ? IMMUTABLE : "no-cache"));
  }

  private ConsoleFiles.File file(String name) {
    var found = files.find(name);
    if (found == null) {
      throw new SkeinException(ErrorCode.NOT_FOUND, "The console has no file " + name);
    }
    return found;
  }

  private static Answer answer(Call call, ConsoleFiles.File file, String caching) {
    var tag = file.tag();
    var headers = Map.of("Cache-Control", caching, "ETag", tag, "Vary", "Accept-Encoding");
    if (tag.equals(call.header("If-None-Match"))) {
      return new Answer(304, headers, null, Buffer.buffer());
    }
    return takesGzip(call)
        ? new Answer(200, headers, file.type(), file.compressed()).with("Content-Encoding", "gzip")
        : new Answer(200, headers, file.type(), file.plain());
  }

  private static boolean takesGzip(Call call) {
    var accepted = call.header("Accept-Encoding");
    return accepted != null
        && accepted.matches("(?i).*\\bgzip\\b(?!\\s*;\\s*q=0(\\.0*)?\\s*(,|$)).*");
  }
}
