package skein.faults;

/**
 * A fault that was inflicted, from and until by {@link System#nanoTime}.
 *
 * @param where the node, or {@code database}
 */
record Nemesis(String what, String where, long fromNanos, long untilNanos) {}
