package skein.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class JsonCallsTest {
  private static final int CALLS = 5_000;
  private final Vertx vertx = Vertx.vertx();
  private String url = "";

  @BeforeEach
  void listen() throws Exception {
    var server =
        vertx
            .createHttpServer()
            .requestHandler(
                request -> request.response().end("{\"path\":\"" + request.path() + "\"}"))
            .listen(0, "127.0.0.1")
            .await(10, TimeUnit.SECONDS);
    url = "http://127.0.0.1:" + server.actualPort();
  }

  @AfterEach
  void close() throws Exception {
    vertx.close().await(10, TimeUnit.SECONDS);
  }

  @Test
  void an_answer_is_read_whole_from_any_thread() throws Exception {
    var calls = new JsonCalls(vertx);
    for (int i = 0; i < CALLS; i++) {
      var path = "/" + i;
      assertThat(calls.get(url + path).await(10, TimeUnit.SECONDS))
          .isEqualTo(new JsonObject().put("path", path));
    }
  }
}
