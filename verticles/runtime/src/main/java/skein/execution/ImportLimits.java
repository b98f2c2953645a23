package skein.execution;

import java.util.function.LongSupplier;
import skein.model.SkeinException;
import skein.model.WorkflowInstance;
import skein.storage.ImportBounds;

/**
 * Counts instances that are imported among those that their definition has, and their tenant starts
 * and has, and refuses them as starts by callers are refused. Thread-safe.
 *
 * @param instances how many a definition may have
 * @param tenants how much a tenant may have
 * @param nanoTime the clock that the lanes of the node use, in nanoseconds
 */
public record ImportLimits(InstanceLimit instances, TenantLimits tenants, LongSupplier nanoTime)
    implements ImportBounds {
  @Override
  public Reservation reserve(WorkflowInstance instance) {
    var definition = instance.definition();
    var id = definition.definitionId();
    var tenant = definition.tenant();
    boolean isUnfinished = !instance.status().finished();
    if (isUnfinished && instances.isReached(id)) {
      throw SkeinException.tooManyInstances(id, instances.max(id));
    }
    if (isUnfinished && tenants.isFull(tenant)) {
      throw SkeinException.tooManyInstancesOfTenant(tenant, tenants.instancesMax(tenant));
    }
    if (!tenants.mayStart(tenant, nanoTime.getAsLong())) {
      throw SkeinException.tooManyStarts(tenant, tenants.startsPerSecond(tenant));
    }
    if (!isUnfinished) {
      return Reservation.NONE;
    }
    var ofDefinition = instances.reserve(definition);
    var ofTenant = tenants.reserve(definition);
    return () -> {
      ofDefinition.release();
      ofTenant.release();
    };
  }
}
