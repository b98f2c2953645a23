package skein.faults;

/**
 * A call that the server outside got.
 *
 * @param key its {@code Idempotency-Key}
 * @param step the activity that called
 */
record Effect(long nanos, String key, String instance, String step) {}
