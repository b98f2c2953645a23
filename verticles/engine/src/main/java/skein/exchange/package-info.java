/**
 * Instances in the files that Elsa 3 exports and imports: its {@code WorkflowState} with what its
 * serializer puts around values, from our instances and back. What has no place in either is
 * refused by name, or travels in members of our own that Elsa keeps and does not read. And
 * definitions as Elsa writes them, for its designer: {@link skein.exchange.DefinitionWriter}.
 *
 * <p>May import the model, the codecs, the expressions, the graph and the activities; plain Java.
 * Start reading at {@link skein.exchange.StateWriter} and {@link skein.exchange.StateReader}.
 */
@NullMarked
package skein.exchange;

import org.jspecify.annotations.NullMarked;
