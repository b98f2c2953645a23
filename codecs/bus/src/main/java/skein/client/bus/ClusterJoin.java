package skein.client.bus;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxBuilder;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import skein.model.ErrorCode;
import skein.model.SkeinException;

/**
 * Joins the cluster of the nodes, or reports in time why it cannot: nodes do not admit a member
 * with another minor version of Hazelcast, which would retry for five minutes without an error.
 */
public final class ClusterJoin {
  private ClusterJoin() {}

  /**
   * Builds the Vert.x that a {@link SkeinBusClient} uses.
   *
   * @param builder with the cluster manager
   * @param max from 1 ms; a Vert.x that has joined later is closed again
   * @return fails with a {@link SkeinException}, {@code NOT_READY}, which says what to look at
   */
  public static Future<Vertx> join(VertxBuilder builder, Duration max) {
    Promise<Vertx> joined = Promise.promise();
    var unused =
        builder
            .buildClustered()
            .onSuccess(vertx -> {
              if (!joined.tryComplete(vertx)) {
                vertx.close();
              }
            })
            .onFailure(failure -> joined.tryFail(notJoined(max, failure)));
    CompletableFuture.delayedExecutor(max.toMillis(), TimeUnit.MILLISECONDS, Runnable::run)
        .execute(() -> joined.tryFail(notJoined(max, null)));
    return joined.future();
  }

  private static SkeinException notJoined(Duration max, @Nullable Throwable cause) {
    return new SkeinException(
        ErrorCode.NOT_READY,
        "The cluster of the nodes was not joined within "
            + max.toMillis()
            + " ms. The Hazelcast of this service is "
            + hazelcast()
            + ": use the minor that the name of the cluster ends with, as in skein-hz5.7-w1. If it"
            + " is that one, compare the cluster's name and the addresses with cluster.name,"
            + " cluster.host and cluster.port of the nodes",
        List.of(),
        cause);
  }

  /** By name: this jar does not bring it. */
  private static String hazelcast() {
    try {
      var provider = Class.forName("com.hazelcast.instance.BuildInfoProvider");
      var info = Class.forName("com.hazelcast.instance.BuildInfo");
      var lookup = MethodHandles.publicLookup();
      var known = lookup.findStatic(provider, "getBuildInfo", MethodType.methodType(info)).invoke();
      return String.valueOf(
          lookup
              .findVirtual(info, "getVersion", MethodType.methodType(String.class))
              .invoke(known));
    } catch (Throwable unused) {
      return "not in its class path";
    }
  }
}
