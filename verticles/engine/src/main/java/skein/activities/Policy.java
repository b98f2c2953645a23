package skein.activities;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The policy of a definition for an activity that fails or takes too long; read from its {@code
 * customProperties}.
 *
 * @param retry null: a failure is final
 * @param timeout of one attempt; null: none
 * @param onFault id of the activity beside it that runs in its stead when it has failed
 * @param compensatedBy id of the activity beside it that undoes it
 */
public record Policy(
    @Nullable RetryPolicy retry,
    @Nullable Duration timeout,
    @Nullable String onFault,
    @Nullable String compensatedBy) {
  public static final Policy NONE = new Policy(null, null, null, null);
}
