/**
 * Deletes rows that are older than their retention time: {@link skein.retention.RetentionVerticle}
 * runs on every node with the role where retention is on, one of them at a time makes a pass.
 *
 * <p>May import the model, the figures, the storage, the cluster and the passes. Start reading at
 * {@link skein.retention.RetentionPass}; why it deletes nothing that is still in use is explained
 * at {@link skein.storage.RetentionStore}.
 */
@NullMarked
package skein.retention;

import org.jspecify.annotations.NullMarked;
