package skein.node;

import io.vertx.core.Future;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import skein.node.config.TenancyConfig;

/**
 * Whether tenants are switched off on a database that has them: then every caller would see and
 * change what is any tenant's.
 */
final class TenancyCheck {
  private static final Logger log = LoggerFactory.getLogger(TenancyCheck.class);

  private TenancyCheck() {}

  /** The database has rows of tenants, and the node knows no tenants. */
  static final class TenantsThereException extends RuntimeException {
    TenantsThereException() {
      super(
          "The database has rows of tenants, and tenancy.enabled is false: all callers would see"
              + " and change those of all tenants. Set tenancy.enabled to true, as on the other"
              + " nodes; or, if that is what you want, tenancy.allow-off-with-tenants to true");
    }
  }

  /**
   * Fails with {@link TenantsThereException}, unless the configuration allows it.
   *
   * @param used asks whether the database has rows of tenants
   */
  static Future<Void> of(TenancyConfig tenancy, Supplier<Future<Boolean>> used) {
    if (tenancy.enabled()) {
      return Future.succeededFuture();
    }
    return used.get()
        .compose(there -> {
          if (there && !tenancy.allowOffWithTenants()) {
            return Future.failedFuture(new TenantsThereException());
          }
          if (there) {
            log.atWarn().log("tenancy.off");
          }
          return Future.succeededFuture();
        });
  }
}
