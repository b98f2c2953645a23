/**
 * {@code skein cluster verify}: the validation checklist of the clustering guide, run against a
 * cluster that is at work, over the API of its nodes alone.
 *
 * <p>May import the JSON of Vert.x, nothing else of ours. Start reading at {@link
 * skein.node.verify.Verification}.
 */
@NullMarked
package skein.node.verify;

import org.jspecify.annotations.NullMarked;
