package skein.node;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** Answers the requests that an import makes of Elsa, as 3.8 does, to the caller with its key. */
final class ElsaServer implements AutoCloseable {
  static final String KEY = "elsa-key";
  private static final String API = "/elsa/api";

  private final ElsaData data;
  private final HttpServer server;
  private final List<String> refused = new CopyOnWriteArrayList<>();

  /** Null: as before 3.8, which has no such request. */
  volatile @Nullable Boolean paused;

  ElsaServer(ElsaData data) throws IOException {
    this.data = data;
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::respond);
    server.start();
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /** Requests that would have changed something, or that Elsa does not know. */
  List<String> refused() {
    return refused;
  }

  private void respond(HttpExchange exchange) throws IOException {
    try (exchange) {
      var uri = exchange.getRequestURI();
      var body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      boolean known =
          ("ApiKey " + KEY).equals(exchange.getRequestHeaders().getFirst("Authorization"));
      var answer = known ? answer(exchange.getRequestMethod(), uri, body) : null;
      int status = known ? answer == null ? 404 : 200 : 401;
      var bytes = (answer == null ? "" : answer.encode()).getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  private @Nullable JsonObject answer(String method, URI uri, String body) {
    var path = uri.getPath().substring(API.length());
    var query = uri.getQuery() == null ? "" : uri.getQuery();
    if (method.equals("POST") && path.equals("/workflow-instances")) {
      var asked = new JsonObject(body);
      return asked.getJsonArray("statuses").equals(new JsonArray().add("Running"))
          ? page(instances(), asked.getInteger("page"), asked.getInteger("pageSize"))
          : null;
    }
    if (!method.equals("GET")) {
      refused.add(method + " " + uri);
      return null;
    }
    return switch (path) {
      case "/labels" -> page(labels(), number(query, "page"), number(query, "pageSize"));
      case "/workflow-definitions" ->
          page(summaries(query), number(query, "page"), number(query, "pageSize"));
      case "/admin/workflow-runtime/status" ->
          paused == null
              ? null
              : new JsonObject()
                  .put("state", new JsonObject().put("isAcceptingNewWork", !paused))
                  .put("sources", new JsonArray())
                  .put("activeExecutionCycleCount", 0);
      default -> one(path);
    };
  }

  private @Nullable JsonObject one(String path) {
    var parts = path.split("/", -1);
    if (path.startsWith("/workflow-definitions/by-id/")) {
      return data.definitions.stream()
          .filter(definition -> definition.getString("id").equals(parts[3]))
          .findFirst()
          .map(definition -> definition.copy().put("links", new JsonArray()))
          .orElse(null);
    }
    if (path.endsWith("/labels")) {
      var label = data.labelled.get(parts[2]);
      return new JsonObject()
          .put("items", label == null ? new JsonArray() : new JsonArray().add(label));
    }
    if (path.endsWith("/export")) {
      var state = data.states.get(parts[2]);
      return state == null
          ? null
          : new JsonObject()
              .put("WorkflowState", state)
              .put("Bookmarks", new JsonArray(ElsaData.bookmarks(state)))
              .put("ActivityExecutionRecords", ElsaData.records(state))
              .put("WorkflowExecutionLogRecords", new JsonArray());
    }
    refused.add("GET " + path);
    return null;
  }

  private List<JsonObject> labels() {
    var labels = new ArrayList<JsonObject>();
    data.labels.forEach((id, name) -> labels.add(new JsonObject().put("id", id).put("name", name)));
    return labels;
  }

  private List<JsonObject> summaries(String query) {
    var mark = query.contains("versionOptions=Published") ? "isPublished" : "isLatest";
    return data.definitions.stream()
        .filter(definition -> definition.getBoolean(mark))
        .map(definition -> {
          var summary = definition.copy();
          summary.remove("root");
          return summary.put("materializerName", definition.getString("materializer", "Json"));
        })
        .toList();
  }

  private List<JsonObject> instances() {
    return data.states.values().stream()
        .map(state ->
            new JsonObject()
                .put("id", state.getString("id"))
                .put("definitionId", state.getString("definitionId"))
                .put("definitionVersionId", state.getString("definitionVersionId"))
                .put("version", state.getInteger("definitionVersion"))
                .put("status", state.getString("status"))
                .put("subStatus", state.getString("subStatus"))
                .put("name", state.getString("name")))
        .toList();
  }

  private static JsonObject page(List<JsonObject> all, int page, int size) {
    var items = all.stream().skip((long) page * size).limit(size).toList();
    return new JsonObject().put("items", new JsonArray(items)).put("totalCount", all.size());
  }

  private static int number(String query, String name) {
    for (var part : query.split("&", -1)) {
      if (part.startsWith(name + "=")) {
        return Integer.parseInt(part.substring(name.length() + 1));
      }
    }
    throw new IllegalArgumentException("no " + name + " in " + query);
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
