package skein.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** How the designer's files are sent, by a few that stand for them. */
class StudioRoutesIT {
  private static final HttpClient CLIENT = HttpClient.newHttpClient();
  private static final String PROGRAM = "/studio/_framework/program.0123456789.wasm";

  private static HttpNode node;

  @BeforeAll
  static void start() {
    node = HttpNode.withStudio(StudioFiles.read(), "/below");
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  private static HttpResponse<String> get(String path, String... headers) throws Exception {
    var request = HttpRequest.newBuilder(node.uri(path)).timeout(Duration.ofSeconds(10));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return CLIENT.send(request.build(), BodyHandlers.ofString());
  }

  private static String header(HttpResponse<?> response, String name) {
    return response.headers().firstValue(name).orElse("");
  }

  @Test
  void every_address_of_a_view_is_the_page_with_the_prefix_of_the_base_url() throws Exception {
    for (var path :
        List.of(
            "/studio",
            "/studio/",
            "/studio/workflows/definitions",
            "/studio/workflows/definitions/some-id/edit",
            "/studio/workflows/instances/some-id/view?page=1")) {
      var page = get(path);

      assertThat(page.statusCode()).as(path).isEqualTo(200);
      assertThat(page.body()).contains("<base href=\"/below/studio/\">");
      assertThat(header(page, "content-type")).startsWith("text/html");
      assertThat(header(page, "cache-control")).isEqualTo("no-cache");
      assertThat(header(page, "content-security-policy"))
          .contains("default-src 'self'", "script-src 'self' 'wasm-unsafe-eval'")
          .contains("frame-ancestors 'none'")
          .doesNotContain("http:", "https:", "'unsafe-eval'");
    }
  }

  @Test
  void a_file_is_sent_as_it_is_stored_in_the_best_form_that_the_client_takes() throws Exception {
    var brotli = get(PROGRAM, "Accept-Encoding", "gzip, deflate, br");
    assertThat(brotli.body()).isEqualTo("as brotli");
    assertThat(header(brotli, "content-encoding")).isEqualTo("br");
    assertThat(header(brotli, "content-type")).isEqualTo("application/wasm");
    assertThat(header(brotli, "cache-control")).contains("immutable");
    assertThat(header(brotli, "vary")).containsIgnoringCase("accept-encoding");

    assertThat(header(get(PROGRAM, "Accept-Encoding", "gzip, br;q=0"), "content-encoding"))
        .isEqualTo("gzip");

    var plain = get(PROGRAM);
    assertThat(plain.body()).isEqualTo("program");
    assertThat(header(plain, "content-encoding")).isEmpty();
  }

  @Test
  void a_file_whose_name_does_not_change_is_asked_for_again_and_not_sent_again() throws Exception {
    var icon = get("/studio/icon.png");
    assertThat(icon.body()).isEqualTo("icon");
    assertThat(header(icon, "cache-control")).isEqualTo("no-cache");

    assertThat(get("/studio/icon.png", "If-None-Match", header(icon, "etag")).statusCode())
        .isEqualTo(304);
    var page = get("/studio/");
    assertThat(get("/studio/", "If-None-Match", header(page, "etag")).statusCode()).isEqualTo(304);
  }

  @Test
  void what_is_no_file_is_not_found_and_nothing_is_served_unless_it_is_wanted() throws Exception {
    assertThat(get("/studio/other.js").statusCode()).isEqualTo(404);
    assertThat(get("/studio/files.txt").statusCode()).isEqualTo(404);
    assertThat(get("/").body()).contains("/studio/");

    try (var other = new HttpNode(LiveOptions.DEFAULT)) {
      assertThat(other.get(other.uri("/studio/")).statusCode()).isEqualTo(404);
      assertThat(other.get(other.uri("/")).body()).doesNotContain("/studio/");
    }
  }
}
