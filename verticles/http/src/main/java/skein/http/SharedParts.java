package skein.http;

import io.vertx.core.Vertx;
import skein.cluster.Inquiries;
import skein.jobs.JobPolls;
import skein.metrics.JobMetrics;
import skein.storage.ExecutionStore;
import skein.storage.InstanceRevisions;
import skein.storage.JobStore;
import skein.storage.TenantStore;

/** Makes, or finds, what the event loops of a node share. */
final class SharedParts {
  private SharedParts() {}

  static ApiRoutes.Shared of(
      Vertx vertx,
      HttpDependencies dependencies,
      HttpOptions options,
      Inquiries inquiries,
      JobMetrics metrics) {
    var feed = LiveFeed.of(vertx, dependencies.member().readiness(), options.api().live());
    return new ApiRoutes.Shared(
        feed,
        jobs(vertx, dependencies, options, metrics),
        hub(vertx, dependencies, options, inquiries));
  }

  private static JobRoutes jobs(
      Vertx vertx, HttpDependencies dependencies, HttpOptions options, JobMetrics metrics) {
    var store = new JobStore(dependencies.stores().database());
    var jobs = dependencies.ingress().jobs(store);
    var given = options.api().jobs();
    var polls = JobPolls.of(vertx, jobs, dependencies.member().readiness(), given, metrics);
    return new JobRoutes(jobs, polls, store, given, options.timeouts().request(), metrics);
  }

  private static Hub hub(
      Vertx vertx, HttpDependencies dependencies, HttpOptions options, Inquiries inquiries) {
    var database = dependencies.stores().database();
    var reads = new HubReads(new InstanceRevisions(database), new ExecutionStore(database));
    return Hub.of(
        vertx,
        dependencies.member().readiness(),
        options.api().hub(),
        options.bodies().json(),
        reads,
        new TenantStore(database),
        made -> new HubPeers(made, inquiries).serve());
  }
}
