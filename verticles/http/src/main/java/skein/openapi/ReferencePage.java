package skein.openapi;

import static skein.openapi.Members.list;
import static skein.openapi.Members.object;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An OpenAPI document as a page for readers: one file, nothing loaded from elsewhere, usable
 * without its script, which filters.
 */
public final class ReferencePage {
  private static final String STYLE = resource("reference.css");
  private static final String SCRIPT = resource("reference.js");

  /** Style and script are allowed by their hashes, nothing else is allowed at all. */
  public static final String POLICY =
      "default-src 'none'; style-src 'sha256-"
          + sha256(STYLE)
          + "'; script-src 'sha256-"
          + sha256(SCRIPT)
          + "'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

  private final Map<?, ?> document;
  private final SchemaHtml schemas = new SchemaHtml();
  private final StringBuilder page = new StringBuilder();

  private ReferencePage(Map<?, ?> document) {
    this.document = document;
  }

  /** {@code document}: made by {@link OpenApi}. */
  public static String of(Map<String, @Nullable Object> document) {
    return new ReferencePage(document).write();
  }

  private String write() {
    var info = object(document.get("info"));
    page.append(
        """
        <!doctype html>
        <html lang="en">
        <head><meta charset="utf-8"><title>%1$s: API reference</title>
        <meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
        <style>%2$s</style></head>
        <body>
        <header><h1>%1$s: API reference</h1>
        <p>%3$s</p>
        <p>For tools: <a href="openapi.json">OpenAPI 3.1</a>, <a href="schemas/workflow-definition.json">JSON Schema of
        definitions</a>.</p>
        <div id="search" role="search"><label for="filter">Filter</label>
        <input id="filter" type="search" autocomplete="off" aria-describedby="count">
        <output id="count" for="filter" aria-live="polite"></output></div></header>
        <main>
        """
            .formatted(
                text(info.get("title")),
                STYLE,
                SchemaHtml.prose(String.valueOf(info.get("description")))));
    var byTag = operations();
    page.append("<nav aria-label=\"Sections\"><ul>\n");
    byTag
        .keySet()
        .forEach(tag ->
            page.append("<li><a href=\"#%s\">%s</a></li>%n".formatted(anchor(tag), text(tag))));
    page.append("<li><a href=\"#schemas\">Schemas</a></li>\n</ul></nav>\n");
    byTag.forEach(this::section);
    components();
    page.append("</main>\n<script>").append(SCRIPT).append("</script>\n</body>\n</html>\n");
    return page.toString();
  }

  private record Entry(String method, String path, Map<?, ?> operation) {}

  /** In the order of the document's tags. */
  private Map<String, List<Entry>> operations() {
    var byTag = new LinkedHashMap<String, List<Entry>>();
    for (var tag : list(document.get("tags"))) {
      byTag.put(String.valueOf(object(tag).get("name")), new ArrayList<>());
    }
    object(document.get("paths"))
        .forEach((path, methods) ->
            object(methods)
                .forEach((method, operation) -> {
                  var entry =
                      new Entry(
                          String.valueOf(method).toUpperCase(Locale.ROOT),
                          String.valueOf(path),
                          object(operation));
                  var tag = String.valueOf(list(entry.operation().get("tags")).getFirst());
                  byTag.computeIfAbsent(tag, _ -> new ArrayList<>()).add(entry);
                }));
    byTag.values().removeIf(List::isEmpty);
    byTag.values().forEach(entries -> entries.sort(Comparator.comparing(Entry::path)));
    return byTag;
  }

  private void section(String tag, List<Entry> entries) {
    page.append("<section id=\"%s\"><h2>%s</h2>%n".formatted(anchor(tag), text(tag)));
    for (var known : list(document.get("tags"))) {
      if (tag.equals(object(known).get("name"))) {
        page.append("<p>%s</p>%n".formatted(text(object(known).get("description"))));
      }
    }
    entries.forEach(this::entry);
    page.append("</section>\n");
  }

  private void entry(Entry entry) {
    var operation = entry.operation();
    page.append(
        """
        <details id="%s" class="entry"><summary><span class="method %s">%s</span> <code>%s</code> <span>%s</span></summary>
        """
            .formatted(
                text(operation.get("operationId")),
                entry.method().toLowerCase(Locale.ROOT),
                entry.method(),
                text(entry.path()),
                text(operation.get("summary"))));
    page.append(
        "<p class=\"id\">Operation <code>%s</code></p>%n"
            .formatted(text(operation.get("operationId"))));
    parameters(list(operation.get("parameters")));
    var body = object(operation.get("requestBody"));
    if (!body.isEmpty()) {
      page.append(
          "<h3>Body%s</h3>%n"
              .formatted(Boolean.TRUE.equals(body.get("required")) ? "" : ", optional"));
      content(object(body.get("content")));
    }
    page.append("<h3>Answers</h3>\n");
    object(operation.get("responses"))
        .forEach((status, response) -> {
          if (!object(response).containsKey("$ref")) {
            page.append(
                "<h4>%s: %s</h4>%n"
                    .formatted(text(status), text(object(response).get("description"))));
            content(object(object(response).get("content")));
          }
        });
    page.append("</details>\n");
  }

  private void parameters(List<?> parameters) {
    if (parameters.isEmpty()) {
      return;
    }
    page.append(
        "<h3>Parameters</h3>\n<table><thead><tr><th scope=\"col\">Name</th><th scope=\"col\">In</th>"
            + "<th scope=\"col\">Type</th><th scope=\"col\">Meaning</th></tr></thead><tbody>\n");
    for (var given : parameters) {
      var parameter = resolved(object(given));
      page.append(
          "<tr><td><code>%s</code></td><td>%s</td><td>%s</td><td>%s</td></tr>%n"
              .formatted(
                  text(parameter.get("name")),
                  text(parameter.get("in")),
                  schemas.type(object(parameter.get("schema"))),
                  text(parameter.get("description"))
                      + (Boolean.TRUE.equals(parameter.get("required")) ? "; required" : "")));
    }
    page.append("</tbody></table>\n");
  }

  private Map<?, ?> resolved(Map<?, ?> value) {
    if (!(value.get("$ref") instanceof String path)) {
      return value;
    }
    Object found = document;
    for (var step : path.substring(2).split("/", -1)) {
      found = object(found).get(step);
    }
    return object(found);
  }

  private void content(Map<?, ?> content) {
    content.forEach((type, value) -> {
      page.append("<p class=\"type\">%s</p>%n".formatted(text(type)));
      var schema = object(object(value).get("schema"));
      if (!schema.isEmpty()) {
        page.append(schemas.html(schema));
      }
    });
  }

  private void components() {
    page.append("<section id=\"schemas\"><h2>Schemas</h2>\n");
    object(object(document.get("components")).get("schemas"))
        .forEach((name, schema) ->
            page.append(
                "<details id=\"schema-%1$s\" class=\"entry\"><summary><code>%1$s</code></summary>%n%2$s</details>%n"
                    .formatted(text(name), schemas.html(object(schema)))));
    page.append("</section>\n");
  }

  private static String anchor(String tag) {
    return "section-" + tag.toLowerCase(Locale.ROOT).replaceAll("[^a-z]+", "-");
  }

  private static String text(@Nullable Object value) {
    return SchemaHtml.escaped(String.valueOf(value));
  }

  private static String resource(String name) {
    try (var stream = ReferencePage.class.getResourceAsStream(name)) {
      if (stream == null) {
        throw new IllegalStateException("The resource " + name + " is missing from the jar");
      }
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String sha256(String text) {
    try {
      var digest = MessageDigest.getInstance("SHA-256");
      return Base64.getEncoder()
          .encodeToString(digest.digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every JDK has SHA-256", e);
    }
  }
}
