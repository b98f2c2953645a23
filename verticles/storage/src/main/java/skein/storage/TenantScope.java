package skein.storage;

import org.jspecify.annotations.Nullable;

/**
 * The tenants whose rows a query of the API sees. Every query that lists or searches takes one:
 * there is none that sees the rows of all tenants without saying so.
 *
 * @param tenant empty: the default tenant; null: all tenants, as where there are none, and for what
 *     the cluster does for itself
 */
public record TenantScope(@Nullable String tenant) {
  /** All rows. */
  public static final TenantScope ALL = new TenantScope(null);

  /** The rows of one tenant; empty: of the default tenant. */
  public static TenantScope of(String tenant) {
    return new TenantScope(tenant);
  }

  /** The tenant that rows are written for. */
  public String owner() {
    return tenant == null ? "" : tenant;
  }

  /** Whether it sees rows of this tenant. */
  public boolean sees(String owner) {
    return tenant == null || tenant.equals(owner);
  }

  /** As a condition on the column {@code tenant_id}; {@code parameter}: its number. */
  static String condition(int parameter) {
    return condition("", parameter);
  }

  /** The same of a table; {@code alias}: with its dot. */
  static String condition(String alias, int parameter) {
    return "($%2$d::text is null or %1$stenant_id = $%2$d)".formatted(alias, parameter);
  }
}
