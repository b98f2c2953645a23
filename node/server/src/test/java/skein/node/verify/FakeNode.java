package skein.node.verify;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;

/** Says how a node is, and whom it sees; refuses all else and remembers that it was asked. */
final class FakeNode implements AutoCloseable {
  private final HttpServer server;
  private final String name;
  private final String database;
  private final List<String> members;
  private final List<String> changes = new CopyOnWriteArrayList<>();
  private boolean ready = true;

  FakeNode(String name, String database, String... members) throws IOException {
    this.name = name;
    this.database = database;
    this.members = List.of(members);
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", this::answer);
    server.start();
  }

  FakeNode unready() {
    ready = false;
    return this;
  }

  URI base() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  /** What it was asked to change, as in {@code POST /path}. */
  List<String> changes() {
    return changes;
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      var path = exchange.getRequestURI().getPath();
      if (!exchange.getRequestMethod().equals("GET")) {
        changes.add(exchange.getRequestMethod() + " " + path);
      }
      switch (path) {
        case "/health/ready" -> send(exchange, ready ? 200 : 503, readiness());
        case "/elsa/api/cluster/nodes/self" -> send(exchange, 200, node(name));
        case "/elsa/api/cluster" -> send(exchange, 200, list());
        default -> send(exchange, 404, new JsonObject().put("code", "NOT_FOUND"));
      }
    }
  }

  private JsonObject readiness() {
    var check =
        new JsonObject().put("name", "database").put("status", "DOWN").put("detail", "No answer");
    return new JsonObject()
        .put("phase", "READY")
        .put("checks", ready ? new JsonArray() : new JsonArray().add(check));
  }

  private JsonObject node(String member) {
    return new JsonObject()
        .put("id", "id-" + member)
        .put("name", member)
        .put("cluster", "orders")
        .put("database", database)
        .put("locks", "hazelcast")
        .put("phase", "READY");
  }

  private JsonObject list() {
    var nodes = new JsonArray();
    members.forEach(member -> nodes.add(node(member)));
    return new JsonObject().put("nodes", nodes);
  }

  private static void send(HttpExchange exchange, int status, JsonObject body) throws IOException {
    var bytes = body.encode().getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
