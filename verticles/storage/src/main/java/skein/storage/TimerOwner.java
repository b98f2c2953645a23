package skein.storage;

/**
 * Whose a timer is: timers of different owners take turns.
 *
 * @param tenant empty: the default tenant
 * @param definitionId empty: unknown
 */
public record TimerOwner(String tenant, String definitionId) {}
