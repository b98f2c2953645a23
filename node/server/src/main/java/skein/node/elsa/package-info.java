/**
 * Moves what a server of Elsa 3 has into a cluster: definitions, labels, and instances that have
 * not ended. What Elsa has is read as a {@link skein.node.elsa.ElsaSource}, a plan says in plain
 * Java what of it is taken, and the API of the cluster carries it out.
 *
 * <p>May import the model, the codecs, the interpreter with the files of Elsa, and what storage
 * reads of Elsa's tables. Start reading at {@link skein.node.elsa.ElsaImport}.
 */
@NullMarked
package skein.node.elsa;

import org.jspecify.annotations.NullMarked;
