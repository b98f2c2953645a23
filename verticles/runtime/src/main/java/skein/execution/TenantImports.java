package skein.execution;

import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import skein.model.SkeinException;
import skein.model.WorkflowInstance;
import skein.storage.ImportBounds;

/**
 * Counts instances that are imported among those that their tenant starts and has, and refuses them
 * as starts by callers are refused. Thread-safe.
 *
 * @param limits of the node
 * @param nanoTime the clock that the lanes of the node use, in nanoseconds
 */
public record TenantImports(TenantLimits limits, LongSupplier nanoTime) implements ImportBounds {
  @Override
  public @Nullable SkeinException refusal(WorkflowInstance instance) {
    var definition = instance.definition();
    var tenant = definition.tenant();
    boolean isUnfinished = !instance.status().finished();
    if (isUnfinished && limits.isFull(tenant)) {
      return SkeinException.tooManyInstancesOfTenant(tenant, limits.instancesMax(tenant));
    }
    if (!limits.mayStart(tenant, nanoTime.getAsLong())) {
      return SkeinException.tooManyStarts(tenant, limits.startsPerSecond(tenant));
    }
    if (isUnfinished) {
      limits.changed(definition, 1);
    }
    return null;
  }

  @Override
  public void notAdded(WorkflowInstance instance) {
    if (!instance.status().finished()) {
      limits.changed(instance.definition(), -1);
    }
  }
}
