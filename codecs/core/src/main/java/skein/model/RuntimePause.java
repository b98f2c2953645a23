package skein.model;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The runtime of the cluster is paused: its nodes begin nothing new.
 *
 * @param at by the database's clock
 * @param reason for people
 * @param requestedBy a caller, by name or address
 */
public record RuntimePause(Instant at, @Nullable String reason, @Nullable String requestedBy) {}
