package skein.http;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.Map;
import java.util.function.Supplier;
import skein.openapi.Operation;
import skein.openapi.Tag;

/**
 * The metrics of a node, for Prometheus to collect at {@code /metrics}.
 *
 * @param contentType with the version of the format
 * @param text asked for at every visit, on any event loop; must not block
 */
public record MetricsPage(String contentType, Supplier<Future<Buffer>> text) {

  /** Also of a node that starts or drains: that is when one looks. */
  void addTo(Routes routes) {
    routes.always(
        "/metrics",
        Operation.of(Tag.HEALTH, "getMetrics", "Shows what the node counts, for Prometheus")
            .answersWith(
                contentType.split(";", 2)[0], "In the format of Prometheus or OpenMetrics"),
        _ ->
            text.get()
                .map(body ->
                    new Answer(200, Map.of("Cache-Control", "no-store"), contentType, body)));
  }
}
