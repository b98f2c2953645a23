package skein.execution;

import java.util.function.LongSupplier;
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
    var limits = new StartLimits(instances, tenants);
    var definition = instance.definition();
    var reservation = instance.status().finished() ? Reservation.NONE : limits.reserve(definition);
    var refusal = limits.tooEarly(definition, nanoTime.getAsLong());
    if (refusal != null) {
      reservation.release();
      throw refusal;
    }
    return reservation;
  }
}
