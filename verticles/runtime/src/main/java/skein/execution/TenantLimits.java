package skein.execution;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.model.DefinitionRef;
import skein.model.Transition;
import skein.model.WorkflowInstance;
import skein.storage.ImportBounds;

/**
 * What each tenant may use, so that the starts of one leave room for others. The default tenant has
 * no limits. Thread-safe.
 */
public final class TenantLimits {
  /** Where no tenant is limited. */
  public static final TenantLimits NONE = new TenantLimits(Quota.UNLIMITED, Quota.UNLIMITED);

  private final @Nullable StartRate usualRate;
  private final Map<String, StartRate> rates = new HashMap<>();
  private final Quota startsPerSecond;
  private final Quota instancesMax;
  private final InstanceLimit instances;

  /**
   * @param startsPerSecond instances that one node starts of a tenant in a second, whatever starts
   *     them
   * @param instancesMax unfinished instances of a tenant in the cluster
   */
  public TenantLimits(Quota startsPerSecond, Quota instancesMax) {
    this.startsPerSecond = startsPerSecond;
    this.usualRate = rate(startsPerSecond.usual());
    startsPerSecond
        .others()
        .forEach((tenant, number) -> {
          var rate = rate(number);
          if (rate != null) {
            rates.put(tenant, rate);
          }
        });
    this.instancesMax = withoutDefault(instancesMax);
    this.instances = new InstanceLimit(this.instancesMax, DefinitionRef::tenant);
  }

  private static @Nullable StartRate rate(int perSecond) {
    return perSecond == Quota.NONE ? null : new StartRate(perSecond);
  }

  private static Quota withoutDefault(Quota quota) {
    var others = new HashMap<>(quota.others());
    others.put(DefinitionRef.DEFAULT_TENANT, Quota.NONE);
    return new Quota(quota.usual(), others);
  }

  private @Nullable StartRate rate(String tenant) {
    if (tenant.equals(DefinitionRef.DEFAULT_TENANT)) {
      return null;
    }
    return startsPerSecond.others().containsKey(tenant) ? rates.get(tenant) : usualRate;
  }

  int startsPerSecond(String tenant) {
    return startsPerSecond.of(tenant);
  }

  int instancesMax(String tenant) {
    return instancesMax.of(tenant);
  }

  /**
   * Whether a caller may start an instance of the tenant now, which is then counted. While starts
   * that were postponed wait, callers have every second one at most.
   *
   * @param now in nanoseconds, of any clock that goes forward
   */
  boolean mayStart(String tenant, long now) {
    var rate = rate(tenant);
    return rate == null || rate.isTakenByCaller(tenant, now);
  }

  /** Whether {@link #mayStart} would say no; counts nothing. */
  boolean isEarlyForCallers(String tenant, long now) {
    var rate = rate(tenant);
    return rate != null && rate.isSpentForCallers(tenant, now);
  }

  /** Whether {@link #untilStart} would not be zero; counts nothing. */
  boolean isEarly(String tenant, long now) {
    var rate = rate(tenant);
    return rate != null && rate.isSpent(tenant, now);
  }

  /**
   * For a start that can be postponed: zero when it may begin now, which is then counted; else when
   * to ask again, each time a later instant.
   *
   * @param now in nanoseconds, of any clock that goes forward
   */
  Duration untilStart(String tenant, long now) {
    var rate = rate(tenant);
    return rate == null ? Duration.ZERO : rate.take(tenant, now);
  }

  /** Whether there are tenants with a limit of unfinished instances. */
  public boolean boundsInstances() {
    return !instancesMax.isUnlimited();
  }

  /** Whether no more instances of the tenant are to be started. */
  boolean isFull(String tenant) {
    return instances.isReached(tenant);
  }

  /**
   * A transition that this node has committed.
   *
   * @param before the state that it was decided on; null: there was no instance
   */
  void committed(@Nullable WorkflowInstance before, Transition transition) {
    instances.committed(before, transition);
  }

  /** As {@link InstanceLimit#tryReserve}, of the instances of the tenant. */
  ImportBounds.@Nullable Reservation tryReserve(DefinitionRef definition) {
    return instances.tryReserve(definition);
  }

  /**
   * Takes a new count of the cluster in place of all that was known.
   *
   * @param unfinished instances by tenant; of those that are missing there are few
   */
  public void counted(Map<String, Long> unfinished) {
    instances.counted(unfinished);
  }
}
