package skein.burst;

import java.time.Instant;
import java.util.UUID;

/**
 * What a burst would otherwise have to take from the world.
 *
 * @param now stands still during the burst
 * @param seed of every random number that scripts ask for
 * @param commitId of the transition
 */
public record BurstInputs(Instant now, long seed, UUID commitId) {}
