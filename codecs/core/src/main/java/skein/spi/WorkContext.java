package skein.spi;

import java.time.Instant;

/**
 * One attempt at a piece of work.
 *
 * @param idempotencyKey the same for every attempt; pass it to services that detect repetitions by
 *     it
 * @param attempt 1 for the first
 * @param deadline by the clock of this machine; the thread is interrupted then
 * @param logger writes to the log of the node
 */
public record WorkContext(
    String idempotencyKey, int attempt, Instant deadline, System.Logger logger) {}
