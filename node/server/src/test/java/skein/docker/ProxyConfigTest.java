package skein.docker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static skein.docker.ClustersProxy.Request.get;
import static skein.docker.ClustersProxy.Request.post;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import skein.docker.ClustersProxy.Request;

/** The configurations of HAProxy in {@code docker}; skipped where there is no HAProxy. */
class ProxyConfigTest {
  private static final String INSTANCES = "/elsa/api/workflow-instances";
  private static final String NOT_NAMED = "CLUSTER_NOT_NAMED";
  private static final int LARGER_THAN_BUFFER = 100_000;

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"haproxy.cfg", "haproxy-clusters.cfg"})
  void haproxy_takes_the_configuration(String file) throws Exception {
    assumeHaproxy();
    var haproxy =
        new ProcessBuilder("haproxy", "-c", "-f", Yaml.docker(file).toString())
            .redirectErrorStream(true)
            .start();
    var said = new String(haproxy.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(haproxy.waitFor()).as(said).isZero();
    assertThat(said).doesNotContain("[WARNING]");
  }

  private static void assumeHaproxy() throws IOException {
    assumeTrue(ManifestsTest.isOnPath("haproxy"), "haproxy is not installed");
  }

  @Test
  void a_correlation_id_leads_to_one_cluster_wherever_the_request_has_it() throws Exception {
    assumeHaproxy();
    try (var proxy = new Clusters(folder)) {
      var found = new TreeMap<String, Integer>();
      for (int number = 0; number < 40; number++) {
        var id = "order-" + number;
        var cluster = proxy.cluster(post(INSTANCES, "{\"correlationId\":\"%s\"}".formatted(id)));
        found.merge(cluster, 1, Integer::sum);

        assertThat(
                List.of(
                    proxy.cluster(post("/elsa/api/events/Go/trigger?correlationId=" + id, "{}")),
                    proxy.cluster(get("/workflows/order?correlationId=" + id)),
                    proxy.cluster(get("/workflows/order").header("X-Correlation-ID", id))))
            .containsOnly(cluster);
      }

      assertThat(found).containsOnlyKeys("c0", "c1");
      assertThat(found.values()).allMatch(count -> count > 10);
    }
  }

  @Test
  void a_host_name_names_the_cluster_and_what_names_none_is_refused() throws Exception {
    assumeHaproxy();
    try (var proxy = new Clusters(folder)) {
      assertThat(proxy.cluster(get("/").header("Host", "c0.flows.example.com"))).isEqualTo("c0");
      assertThat(proxy.cluster(get("/").header("Host", "c1.flows.example.com"))).isEqualTo("c1");
      for (var request :
          List.of(
              get("/"),
              get("/").header("Host", "c2.flows.example.com"),
              post(INSTANCES, "{\"input\":{\"correlationId\":\"inner\"}}"),
              post(INSTANCES, "{\"correlationId\":null}"),
              post(INSTANCES, "{\"correlationId\":\"two words\"}"),
              get("/workflows/order?correlationId=caf%C3%A9"))) {
        var answer = proxy.ask(request);

        assertThat(answer.head())
            .startsWith("http/1.1 400 ")
            .contains("content-type: application/problem+json");
        assertThat(answer.body()).contains(NOT_NAMED);
      }
    }
  }

  @Test
  void a_large_request_names_its_correlation_id_in_a_header() throws Exception {
    assumeHaproxy();
    var body =
        "{\"input\":\"%s\",\"correlationId\":\"order-1\"}"
            .formatted("a".repeat(LARGER_THAN_BUFFER));
    try (var proxy = new Clusters(folder)) {
      var small = proxy.cluster(post(INSTANCES, "{\"correlationId\":\"order-1\"}"));

      assertThat(proxy.cluster(post(INSTANCES, body).header("X-Correlation-ID", "order-1")))
          .isEqualTo(small);
    }
  }

  /** HAProxy before two clusters, whose nodes say which of the two they are of. */
  private static final class Clusters implements AutoCloseable {
    private final List<HttpServer> nodes =
        IntStream.range(0, 2).mapToObj(number -> node("c" + number)).toList();
    private final ClustersProxy haproxy;

    Clusters(Path folder) throws IOException, InterruptedException {
      var ports = nodes.stream().map(node -> node.getAddress().getPort()).toList();
      haproxy = new ClustersProxy(folder, ports);
    }

    private static HttpServer node(String cluster) {
      try {
        var node = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        node.createContext(
            "/",
            exchange -> {
              exchange.getRequestBody().readAllBytes();
              var body = cluster.getBytes(StandardCharsets.UTF_8);
              exchange.sendResponseHeaders(200, body.length);
              exchange.getResponseBody().write(body);
              exchange.close();
            });
        node.start();
        return node;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    ClustersProxy.Answer ask(Request request) throws IOException {
      return haproxy.ask(request);
    }

    /** The one that has answered, as it and as HAProxy says. */
    String cluster(Request request) throws IOException {
      var answer = ask(request);
      assertThat(answer.status()).as(answer.body()).isEqualTo(200);
      assertThat(answer.cluster()).isEqualTo(answer.body());
      return answer.body();
    }

    @Override
    public void close() {
      haproxy.close();
      nodes.forEach(node -> node.stop(0));
    }
  }
}
