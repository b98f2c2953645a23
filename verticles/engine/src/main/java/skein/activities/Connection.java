package skein.activities;

/**
 * A connection of a flowchart: from an outcome of an activity to the next activity.
 *
 * @param index its place in the file, which is the order in which connections are taken
 * @param place the same, with those that are left out counted
 * @param port the outcome that follows it
 */
record Connection(int index, int place, ActivityNode source, String port, ActivityNode target) {}
