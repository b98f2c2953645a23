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
  private static final Map<String, String> LINKS = new LinkedHashMap<>();

  static {
    LINKS.put("Workflow definitions", Routes.API + "/workflow-definitions");
    LINKS.put("Workflow instances", Routes.API + "/workflow-instances");
    LINKS.put("API reference", "/reference");
    LINKS.put("OpenAPI", "/openapi.json");
    LINKS.put("JSON Schema of definitions", "/schemas/workflow-definition.json");
    LINKS.put("Ready", "/health/ready");
    LINKS.put("Live", "/health/live");
  }

  private final Cluster cluster;
  private final Readiness readiness;

  IndexRoute(Cluster cluster, Readiness readiness) {
    this.cluster = cluster;
    this.readiness = readiness;
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
    json.put("links", LINKS);
    return Answer.ok(json);
  }

  private Answer page() {
    var list = new StringBuilder();
    LINKS.forEach(
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
