package skein.http;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.Map;
import java.util.function.Supplier;

/**
 * What a node counts, for Prometheus to collect at {@code /metrics}.
 *
 * @param contentType with the version of the format
 * @param text asked for at every visit, on any event loop; must not block
 */
public record MetricsPage(String contentType, Supplier<Future<Buffer>> text) {

  /** Also of a node that starts or drains: that is when one looks. */
  void addTo(Routes routes) {
    routes.always(
        "/metrics",
        _ ->
            text.get()
                .map(body ->
                    new Answer(200, Map.of("Cache-Control", "no-store"), contentType, body)));
  }
}
