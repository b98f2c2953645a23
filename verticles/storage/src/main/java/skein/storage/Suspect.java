package skein.storage;

/**
 * A row that contradicts others.
 *
 * @param revision of the instance or the schedule, 0 where there is none
 */
public record Suspect(String id, long revision, String detail) {}
