/**
 * Skein's fault suite: a cluster of processes with proxies between them and before their database,
 * clients that write down what they saw, and a checker that decides from that and from the final
 * rows whether every promise was kept. Start reading at {@link skein.faults.Scenario}.
 */
@NullMarked
package skein.faults;

import org.jspecify.annotations.NullMarked;
