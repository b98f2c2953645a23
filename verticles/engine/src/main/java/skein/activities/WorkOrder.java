package skein.activities;

import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Work outside the engine that an activity asks for: a request to another service, a statement, a
 * mail.
 *
 * @param kind names who performs it
 * @param request what is to be done; JSON values, stored with the instance until it is done
 * @param timeout of one attempt; the worker's own applies where it is shorter
 */
public record WorkOrder(String kind, Map<String, @Nullable Object> request, Duration timeout) {
  /** The name under which an execution remembers its order until the work is done. */
  public static final String KEPT = "$order";

  public static final String HTTP = "http";
  public static final String MAIL = "mail";
  public static final String SQL = "sql";
  public static final String OWN = "own";

  /** Performed by workers outside the cluster, who lease it: {@code {type, payload}}. */
  public static final String JOB = "job";

  /** No attempt is waited for any longer, whatever its worker says. */
  public static final Duration TIMEOUT_MAX = Duration.ofHours(1);

  /** With the worker's own timeout. */
  public WorkOrder(String kind, Map<String, @Nullable Object> request) {
    this(kind, request, TIMEOUT_MAX);
  }
}
