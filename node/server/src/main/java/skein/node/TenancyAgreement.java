package skein.node;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import skein.cluster.Cluster;

/**
 * Reports members whose {@code tenancy.enabled} is not as this node's: those without tenants show
 * all callers what is any tenant's. Thread-safe.
 */
final class TenancyAgreement {
  private static final Logger log = LoggerFactory.getLogger(TenancyAgreement.class);

  private final Cluster cluster;
  private final boolean enabled;
  private List<String> reported = List.of();

  /**
   * Looks at once, and whenever members join or leave.
   *
   * @param enabled whether this node has tenants
   */
  TenancyAgreement(Cluster cluster, boolean enabled) {
    this.cluster = cluster;
    this.enabled = enabled;
    look();
    cluster.onChange(this::look);
  }

  private synchronized void look() {
    var others = cluster.membersWithOtherTenancy();
    if (!others.isEmpty() && !others.equals(reported)) {
      log.atWarn()
          .addKeyValue("enabled", enabled)
          .addKeyValue("nodes", others)
          .log("cluster.otherTenancy");
    }
    reported = others;
  }

  /** A sentence while there are such members; null when there are none. */
  @Nullable String trouble() {
    var others = cluster.membersWithOtherTenancy();
    return others.isEmpty()
        ? null
        : "tenancy.enabled is %s on this node and %s on %s: nodes without tenants show all callers"
                .formatted(enabled, !enabled, String.join(", ", others))
            + " what is any tenant's. Set it alike on all nodes";
  }
}
