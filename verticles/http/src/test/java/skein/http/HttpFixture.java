package skein.http;

import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import skein.activities.Activities;
import skein.cluster.Nodes;
import skein.cluster.Readiness;
import skein.codecs.JsonLimits;
import skein.execution.ImportLimits;
import skein.execution.OneNode;
import skein.model.InstanceLimits;
import skein.storage.AlterationStore;
import skein.storage.CommitOptions;

/** An HTTP server before one node, for tests. */
public final class HttpFixture {
  private HttpFixture() {}

  public static HttpDependencies dependencies(OneNode node, Readiness readiness) {
    return new HttpDependencies(
        node.ingress,
        new HttpDependencies.Workflows(
            node.definitions, node.cache, Activities.builtIn(), node.schedules),
        new HttpDependencies.Stores(
            node.database,
            node.definitionStore,
            node.instances,
            new AlterationStore(node.database)),
        new HttpDependencies.Member(node.cluster, readiness),
        new HttpDependencies.Imports(
            new CommitOptions(
                new CommitOptions.Batches(10, 2, 4, 200),
                100,
                new CommitOptions.Retries(3, 50),
                1_000_000),
            InstanceLimits.DEFAULT,
            new ImportLimits(node.limits.instances(), node.limits.tenants(), System::nanoTime)),
        InstantSource.system(),
        Security.OPEN);
  }

  /** Lets the node say how it is, as the process around it does elsewhere. */
  static void serveNode(OneNode node, Readiness readiness) {
    new Nodes(node.vertx, node.cluster)
        .serve(_ -> Future.succeededFuture(shown(node, readiness)))
        .await();
  }

  private static final JsonObject LOAD =
      new JsonObject()
          .put("cpu", 0.25)
          .put("processors", 2)
          .put("heapUsedBytes", 300L << 20)
          .put("heapMaxBytes", 2L << 30)
          .put("eventLoopLagMs", 7);

  private static JsonObject shown(OneNode node, Readiness readiness) {
    return new JsonObject()
        .put("id", node.cluster.nodeId())
        .put("name", node.cluster.nodeName())
        .put("version", "test")
        .put("phase", readiness.phase().name())
        .put("ready", readiness.isReady())
        .put("load", LOAD);
  }

  /** On any free port of this machine. */
  static HttpOptions options() {
    return HttpOptions.of(
        new HttpOptions.Listener("127.0.0.1", 0, URI.create("http://skein.test/"), 100),
        new HttpOptions.Timeouts(
            Duration.ofSeconds(10), Duration.ofSeconds(10), Duration.ofSeconds(1)),
        new HttpOptions.BodyLimits(JsonLimits.DEFAULT, UploadLimits.DEFAULT));
  }
}
