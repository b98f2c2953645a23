/**
 * Definitions as they are run: every activity found, every expression and connection in its place,
 * and their errors as messages.
 *
 * <p>May import the model, the codecs, the expressions, the activities and the forms; plain Java. A
 * graph is immutable and shared by all instances of its definition.
 *
 * <p>Start reading at {@link skein.graph.Graph}.
 */
@NullMarked
package skein.graph;

import org.jspecify.annotations.NullMarked;
