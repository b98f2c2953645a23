package skein.activities;

/**
 * Of a flowchart: what follows an outcome of an activity.
 *
 * @param index its place in the file, which is the order in which connections are taken
 * @param place the same, with those that are left out counted
 * @param port the outcome that follows it
 */
record Connection(int index, int place, ActivityNode source, String port, ActivityNode target) {}
