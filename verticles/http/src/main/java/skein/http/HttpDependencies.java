package skein.http;

import java.time.InstantSource;
import skein.activities.Activities;
import skein.cluster.Cluster;
import skein.cluster.Readiness;
import skein.definitions.DefinitionCache;
import skein.definitions.DefinitionSource;
import skein.definitions.Definitions;
import skein.firing.Schedules;
import skein.ingress.Ingress;
import skein.model.InstanceLimits;
import skein.storage.AlterationStore;
import skein.storage.Committer;
import skein.storage.Database;
import skein.storage.DefinitionStore;
import skein.storage.InstanceStore;

/**
 * What the HTTP face needs of the packages below; one set serves every instance of the verticle.
 *
 * @param commits how imported instances are committed
 * @param source of definitions, beside the API
 * @param limits of instances that come from files
 * @param security whether callers are asked who they are
 */
public record HttpDependencies(
    Ingress ingress,
    Definitions definitions,
    DefinitionCache cache,
    DefinitionStore definitionStore,
    InstanceStore instances,
    AlterationStore alterations,
    Database database,
    Cluster cluster,
    Readiness readiness,
    Activities activities,
    InstantSource clock,
    Committer.Options commits,
    Schedules schedules,
    DefinitionSource source,
    InstanceLimits limits,
    Security security) {
  /** Where nobody is asked. */
  public HttpDependencies(
      Ingress ingress,
      Definitions definitions,
      DefinitionCache cache,
      DefinitionStore definitionStore,
      InstanceStore instances,
      AlterationStore alterations,
      Database database,
      Cluster cluster,
      Readiness readiness,
      Activities activities,
      InstantSource clock,
      Committer.Options commits,
      Schedules schedules,
      DefinitionSource source,
      InstanceLimits limits) {
    this(
        ingress,
        definitions,
        cache,
        definitionStore,
        instances,
        alterations,
        database,
        cluster,
        readiness,
        activities,
        clock,
        commits,
        schedules,
        source,
        limits,
        Security.OPEN);
  }

  /** The same, where callers are asked. */
  public HttpDependencies with(Security security) {
    return new HttpDependencies(
        ingress,
        definitions,
        cache,
        definitionStore,
        instances,
        alterations,
        database,
        cluster,
        readiness,
        activities,
        clock,
        commits,
        schedules,
        source,
        limits,
        security);
  }

  /** Where definitions come from the API alone. */
  public HttpDependencies(
      Ingress ingress,
      Definitions definitions,
      DefinitionCache cache,
      DefinitionStore definitionStore,
      InstanceStore instances,
      AlterationStore alterations,
      Database database,
      Cluster cluster,
      Readiness readiness,
      Activities activities,
      InstantSource clock,
      Committer.Options commits,
      Schedules schedules) {
    this(
        ingress,
        definitions,
        cache,
        definitionStore,
        instances,
        alterations,
        database,
        cluster,
        readiness,
        activities,
        clock,
        commits,
        schedules,
        DefinitionSource.NONE,
        InstanceLimits.DEFAULT);
  }
}
