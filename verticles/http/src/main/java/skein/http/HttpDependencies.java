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
import skein.storage.CommitOptions;
import skein.storage.Database;
import skein.storage.DefinitionStore;
import skein.storage.ImportBounds;
import skein.storage.InstanceStore;

/**
 * The dependencies of the HTTP server on the packages below; one set serves every instance of the
 * verticle.
 *
 * @param ingress takes what changes instances
 * @param security whether callers are asked who they are
 */
public record HttpDependencies(
    Ingress ingress,
    Workflows workflows,
    Stores stores,
    Member member,
    Imports imports,
    InstantSource clock,
    Security security) {

  /**
   * Definitions, what they are made of, and when they start by themselves.
   *
   * @param cache of compiled definitions
   * @param source of definitions, beside the API
   */
  public record Workflows(
      Definitions definitions,
      DefinitionCache cache,
      DefinitionSource source,
      Activities activities,
      Schedules schedules) {

    /** Where definitions come from the API alone. */
    public Workflows(
        Definitions definitions,
        DefinitionCache cache,
        Activities activities,
        Schedules schedules) {
      this(definitions, cache, DefinitionSource.NONE, activities, schedules);
    }
  }

  /** The stores that several routes read; a store of one route alone is made by it. */
  public record Stores(
      Database database,
      DefinitionStore definitions,
      InstanceStore instances,
      AlterationStore alterations) {}

  /** This node in its cluster. */
  public record Member(Cluster cluster, Readiness readiness) {}

  /**
   * How instances of files are imported.
   *
   * @param commits how they are committed
   * @param limits of each of them
   * @param bounds how many there may be
   */
  public record Imports(CommitOptions commits, InstanceLimits limits, ImportBounds bounds) {}

  /** The same, where callers are asked. */
  public HttpDependencies with(Security security) {
    return new HttpDependencies(ingress, workflows, stores, member, imports, clock, security);
  }

  /** The same with definitions of another source. */
  public HttpDependencies with(DefinitionSource source) {
    var same = workflows;
    return new HttpDependencies(
        ingress,
        new Workflows(
            same.definitions(), same.cache(), source, same.activities(), same.schedules()),
        stores,
        member,
        imports,
        clock,
        security);
  }
}
