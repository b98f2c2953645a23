/**
 * The values of definitions: literals, JSON, references to variables and inputs, JavaScript and
 * Liquid; and the conversion of any value to the type that an activity asks for.
 *
 * <p>May import the model and the codecs; plain Java, {@code skein.scripts} and Liqp, which are
 * imported nowhere else. Nothing here reads a clock or a random source: both come from the {@link
 * skein.expressions.Scope}, so that a burst that is run again decides alike. Values are JSON values
 * as {@code skein.model} describes them.
 *
 * <p>Start reading at {@link skein.expressions.Expressions}.
 */
@NullMarked
package skein.expressions;

import org.jspecify.annotations.NullMarked;
