package skein.node;

import io.vertx.core.Vertx;
import java.util.List;
import skein.codecs.JsonLimits;
import skein.node.config.WorkConfig;
import skein.work.HttpWorkOptions;
import skein.work.HttpWorker;
import skein.work.Workers;

/** The workers of a node, from its configuration. */
final class WorkRoom {
  private WorkRoom() {}

  static Workers of(WorkConfig config, JsonLimits json, Vertx vertx) {
    return new Workers(List.of(new HttpWorker(vertx, http(config.http(), json))));
  }

  private static HttpWorkOptions http(WorkConfig.Http http, JsonLimits json) {
    return new HttpWorkOptions(
        http.timeout(),
        http.connectTimeout(),
        http.responseBytesMax(),
        http.fileBytesMax(),
        http.redirectsMax(),
        http.connectionsMax(),
        http.denyPrivate(),
        json.withBytesMax(http.responseBytesMax()));
  }
}
