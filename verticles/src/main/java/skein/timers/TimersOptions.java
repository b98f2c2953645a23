package skein.timers;

import java.time.Duration;

/**
 * Bounds of the scheduler.
 *
 * @param leaseDuration how long a leader stays leader without renewing; it renews three times in it
 * @param pollInterval between two looks into the index
 * @param horizon how far ahead timers are kept in memory
 * @param batchMax timers read at once
 * @param inFlightMax firings under way
 * @param retryDelay until a timer whose firing failed is fired again, and the grace that the first
 *     nudge of immediate work is given
 * @param retryDelayMax the delay doubles with every failure up to this
 */
public record TimersOptions(
    Duration leaseDuration,
    Duration pollInterval,
    Duration horizon,
    int batchMax,
    int inFlightMax,
    Duration retryDelay,
    Duration retryDelayMax) {}
