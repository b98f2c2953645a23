/**
 * Jobs: work that programs outside the cluster do, in any language. They lease it, extend the
 * lease, and report its result.
 *
 * <p>May import the cluster, the storage and the activities. Start reading at {@link
 * skein.jobs.Jobs}.
 */
@NullMarked
package skein.jobs;

import org.jspecify.annotations.NullMarked;
