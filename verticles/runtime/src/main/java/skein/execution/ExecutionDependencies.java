package skein.execution;

import java.time.InstantSource;
import java.util.random.RandomGenerator;
import skein.burst.Burst;
import skein.cluster.AgreedFormat;
import skein.cluster.Cluster;
import skein.cluster.Locks;
import skein.cluster.Router;
import skein.definitions.Graphs;
import skein.events.Deliveries;
import skein.firing.ScheduleFiring;
import skein.storage.AlterationRows;
import skein.storage.CommandTimers;
import skein.storage.CountStore;
import skein.storage.Database;
import skein.storage.IdempotencyKeys;
import skein.storage.InstanceStates;
import skein.storage.JournalReads;
import skein.storage.JournalStore;
import skein.storage.KeyStore;
import skein.work.WorkPerformer;

/** The dependencies of every lane of a node; all of them are thread-safe. */
public record ExecutionDependencies(
    ExecutionOptions options,
    Peers peers,
    Rows rows,
    Deciding deciding,
    Graphs definitions,
    WorkPerformer workers,
    ScheduleFiring schedules) {

  /** The other nodes. */
  public record Peers(
      Cluster cluster, Locks locks, Router router, Notices notices, AgreedFormat format) {}

  /** The stores that commands use beside their commit. */
  public record Rows(
      InstanceStates instances,
      CommandTimers timers,
      Deliveries deliveries,
      AlterationRows alterations,
      IdempotencyKeys keys,
      JournalReads journals) {
    /** With keys and journals as they are in the database. */
    public static Rows in(
        Database database,
        InstanceStates instances,
        CommandTimers timers,
        Deliveries deliveries,
        AlterationRows alterations) {
      return new Rows(
          instances,
          timers,
          deliveries,
          alterations,
          new KeyStore(database),
          new JournalStore(database));
    }
  }

  /**
   * What decisions are made with.
   *
   * @param clock the database's
   * @param random good enough for secrets
   * @param scripts who is next on a script thread
   * @param starts when instances may start others
   * @param instances how many a definition may have
   * @param tenants how much a tenant may have
   */
  public record Deciding(
      Burst burst,
      InstantSource clock,
      RandomGenerator random,
      ScriptTurns scripts,
      StartRate starts,
      InstanceLimit instances,
      TenantLimits tenants) {
    /** Both limits of instances together. */
    StartLimits limits() {
      return new StartLimits(instances, tenants);
    }

    /**
     * Takes a new count of the cluster for the limits of those who were counted since {@code
     * before}; the others go on with what they know.
     */
    public void counted(CountStore.Unfinished before, CountStore.Unfinished unfinished) {
      unfinished.passChanges(before, instances::counted, tenants::counted);
    }
  }

  Cluster cluster() {
    return peers.cluster();
  }

  Router router() {
    return peers.router();
  }

  InstanceStates instances() {
    return rows.instances();
  }

  CommandTimers timers() {
    return rows.timers();
  }

  InstantSource clock() {
    return deciding.clock();
  }
}
