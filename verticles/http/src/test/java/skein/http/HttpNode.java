package skein.http;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import skein.cluster.Readiness;
import skein.codecs.JsonLimits;
import skein.execution.OneNode;
import skein.storage.TestDatabase;

/** A node that answers over HTTP; several with one schema share the database. */
final class HttpNode implements AutoCloseable {
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  final OneNode node;
  final Readiness readiness = new Readiness();
  private final HttpVerticle verticle;

  HttpNode(LiveOptions live) {
    this(TestDatabase.newSchema(), live);
  }

  HttpNode(String schema, LiveOptions live) {
    this(schema, HttpOptions.Api.DEFAULT.with(true, live), "http://skein.test/");
  }

  static HttpNode with(String schema, HubOptions hub) {
    return new HttpNode(schema, HttpOptions.Api.DEFAULT.with(hub), "http://skein.test/");
  }

  static HttpNode withoutConsole() {
    return new HttpNode(
        TestDatabase.newSchema(),
        HttpOptions.Api.DEFAULT.with(false, LiveOptions.DEFAULT),
        "http://skein.test/");
  }

  /** With Elsa's designer, behind a proxy where there is a prefix. */
  static HttpNode withStudio(StudioFiles studio, String prefix) {
    return withStudio(TestDatabase.newSchema(), studio, prefix);
  }

  static HttpNode withStudio(String schema, StudioFiles studio, String prefix) {
    return new HttpNode(schema, HttpOptions.Api.DEFAULT.with(studio), "http://skein.test" + prefix);
  }

  private HttpNode(String schema, HttpOptions.Api api, String baseUrl) {
    node = new OneNode(schema, _ -> List.of());
    var options =
        HttpOptions.of(
                new HttpOptions.Listener("127.0.0.1", 0, URI.create(baseUrl), 100),
                new HttpOptions.Timeouts(
                    Duration.ofSeconds(20), Duration.ofSeconds(20), Duration.ofSeconds(1)),
                new HttpOptions.BodyLimits(JsonLimits.DEFAULT, UploadLimits.DEFAULT))
            .with(api);
    verticle = new HttpVerticle(HttpFixture.dependencies(node, readiness), options);
    node.vertx.deployVerticle(verticle).await();
    HttpFixture.serveNode(node, readiness);
    readiness.advanceTo(Readiness.Phase.READY);
  }

  /** Requests without a whole answer. */
  long inFlight() {
    return verticle.inFlight().await().requests();
  }

  int connections() {
    return verticle.connections();
  }

  int port() {
    return verticle.port();
  }

  URI uri(String path) {
    return URI.create("http://127.0.0.1:" + verticle.port() + path);
  }

  URI api(String path) {
    return uri(Routes.API + path);
  }

  HttpResponse<String> get(URI uri, String... headers) throws IOException, InterruptedException {
    var request = HttpRequest.newBuilder(uri);
    if (headers.length > 0) {
      request.headers(headers);
    }
    return CLIENT.send(request.build(), BodyHandlers.ofString());
  }

  /** {@code body}: JSON, in which ' may stand for ". */
  HttpResponse<String> post(String path, String body) throws IOException, InterruptedException {
    var request =
        HttpRequest.newBuilder(api(path))
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(body.replace('\'', '"')));
    return CLIENT.send(request.build(), BodyHandlers.ofString());
  }

  /** {@code body}: as of {@link #post}; none where it is empty. */
  HttpResponse<String> send(String method, String path, String body)
      throws IOException, InterruptedException {
    var request =
        HttpRequest.newBuilder(api(path))
            .header("Content-Type", "application/json")
            .method(
                method,
                body.isEmpty()
                    ? BodyPublishers.noBody()
                    : BodyPublishers.ofString(body.replace('\'', '"')));
    return CLIENT.send(request.build(), BodyHandlers.ofString());
  }

  HttpResponse<String> delete(String path) throws IOException, InterruptedException {
    return CLIENT.send(HttpRequest.newBuilder(api(path)).DELETE().build(), BodyHandlers.ofString());
  }

  @Override
  public void close() {
    node.close();
  }
}
