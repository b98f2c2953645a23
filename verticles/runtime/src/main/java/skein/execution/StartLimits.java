package skein.execution;

import org.jspecify.annotations.Nullable;
import skein.model.DefinitionRef;
import skein.model.SkeinException;
import skein.storage.ImportBounds.Reservation;

/**
 * Decides whether a definition and its tenant may have one more unfinished instance, however it
 * comes to be: by a start, by an import, or because one that had faulted goes on. Thread-safe.
 *
 * @param instances how many a definition may have
 * @param tenants how much a tenant may have
 */
record StartLimits(InstanceLimit instances, TenantLimits tenants) {
  boolean isFull(DefinitionRef definition) {
    return instances.isReached(definition.definitionId()) || tenants.isFull(definition.tenant());
  }

  /**
   * What a caller is told who starts an instance now; null: it may be started, and is counted among
   * the starts of this second.
   *
   * @param now in nanoseconds, by the clock of the lanes
   */
  @Nullable SkeinException refusal(DefinitionRef definition, long now) {
    if (instances.isReached(definition.definitionId())) {
      return tooManyOfDefinition(definition);
    }
    return tenants.isFull(definition.tenant())
        ? tooManyOfTenant(definition)
        : tooEarly(definition, now);
  }

  /**
   * Finds that there is room for one more unfinished instance and counts it, both at once: of
   * several callers who want the last place one gets it.
   *
   * @throws SkeinException {@code TOO_MANY_INSTANCES}, and nothing is counted
   */
  Reservation reserve(DefinitionRef definition) {
    var ofDefinition = instances.tryReserve(definition);
    if (ofDefinition == null) {
      throw tooManyOfDefinition(definition);
    }
    var ofTenant = tenants.tryReserve(definition);
    if (ofTenant == null) {
      ofDefinition.release();
      throw tooManyOfTenant(definition);
    }
    return new Both(ofDefinition, ofTenant);
  }

  private record Both(Reservation ofDefinition, Reservation ofTenant) implements Reservation {
    @Override
    public void added() {
      ofDefinition.added();
      ofTenant.added();
    }

    @Override
    public void release() {
      ofDefinition.release();
      ofTenant.release();
    }
  }

  /**
   * What a caller is told whose tenant has started as many as it may in this second; null: it may
   * start one, which is counted.
   */
  @Nullable SkeinException tooEarly(DefinitionRef definition, long now) {
    var tenant = definition.tenant();
    return tenants.mayStart(tenant, now)
        ? null
        : SkeinException.tooManyStarts(tenant, tenants.startsPerSecond(tenant));
  }

  private SkeinException tooManyOfDefinition(DefinitionRef definition) {
    var id = definition.definitionId();
    return SkeinException.tooManyInstances(id, instances.max(id));
  }

  private SkeinException tooManyOfTenant(DefinitionRef definition) {
    var tenant = definition.tenant();
    return SkeinException.tooManyInstancesOfTenant(tenant, tenants.instancesMax(tenant));
  }
}
