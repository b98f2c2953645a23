package skein.model;

import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Ids of instances that follow from what starts them, as from an occurrence of a schedule or from
 * an idempotency key: however often that is decided, it starts one instance. Those of a tenant
 * begin with a mark of the tenant, 36 characters in all, so that callers of other tenants cannot
 * take one first.
 */
public final class DerivedIds {
  private static final int MARK_DIGITS = 8;
  private static final int DIGITS_OF_TENANT = 26;

  /** With the letter before and the dash behind the digits. */
  private static final int MARK_LENGTH = MARK_DIGITS + 2;

  private static final Pattern MARKED =
      Pattern.compile("t[0-9a-f]{" + MARK_DIGITS + "}-[0-9a-f]{" + DIGITS_OF_TENANT + "}");

  /** Of the default tenant: of schedules, keys and events; of children. */
  private static final Pattern UNMARKED = Pattern.compile("[0-9a-f]{32}|[0-9A-F]{26}");

  private DerivedIds() {}

  /**
   * The id that follows from a text.
   *
   * @param tenant whose the instance is; empty: the default tenant's
   * @param text names what starts the instance
   */
  public static InstanceId of(String tenant, String text) {
    var hash = StimulusHash.id(text);
    return new InstanceId(
        tenant.isEmpty() ? hash : mark(tenant) + hash.substring(0, DIGITS_OF_TENANT));
  }

  /** Whether it has the form of ids that are made for tenants. */
  public static boolean isOfTenant(InstanceId id) {
    return MARKED.matcher(id.value()).matches();
  }

  /** The {@link #mark} in the id; null: it does not have the form of ids that have one. */
  public static @Nullable String markOf(InstanceId id) {
    return isOfTenant(id) ? id.value().substring(0, MARK_LENGTH) : null;
  }

  /**
   * Whether a caller may give this id to an instance that they start. Ids of the form that this
   * class makes are not theirs to choose, those of the caller's own tenant included.
   *
   * @param tenant of the caller; empty: the default tenant, whose callers may choose 32 hexadecimal
   *     digits, as a UUID without dashes has them
   */
  public static boolean mayChoose(String tenant, InstanceId id) {
    return !isOfTenant(id) && (tenant.isEmpty() || !UNMARKED.matcher(id.value()).matches());
  }

  /**
   * Whether a caller may restore an instance with this id from a file: also one that was made for
   * the caller's own tenant.
   *
   * @param tenant of the caller; empty: the default tenant
   */
  public static boolean mayRestore(String tenant, InstanceId id) {
    return mayChoose(tenant, id)
        || (!tenant.isEmpty() && isOfTenant(id) && id.value().startsWith(mark(tenant)));
  }

  /**
   * What ids of a tenant begin with: {@code t}, eight hexadecimal digits, {@code -}.
   *
   * @param tenant not the default tenant, whose ids have no mark
   */
  public static String mark(String tenant) {
    var hash = StimulusHash.sha256("tenant|" + tenant).toLowerCase(Locale.ROOT);
    return "t" + hash.substring(0, MARK_DIGITS) + "-";
  }
}
