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
 * @param timeout of one attempt
 */
public record WorkOrder(String kind, Map<String, @Nullable Object> request, Duration timeout) {}
