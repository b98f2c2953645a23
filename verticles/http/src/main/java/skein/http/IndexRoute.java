package skein.http;

import io.vertx.core.Future;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.cluster.Cluster;
import skein.cluster.Readiness;
import skein.openapi.Operation;
import skein.openapi.Shape;
import skein.openapi.Tag;

/** The first page: what this is, and where to go from here. */
final class IndexRoute {
  private final Cluster cluster;
  private final Readiness readiness;
  private final Map<String, String> links = new LinkedHashMap<>();

  /** {@code console} and {@code studio}: whether they are served here. */
  IndexRoute(Cluster cluster, Readiness readiness, boolean console, boolean studio) {
    this.cluster = cluster;
    this.readiness = readiness;
    if (console) {
      links.put("Console", ConsoleFiles.BASE);
    }
    if (studio) {
      links.put("Elsa Studio", StudioFiles.BASE + "/");
    }
    links.put("Workflow definitions", Routes.API + "/workflow-definitions");
    links.put("Workflow instances", Routes.API + "/workflow-instances");
    links.put("API reference", "/reference");
    links.put("OpenAPI", "/openapi.json");
    links.put("JSON Schema of definitions", "/schemas/workflow-definition.json");
    links.put("Ready", "/health/ready");
    links.put("Live", "/health/live");
  }

  void addTo(Routes routes) {
    routes.always(
        "/",
        Operation.of(Tag.REFERENCE, "getIndex", "Says what this is, and where to go from here")
            .answers(
                Shape.object()
                    .has("name", Shape.TEXT)
                    .has("node", Shape.TEXT)
                    .has("phase", Shape.TEXT)
                    .has("members", Shape.COUNT)
                    .has("links", Shape.mapOf(Shape.TEXT)))
            .answersWith("text/html", "The same as a page"),
        call -> Future.succeededFuture(call.wantsHtml() ? page() : json()));
  }

  private Answer json() {
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("name", "Skein");
    json.put("node", cluster.nodeName());
    json.put("phase", readiness.phase().name());
    json.put("members", (long) cluster.members().size());
    json.put("links", links);
    return Answer.ok(json);
  }

  private Answer page() {
    var list = new StringBuilder();
    links.forEach(
        (title, path) -> list.append("<li><a href=\"%s\">%s</a></li>\n".formatted(path, title)));
    return Answer.html(
            200,
            """
            <!doctype html>
            <html lang="en"><head><meta charset="utf-8"><title>Skein</title></head>
            <body><h1>Skein</h1>
            <p>Node %s, %s, in a cluster of %d.</p>
            <ul>
            %s</ul></body></html>
            """
                .formatted(
                    ResumePage.escaped(cluster.nodeName()),
                    readiness.phase(),
                    cluster.members().size(),
                    list))
        .with("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
  }
}
