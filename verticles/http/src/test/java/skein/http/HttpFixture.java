package skein.http;

import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import skein.activities.Activities;
import skein.cluster.Readiness;
import skein.codecs.JsonLimits;
import skein.execution.OneNode;
import skein.storage.AlterationStore;
import skein.storage.Committer;

/** An HTTP server before one node, for tests. */
final class HttpFixture {
  private HttpFixture() {}

  static HttpDependencies dependencies(OneNode node, Readiness readiness) {
    return new HttpDependencies(
        node.ingress,
        node.definitions,
        node.cache,
        node.definitionStore,
        node.instances,
        new AlterationStore(node.database),
        node.database,
        node.cluster,
        readiness,
        Activities.builtIn(),
        InstantSource.system(),
        new Committer.Options(10, 2, 4, 200, 100, 3, 50, 1_000_000),
        node.schedules);
  }

  /** On any free port of this machine. */
  static HttpOptions options() {
    return new HttpOptions(
        "127.0.0.1",
        0,
        URI.create("http://skein.test/"),
        JsonLimits.DEFAULT,
        Duration.ofSeconds(10),
        Duration.ofSeconds(10),
        100,
        Duration.ofSeconds(1),
        UploadLimits.DEFAULT);
  }
}
