package skein.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** How the files of the console are served. */
class ConsoleRoutesIT {
  private static final HttpClient CLIENT = HttpClient.newHttpClient();
  private static final Pattern FILE = Pattern.compile("\"(/console/assets/[^\"]+)\"");
  private static final long FIRST_LOAD_BYTES_MAX = 300_000;

  private static HttpNode node;

  @BeforeAll
  static void start() {
    node = new HttpNode(LiveOptions.DEFAULT);
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  private static HttpResponse<byte[]> get(String path, String... headers) throws Exception {
    var request = HttpRequest.newBuilder(node.uri(path)).timeout(Duration.ofSeconds(10));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return CLIENT.send(request.build(), BodyHandlers.ofByteArray());
  }

  private static String header(HttpResponse<?> response, String name) {
    return response.headers().firstValue(name).orElse("");
  }

  private static List<String> files() throws Exception {
    var page = new String(get("/console").body(), StandardCharsets.UTF_8);
    return FILE.matcher(page).results().map(found -> found.group(1)).toList();
  }

  @Test
  void every_view_is_the_one_page_which_runs_nothing_but_its_own_scripts() throws Exception {
    for (var path : List.of("/console", "/console/instances", "/console/instances/some-id")) {
      var page = get(path);

      assertThat(page.statusCode()).as(path).isEqualTo(200);
      assertThat(header(page, "content-type")).startsWith("text/html");
      assertThat(header(page, "cache-control")).isEqualTo("no-cache");
      assertThat(header(page, "content-security-policy"))
          .contains("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'")
          .contains("require-trusted-types-for 'script'")
          .doesNotContain("unsafe", "http:", "https:");
      assertThat(new String(page.body(), StandardCharsets.UTF_8))
          .doesNotContain("<style", "style=", "onload", "http://", "https://");
    }
    assertThat(get("/console/a/b/c").statusCode()).isEqualTo(404);
  }

  @Test
  void what_it_loads_is_compressed_kept_for_ever_and_little() throws Exception {
    long bytes = 0;
    for (var path : files()) {
      var file = get(path, "Accept-Encoding", "gzip");

      assertThat(file.statusCode()).as(path).isEqualTo(200);
      assertThat(header(file, "content-encoding")).isEqualTo("gzip");
      if (!path.endsWith(".svg")) {
        assertThat(path).matches(".*-[0-9A-Z]{8}\\.(js|css)");
        assertThat(header(file, "cache-control")).contains("immutable");
      }
      var plain = get(path, "Accept-Encoding", "gzip;q=0");
      assertThat(header(plain, "content-encoding")).isEmpty();
      try (var in = new GZIPInputStream(new ByteArrayInputStream(file.body()))) {
        assertThat(in.readAllBytes()).isEqualTo(plain.body());
      }
      bytes += file.body().length;
    }

    assertThat(files()).hasSizeGreaterThanOrEqualTo(3);
    assertThat(bytes).isLessThan(FIRST_LOAD_BYTES_MAX);
  }

  @Test
  void what_a_browser_has_is_not_sent_again_and_what_is_not_there_is_said() throws Exception {
    var page = get("/console");

    var again = get("/console", "If-None-Match", header(page, "etag"));

    assertThat(again.statusCode()).isEqualTo(304);
    assertThat(again.body()).isEmpty();
    assertThat(get("/console/assets/other.js").statusCode()).isEqualTo(404);
  }

  @Test
  void a_node_without_the_console_does_not_serve_it() throws Exception {
    try (var other = HttpNode.withoutConsole()) {
      assertThat(other.get(other.uri("/console")).statusCode()).isEqualTo(404);
      assertThat(other.get(other.uri("/")).body()).doesNotContain("/console");
      assertThat(node.get(node.uri("/")).body()).contains("\"/console\"");
      assertThat(other.get(other.api("/overview")).statusCode()).isEqualTo(200);
    }
  }
}
