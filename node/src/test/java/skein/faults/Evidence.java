package skein.faults;

import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * All that a verdict rests on.
 *
 * @param steps activities that a completed instance of a definition has completed, by definition
 * @param faultsEnd when the last fault was over, by the clock of the database
 */
record Evidence(
    List<Operation> operations,
    List<Effect> effects,
    List<Nemesis> faults,
    Rows rows,
    Map<String, List<String>> steps,
    Instant faultsEnd) {}
